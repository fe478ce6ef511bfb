// Package crawls stores crawls: the links, pages, hosts and tasks of each, and whether it may go on. It reads them for crawls that are
// resumed, and as people see them: how far each came, why it waits, and what its next pages promise.
package crawls

import (
	"context"
	"encoding/json"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// View is a crawl as the dashboard shows it.
type View struct {
	ID         int64
	TopicID    int64
	Topic      string
	ModelID    int64
	Version    int    // of the model
	Night      string // local date when its window opened; "" when the person started it
	Strategy   string
	Options    json.RawMessage
	Status     string // waiting, running, ended
	Paused     string // for people: why it waits; "" when it does not
	StopReason string
	Fetched    int
	Relevant   int
	Bytes      int64
	Spent      time.Duration
	CreatedAt  time.Time
	StartedAt  time.Time
	EndedAt    time.Time
	Finds      int
	LearnedAt  time.Time // when its strategy last learned; zero if never
	Learned    int       // number of pages that its strategy learned from
	Unlearned  string    // for people: what its strategy could not learn from; "" if nothing
	Nightly    bool      // see Options.Nightly
	Early      bool      // see Crawl.Early
	CanGoOn    bool      // see GoOn
}

// Live reports whether the crawl may still fetch.
func (c View) Live() bool { return c.Status != Ended }

// Held reports whether the person paused the crawl.
func (c View) Held() bool { return c.Paused == PausedByYou }

// Yields reports whether the crawl waits for a reason that the person can override.
func (c View) Yields() bool {
	return c.Paused == OnBattery || c.Paused == OnMetered || c.Nightly && ForNight(c.Paused)
}

// Harvest returns the harvest rate, or 0 before the first page.
func (c View) Harvest() float64 {
	if c.Fetched == 0 {
		return 0
	}
	return float64(c.Relevant) / float64(c.Fetched)
}

const crawlRows = `
	SELECT c.id, c.topic_id, t.name, c.model_id, m.version, c.night, c.strategy, c.options, c.status, c.stop_reason,
	       c.fetched, c.relevant, c.bytes, c.spent_ms, c.created_at, c.started_at, c.ended_at,
	       (SELECT count(*) FROM finds WHERE crawl_id = c.id AND ` + store.ShownFinds + `), c.learned_at, c.learned_pages, c.paused, c.strategy_errors, c.strategy_error,
	       coalesce(json_extract(c.options, '$.nightly'), 0), c.early,
	       EXISTS (SELECT 1 FROM crawls WHERE crawls.id = c.id AND ` + CanGoOn + `)
	FROM crawls c JOIN topics t ON t.id = c.topic_id JOIN models m ON m.id = c.model_id`

// Views lists at most limit crawls, newest first.
func Views(ctx context.Context, d *db.DB, limit int) ([]View, error) {
	return Before(ctx, d, 0, 0, limit)
}

// Before lists at most limit crawls of a topic, 0 for all topics, with an id below before, newest first; 0 starts with the newest.
func Before(ctx context.Context, d *db.DB, topic, before int64, limit int) ([]View, error) {
	all, err := db.Query(ctx, d.Readers, scanCrawlView, crawlRows+` WHERE (?1 = 0 OR c.topic_id = ?1) AND (?2 = 0 OR c.id < ?2) ORDER BY c.id DESC LIMIT ?3`, topic, before, limit)
	return all, db.Wrap(err, "list crawls")
}

// ByID returns one crawl, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (View, error) {
	c, err := scanCrawlView(d.Readers.QueryRowContext(ctx, crawlRows+` WHERE c.id = ?`, id))
	return c, db.Missing(err, "read crawl")
}

func scanCrawlView(row db.Scanner) (View, error) {
	var c View
	var totals crawler.Totals
	err := row.Scan(&c.ID, &c.TopicID, &c.Topic, &c.ModelID, &c.Version, &c.Night, &c.Strategy, db.JSONOf(&c.Options), &c.Status,
		&c.StopReason, &c.Fetched, &c.Relevant, &c.Bytes, db.SpanOf(&c.Spent), db.TimeOf(&c.CreatedAt), db.TimeOf(&c.StartedAt), db.TimeOf(&c.EndedAt),
		&c.Finds, db.TimeOf(&c.LearnedAt), &c.Learned, &c.Paused, &totals.StrategyErrors, &totals.StrategyError, &c.Nightly, &c.Early, &c.CanGoOn)
	c.Unlearned = totals.Unlearned()
	return c, err
}

// FrontierCounts returns how many addresses of a crawl's queue wait and how many were dropped, each at most MostLinks.
func FrontierCounts(ctx context.Context, d *db.DB, crawlID int64) (queued, dropped int, err error) {
	err = d.Readers.QueryRowContext(ctx, `WITH q(id) AS (SELECT queue FROM crawls WHERE id = ?1)
		SELECT (SELECT count(*) FROM (SELECT 1 FROM q JOIN frontier ON crawl_id = q.id AND status = 'queued' LIMIT ?2)),
			(SELECT count(*) FROM (SELECT 1 FROM q JOIN frontier ON crawl_id = q.id AND status = 'dropped' LIMIT ?2))`, crawlID, MostLinks).
		Scan(&queued, &dropped)
	return queued, dropped, db.Wrap(err, "count frontier of crawl %d", crawlID)
}

// EndedEarly lists the crawls of the last night that ended since the next pages promised too little, oldest first.
func EndedEarly(ctx context.Context, d *db.DB) ([]View, error) {
	all, err := db.Query(ctx, d.Readers, scanCrawlView, crawlRows+` WHERE c.early = 1 AND c.status = 'ended' AND c.night <> ''
		AND c.night = (SELECT max(night) FROM crawls) ORDER BY c.id`)
	return all, db.Wrap(err, "list crawls that ended early")
}

// NightRest is what another topic got of a night's budget after a crawl had ended.
type NightRest struct {
	Topic string
	Pages int
}

// RestOfNight lists what other topics got of a night's budget after one of its crawls had ended, most pages first.
func RestOfNight(ctx context.Context, d *db.DB, c View) ([]NightRest, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[NightRest], `
		SELECT t.name, count(*) AS pages FROM crawls c JOIN topics t ON t.id = c.topic_id JOIN fetches f ON f.crawl_id = c.id
		WHERE c.night = ?1 AND ?1 <> '' AND c.id <> ?2 AND f.cost > 0 AND f.at >= ?3
		GROUP BY t.id ORDER BY pages DESC, t.name`, c.Night, c.ID, db.Millis(c.EndedAt))
	return all, db.Wrap(err, "share out the night of crawl %d", c.ID)
}

// PromisePoint is what the next pages promised after a number of pages of budget.
type PromisePoint struct {
	Fetched int
	Next    float64 // useful pages among the next 100
}

// Promises returns about that many of the estimates of a crawl, the last one included.
func Promises(ctx context.Context, d *db.DB, crawlID int64, points int) ([]PromisePoint, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[PromisePoint], `
		WITH sums AS (SELECT n, promised, sum(cost) OVER (ORDER BY n) AS fetched FROM fetches WHERE crawl_id = ?1),
		told AS (SELECT row_number() OVER (ORDER BY n) AS k, fetched, promised FROM sums WHERE promised IS NOT NULL),
		size AS (SELECT count(*) AS total FROM told)
		SELECT fetched, promised FROM told, size WHERE k = total OR k % max(1, (total + ?2 - 1) / ?2) = 0 OR k = 1 ORDER BY k`, crawlID, points)
	return all, db.Wrap(err, "read what crawl %d promised", crawlID)
}
