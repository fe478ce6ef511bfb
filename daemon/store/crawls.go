package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
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
		queue, valued, err := openQueue(ctx, tx, c)
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
		return putStarts(ctx, tx, queue, c.Options.First())
	})
	return id, db.Wrap(err, "create crawl for topic %d", c.TopicID)
}

// ErrCrawlEnded is returned for a crawl that has ended: it must not fetch, and nothing more of it is stored.
var ErrCrawlEnded = errors.New("the crawl has ended")

const crawlStatus = `SELECT status FROM crawls WHERE id = ?`

// mustBeOpen returns ErrCrawlEnded for a crawl that has ended, and ErrNotFound for one that was deleted.
func mustBeOpen(ctx context.Context, tx *sql.Tx, id int64) error {
	status, err := db.Found(db.ScanText(tx.QueryRowContext(ctx, crawlStatus, id)))
	if err == nil && status == CrawlEnded {
		err = ErrCrawlEnded
	}
	return err
}

// StartCrawl stores that a crawl runs. The error is ErrCrawlEnded or ErrNotFound for one that is not open.
func (s *Store) StartCrawl(ctx context.Context, id int64) error {
	err := s.Commit(ctx, func(w *db.Work) {
		w.Do(func(ctx context.Context, tx *sql.Tx) error { return mustBeOpen(ctx, tx, id) })
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
		if !early && !w.Has("SELECT "+Lasts, id) {
			w.Do(func(ctx context.Context, tx *sql.Tx) error { return dropLearned(ctx, tx, id) })
		}
		cancelTasks(w, id)
		renewMaybe(w, id)
		dropOld(w, id)
		DropUseless(w, id)
	})
	return db.Wrap(err, "end crawl %d", id)
}

// dropOld deletes useless contents of pages of a lasting queue that are no longer among the last ones since a crawl has ended.
func dropOld(w *db.Work, crawlID int64) {
	crawls := db.List(w, db.ScanID, `SELECT DISTINCT f.crawl_id FROM crawls c JOIN fetches f ON f.crawl_id = c.id
		WHERE c.queue = (SELECT queue FROM crawls WHERE id = ?1) AND c.id <> ?1 AND c.status = 'ended'
			AND f.n <= (`+LastOf+`) - ?2 AND f.n > (`+LastOf+` AND c.id <> ?1) - ?2`, crawlID, KeptTexts)
	for _, id := range crawls {
		DropUseless(w, id)
	}
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

func scanCrawl(row db.Scanner) (Crawl, error) {
	var c Crawl
	return c, row.Scan(&c.ID, &c.TopicID, &c.ModelID, &c.Night, &c.Strategy, db.JSONOf(&c.Options), &c.Status, &c.StopReason,
		&c.Totals.Fetched, &c.Totals.Relevant, &c.Totals.Bytes, db.SpanOf(&c.Totals.Spent), db.TimeOf(&c.CreatedAt), db.TimeOf(&c.StartedAt),
		db.TimeOf(&c.EndedAt), &c.Paused, &c.Early, &c.Queue)
}
