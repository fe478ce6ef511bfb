package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/night/settings"
)

// Statuses of a crawl.
const (
	CrawlWaiting = "waiting" // not started yet
	CrawlRunning = "running"
	CrawlEnded   = "ended"
)

// CrawlOptions are a crawl's settings.
type CrawlOptions struct {
	Starts       []string        `json:"starts"`
	Links        []string        `json:"links,omitempty"`         // see PendingLinks; they are fetched first, like start pages
	Budget       settings.Budget `json:"budget"`                  // except for PerHost, shared by the crawls of a night
	Resolve      []string        `json:"resolve,omitempty"`       // see settings.Settings
	AllowPrivate []string        `json:"allow_private,omitempty"` // see settings.Settings
	Nightly      bool            `json:"nightly,omitempty"`       // it runs only while the window is open, over as many nights as it takes
	StopBelow    float64         `json:"stop_below,omitempty"`    // see crawler.Options; 0 for crawls that are no part of a night
	GoneOn       bool            `json:"gone_on,omitempty"`       // it ended early, and the person told it to go on; see GoOn
	Second       string          `json:"second,omitempty"`        // strategy that chooses SecondShare percent of the links; see crawler.Options
	SecondShare  int             `json:"second_share,omitempty"`  // percent
	ForMap       bool            `json:"for_map,omitempty"`       // a map shows its pages: none becomes a find until it is marked there
}

// First returns the addresses that a crawl begins with, each once.
func (o CrawlOptions) First() []string {
	first := slices.Clone(o.Starts)
	for _, url := range o.Links {
		if !slices.Contains(first, url) {
			first = append(first, url)
		}
	}
	return first
}

// Crawl is one run of the crawler for a topic.
type Crawl struct {
	ID         int64
	TopicID    int64
	ModelID    int64
	Queue      int64  // id of the crawl that began its queue of links: its own, or that of an earlier night
	Lasting    bool   // for CreateCrawl: it goes on with the topic's queue, which later nights go on with
	Night      string // local date when its window opened, such as 2026-11-21; "" when the person started it; see CrawlOptions.Nightly
	Strategy   string
	Options    CrawlOptions
	Status     string
	StopReason string // for people; "" before the end
	Paused     string // for people: why it waits; "" when it does not
	Early      bool   // it ended since the next pages promised too little
	Totals     crawler.Totals
	CreatedAt  time.Time
	StartedAt  time.Time // zero before the start
	EndedAt    time.Time // zero before the end
}

// OfNight is the night whose window and budget bind the crawl: Night, or "" once the person told it to go on.
func (c *Crawl) OfNight() string {
	if c.Options.GoneOn {
		return ""
	}
	return c.Night
}

// CreateCrawl stores a waiting crawl and returns its id. It uses the fields TopicID, ModelID, Night, Strategy, Options and Lasting
// of c. A lasting crawl goes on with the queue of links that the topic's last one left, to which start pages are added
// that it lacks; any other crawl, and the first one, has a queue of its own. DropQueues may then delete queues of the topic that no
// crawl opens any more. Each function of beside stores something more of the crawl in the same transaction.
func (s *Store) CreateCrawl(ctx context.Context, c Crawl, beside ...func(w *db.Work, crawlID int64)) (id int64, err error) {
	err = s.Write(ctx, func(tx *sql.Tx) error {
		queue, valued, err := s.openQueue(ctx, tx, c)
		if err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, `INSERT INTO crawls (topic_id, model_id, night, strategy, options, status, created_at, queue, valued)
			VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?) RETURNING id`,
			c.TopicID, c.ModelID, c.Night, c.Strategy, db.JSONOf(c.Options), db.Millis(s.Now()), queue, valued).Scan(&id)
		if err != nil {
			return err
		}
		if queue == 0 {
			queue = id
		}
		if c.Lasting {
			if _, err := tx.ExecContext(ctx, `UPDATE topics SET queue = ? WHERE id = ?`, queue, c.TopicID); err != nil {
				return err
			}
		}
		for _, put := range beside {
			if err := db.Within(ctx, tx, func(w *db.Work) { put(w, id) }); err != nil {
				return err
			}
		}
		return s.putStarts(ctx, tx, queue, c.Options.First())
	})
	return id, db.Wrap(err, "create crawl for topic %d", c.TopicID)
}

// ErrCrawlEnded is returned for a crawl that has ended: it must not fetch, and nothing more of it is stored.
var ErrCrawlEnded = errors.New("the crawl has ended")

const crawlStatus = `SELECT status FROM crawls WHERE id = ?`

