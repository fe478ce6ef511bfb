package crawls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// Statuses of a crawl.
const (
	Waiting = "waiting" // not started yet
	Running = "running"
	Ended   = "ended"
)

// Options are a crawl's settings.
type Options struct {
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
func (o Options) First() []string {
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
	Lasting    bool   // for Create: it goes on with the topic's queue, which later nights go on with
	Night      string // local date when its window opened, such as 2026-11-21; "" when the person started it; see Options.Nightly
	Strategy   string
	Options    Options
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

// Create stores a waiting crawl and returns its id. It uses the fields TopicID, ModelID, Night, Strategy, Options and Lasting
// of c. A lasting crawl goes on with the queue of links that the topic's last one left, to which start pages are added
// that it lacks; any other crawl, and the first one, has a queue of its own. DropQueues may then delete queues of the topic that no
// crawl opens any more. Each function of beside stores something more of the crawl in the same transaction.
func Create(ctx context.Context, d *db.DB, c Crawl, beside ...func(w *db.Work, crawlID int64)) (id int64, err error) {
	err = d.Write(ctx, func(tx *sql.Tx) error {
		queue, valued, err := openQueue(ctx, tx, c)
		if err != nil {
			return err
		}
		err = tx.QueryRowContext(ctx, `INSERT INTO crawls (topic_id, model_id, night, strategy, options, status, created_at, queue, valued)
			VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, ?) RETURNING id`,
			c.TopicID, c.ModelID, c.Night, c.Strategy, db.JSONOf(c.Options), db.Millis(d.Now()), queue, valued).Scan(&id)
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

// ErrEnded is returned for a crawl that has ended: it must not fetch, and nothing more of it is stored.
var ErrEnded = errors.New("the crawl has ended")

const crawlStatus = `SELECT status FROM crawls WHERE id = ?`

// mustBeOpen returns ErrEnded for a crawl that has ended, and ErrNotFound for one that was deleted.
func mustBeOpen(ctx context.Context, tx *sql.Tx, id int64) error {
	status, err := db.Found(db.ScanText(tx.QueryRowContext(ctx, crawlStatus, id)))
	if err == nil && status == Ended {
		err = ErrEnded
	}
	return err
}

// Start stores that a crawl runs. The error is ErrEnded or ErrNotFound for one that is not open.
func Start(ctx context.Context, d *db.DB, id int64) error {
	err := d.Commit(ctx, func(w *db.Work) {
		w.Do(func(ctx context.Context, tx *sql.Tx) error { return mustBeOpen(ctx, tx, id) })
		w.Exec(`UPDATE crawls SET status = 'running', started_at = coalesce(started_at, ?) WHERE id = ?`, db.Millis(d.Now()), id)
	})
	return db.Wrap(err, "start crawl %d", id)
}

// End stores that a crawl ended and why. If no later night opens its queue, End deletes what its strategy learned, which
// holds words of pages, and the contents that DropUseless deletes. It does not change a crawl that has ended already.
func End(ctx context.Context, d *db.DB, id int64, reason string) error {
	return endCrawl(ctx, d, id, reason, false)
}

// EndEarly is End for a crawl that ends since the next pages promise too little. It keeps what the strategy learned in any
// case, so that the person may let the crawl go on (GoOn), until the topic has another crawl.
func EndEarly(ctx context.Context, d *db.DB, id int64, reason string) error {
	return endCrawl(ctx, d, id, reason, true)
}

func endCrawl(ctx context.Context, d *db.DB, id int64, reason string, early bool) error {
	err := d.Commit(ctx, func(w *db.Work) {
		if w.Change(`UPDATE crawls SET status = 'ended', stop_reason = ?, paused = '', ended_at = ?, early = ?
			WHERE id = ? AND status <> 'ended'`, reason, db.Millis(d.Now()), early, id) == 0 {
			return
		}
		if !early && !w.Has("SELECT "+store.Lasts, id) {
			w.Do(func(ctx context.Context, tx *sql.Tx) error { return dropLearned(ctx, tx, id) })
		}
		cancelTasks(w, id)
		renewMaybe(w, id)
		dropOld(w, id)
		store.DropUseless(w, id)
	})
	return db.Wrap(err, "end crawl %d", id)
}

// dropOld deletes useless contents of pages of a lasting queue that are no longer among the last ones since a crawl has ended.
func dropOld(w *db.Work, crawlID int64) {
	crawls := db.List(w, db.ScanID, `SELECT DISTINCT f.crawl_id FROM crawls c JOIN fetches f ON f.crawl_id = c.id
		WHERE c.queue = (SELECT queue FROM crawls WHERE id = ?1) AND c.id <> ?1 AND c.status = 'ended'
			AND f.n <= (`+store.LastOf+`) - ?2 AND f.n > (`+store.LastOf+` AND c.id <> ?1) - ?2`, crawlID, store.KeptTexts)
	for _, id := range crawls {
		store.DropUseless(w, id)
	}
}

// DropRead deletes the contents that End left because their links waited to be read, as far as they have been read since.
func DropRead(ctx context.Context, d *db.DB) error {
	crawls, err := db.Query(ctx, d.Readers, db.ScanID, "SELECT id FROM crawls WHERE unread = 1")
	for _, id := range crawls {
		if err == nil {
			err = d.Commit(ctx, func(w *db.Work) { store.DropUseless(w, id) })
		}
	}
	return db.Wrap(err, "throw away contents whose links were read")
}

const selectCrawl = `SELECT id, topic_id, model_id, night, strategy, options, status, stop_reason, fetched, relevant,
	bytes, spent_ms, created_at, started_at, ended_at, paused, early, queue FROM crawls `

// Get returns one crawl, or ErrNotFound.
func Get(ctx context.Context, d *db.DB, id int64) (Crawl, error) {
	return db.Found(scanCrawl(d.Readers.QueryRowContext(ctx, selectCrawl+"WHERE id = ?", id)))
}

// Open lists the crawls that have not ended, oldest first.
func Open(ctx context.Context, d *db.DB) ([]Crawl, error) {
	return db.Query(ctx, d.Readers, scanCrawl, selectCrawl+"WHERE status <> 'ended' ORDER BY id")
}

// OfNight lists the crawls of one night, oldest first.
func OfNight(ctx context.Context, d *db.DB, night string) ([]Crawl, error) {
	return db.Query(ctx, d.Readers, scanCrawl, selectCrawl+"WHERE night = ? ORDER BY id", night)
}

func scanCrawl(row db.Scanner) (Crawl, error) {
	var c Crawl
	return c, row.Scan(&c.ID, &c.TopicID, &c.ModelID, &c.Night, &c.Strategy, db.JSONOf(&c.Options), &c.Status, &c.StopReason,
		&c.Totals.Fetched, &c.Totals.Relevant, &c.Totals.Bytes, db.SpanOf(&c.Totals.Spent), db.TimeOf(&c.CreatedAt), db.TimeOf(&c.StartedAt),
		db.TimeOf(&c.EndedAt), &c.Paused, &c.Early, &c.Queue)
}

// ErrCannotGoOn is returned by GoOn, worded for the person.
var ErrCannotGoOn = errors.New("this crawl cannot go on: its links are gone, since the topic was crawled again")

// canGoOn is true of a crawl, called crawls, that ended early, whose links still wait, and from whose queue no later night read.
const CanGoOn = `(crawls.early = 1 AND crawls.status = 'ended'
	AND NOT EXISTS (SELECT 1 FROM crawls q WHERE q.id = crawls.queue AND ` + over + `)
	AND EXISTS (SELECT 1 FROM frontier WHERE crawl_id = crawls.queue AND status = 'queued')
	AND NOT EXISTS (SELECT 1 FROM crawls later WHERE later.queue = crawls.queue AND later.id > crawls.id))`

// GoOn lets a crawl wait for its next turn that ended since the next pages promised too little. It then goes on until the
// budget with which it began is used, whatever it promises and whether its night is over or not. The error is ErrCannotGoOn
// for any other crawl, and once the topic has a newer one.
func GoOn(ctx context.Context, d *db.DB, id int64) error {
	err := d.Must(ctx, ErrCannotGoOn, `UPDATE crawls SET status = 'waiting', stop_reason = '', ended_at = NULL, early = 0,
		options = json_set(options, '$.gone_on', json('true'), '$.stop_below', 0)
		WHERE id = ?1 AND `+CanGoOn, id)
	if err != nil && !errors.Is(err, ErrCannotGoOn) {
		err = fmt.Errorf("let crawl %d go on: %w", id, err)
	}
	return err
}