// mustBeOpen returns ErrCrawlEnded for a crawl that has ended, and ErrNotFound for one that was deleted.
func (s *Store) mustBeOpen(ctx context.Context, tx *sql.Tx, id int64) error {
	status, err := db.Found(db.ScanText(tx.QueryRowContext(ctx, crawlStatus, id)))
	if err == nil && status == CrawlEnded {
		err = ErrCrawlEnded
	}
	return err
}

// StartCrawl stores that a crawl runs. The error is ErrCrawlEnded or ErrNotFound for one that is not open.
func (s *Store) StartCrawl(ctx context.Context, id int64) error {
	err := s.Commit(ctx, func(w *db.Work) {
		w.Do(func(ctx context.Context, tx *sql.Tx) error { return s.mustBeOpen(ctx, tx, id) })
		w.Exec(`UPDATE crawls SET status = 'running', started_at = coalesce(started_at, ?) WHERE id = ?`, db.Millis(s.Now()), id)
	})
	return db.Wrap(err, "start crawl %d", id)
}

// EndCrawl stores that a crawl ended and why. If no later night opens its queue, EndCrawl deletes what its strategy learned, which
// holds words of pages, and the contents that DropUseless deletes. It does not change a crawl that has ended already.
func (s *Store) EndCrawl(ctx context.Context, id int64, reason string) error {
	return s.endCrawl(ctx, id, reason, false)
}

// EndEarly is EndCrawl for a crawl that ends since the next pages promise too little. It keeps what the strategy learned in any
// case, so that the person may let the crawl go on (GoOn), until the topic has another crawl.
func (s *Store) EndEarly(ctx context.Context, id int64, reason string) error {
	return s.endCrawl(ctx, id, reason, true)
}

func (s *Store) endCrawl(ctx context.Context, id int64, reason string, early bool) error {
	err := s.Commit(ctx, func(w *db.Work) {
		if w.Change(`UPDATE crawls SET status = 'ended', stop_reason = ?, paused = '', ended_at = ?, early = ?
			WHERE id = ? AND status <> 'ended'`, reason, db.Millis(s.Now()), early, id) == 0 {
			return
		}
		if !early && !w.Has("SELECT "+lasts, id) {
			w.Do(func(ctx context.Context, tx *sql.Tx) error { return dropLearned(ctx, tx, id) })
		}
		cancelTasks(w, id)
		renewMaybe(w, id)
		dropOld(w, id)
		DropUseless(w, id)
	})
	return db.Wrap(err, "end crawl %d", id)
}

// useless selects the fetches with contents of pages that are neither relevant, marked or asked about, nor positive pages of
// a document, nor on the trail of such a page. A crawl that a map shows has none: the map may be drawn again. Of a queue that a later
// night opens, the last pages are none: its model may be another one, and then reads them again.
var useless = `FROM fetches WHERE crawl_id = ?1 AND content_hash IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM maps WHERE crawl_id = ?1)
	AND NOT (` + lasts + ` AND n > ` + strconv.Itoa(-keptTexts) + ` + (` + lastOf + `)) AND id NOT IN (
	WITH RECURSIVE chain(id) AS (SELECT id FROM crawls WHERE queue = (SELECT queue FROM crawls WHERE id = ?1)),
	kept(id) AS (
		SELECT id FROM fetches WHERE crawl_id IN chain AND relevant = 1
		UNION
		SELECT fetch_id FROM finds WHERE crawl_id IN chain
		UNION
		SELECT q.fetch_id FROM questions q JOIN fetches ON fetches.id = q.fetch_id WHERE crawl_id IN chain
		UNION
		SELECT id FROM fetches WHERE crawl_id IN chain AND final_url IN (SELECT url FROM positives)
		UNION
		SELECT f.parent_id FROM fetches f JOIN kept ON kept.id = f.id WHERE f.parent_id IS NOT NULL)
	SELECT id FROM kept)`

// linksRead is true of a fetch whose links do not wait to be read. Links that were not read cannot be read any more once the
// content is gone.
const linksRead = ` AND final_url NOT IN (SELECT url FROM link_queue)`

// keptTexts is the number of pages of a lasting queue whose texts are kept for another model: about 200 MB, which are read again within
// a minute or two. Links on older ones then wait behind all others.
const keptTexts = 20_000

// lastOf is the number of the last attempt from the queue of the crawl ?1.
const lastOf = `SELECT max(f.n) FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.queue = (SELECT queue FROM crawls WHERE id = ?1)`

// dropOld deletes useless contents of pages of a lasting queue that are no longer among the last ones since a crawl has ended.
func dropOld(w *db.Work, crawlID int64) {
	crawls := db.List(w, db.ScanID, `SELECT DISTINCT f.crawl_id FROM crawls c JOIN fetches f ON f.crawl_id = c.id
		WHERE c.queue = (SELECT queue FROM crawls WHERE id = ?1) AND c.id <> ?1 AND c.status = 'ended'
			AND f.n <= (`+lastOf+`) - ?2 AND f.n > (`+lastOf+` AND c.id <> ?1) - ?2`, crawlID, keptTexts)
	for _, id := range crawls {
		DropUseless(w, id)
	}
}

// DropUseless deletes the contents of the fetches that useless selects. Those whose links wait to be read stay until DropRead.
func DropUseless(w *db.Work, crawlID int64) {
	hashes := db.List(w, db.ScanBytes, "SELECT DISTINCT content_hash "+useless+linksRead, crawlID)
	w.Exec("UPDATE fetches SET content_hash = NULL WHERE id IN (SELECT id "+useless+linksRead+")", crawlID)
	w.Exec("UPDATE crawls SET unread = EXISTS (SELECT 1 "+useless+") WHERE id = ?1 AND status = 'ended'", crawlID)
	DropContents(w, hashes)
}

// DropRead deletes the contents that EndCrawl left because their links waited to be read, as far as they have been read since.
func (s *Store) DropRead(ctx context.Context) error {
	crawls, err := db.Query(ctx, s.Readers, db.ScanID, "SELECT id FROM crawls WHERE unread = 1")
	for _, id := range crawls {
		if err == nil {
			err = s.Commit(ctx, func(w *db.Work) { DropUseless(w, id) })
		}
	}
	return db.Wrap(err, "throw away contents whose links were read")
}

const selectCrawl = `SELECT id, topic_id, model_id, night, strategy, options, status, stop_reason, fetched, relevant,
	bytes, spent_ms, created_at, started_at, ended_at, paused, early, queue FROM crawls `

// CrawlByID returns one crawl, or ErrNotFound.
func (s *Store) CrawlByID(ctx context.Context, id int64) (Crawl, error) {
	return db.Found(scanCrawl(s.Readers.QueryRowContext(ctx, selectCrawl+"WHERE id = ?", id)))
}

// OpenCrawls lists the crawls that have not ended, oldest first.
func (s *Store) OpenCrawls(ctx context.Context) ([]Crawl, error) {
	return db.Query(ctx, s.Readers, scanCrawl, selectCrawl+"WHERE status <> 'ended' ORDER BY id")
}

// NightCrawls lists the crawls of one night, oldest first.
func (s *Store) NightCrawls(ctx context.Context, night string) ([]Crawl, error) {
	return db.Query(ctx, s.Readers, scanCrawl, selectCrawl+"WHERE night = ? ORDER BY id", night)
}

// CrawlableTopics lists the ids of the topics that have a model and a ticked start page. One whose sessions were
// all moved away is not crawled by itself: what its model learned from is elsewhere.
func (s *Store) CrawlableTopics(ctx context.Context) ([]int64, error) {
	return db.Query(ctx, s.Readers, db.ScanID, `SELECT id FROM own_topics WHERE EXISTS (SELECT 1 FROM models WHERE topic_id = own_topics.id)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = own_topics.id AND ticked = 1)
		AND (EXISTS (SELECT 1 FROM sessions WHERE status = 'submitted' AND (topic_id = own_topics.id
				OR topic_id IN (SELECT member_id FROM combined WHERE combined.topic_id = own_topics.id)))
			OR (SELECT coalesce(json_array_length(facts, '$.sessions'), 0) = 0 OR coalesce(json_extract(facts, '$.imported'), 0)
				FROM models WHERE topic_id = own_topics.id ORDER BY version DESC LIMIT 1))
		ORDER BY id`)
}

func scanCrawl(row db.Scanner) (Crawl, error) {
	var c Crawl
	return c, row.Scan(&c.ID, &c.TopicID, &c.ModelID, &c.Night, &c.Strategy, db.JSONOf(&c.Options), &c.Status, &c.StopReason,
		&c.Totals.Fetched, &c.Totals.Relevant, &c.Totals.Bytes, db.SpanOf(&c.Totals.Spent), db.TimeOf(&c.CreatedAt), db.TimeOf(&c.StartedAt),
		db.TimeOf(&c.EndedAt), &c.Paused, &c.Early, &c.Queue)
}
