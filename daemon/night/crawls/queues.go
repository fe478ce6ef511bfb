package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/db"
)

// ofQueue is true of rows of the crawls that opened a queue of links.
const ofQueue = `crawl_id IN (SELECT id FROM crawls WHERE queue = ?1)`

// openQueue returns the queue that a new crawl opens, 0 for one of its own, and whether its model and strategy valued the links in
// it. From then on, the topic cannot go back to a queue that it left.
func openQueue(ctx context.Context, tx *sql.Tx, c Crawl) (queue int64, valued bool, err error) {
	if !c.Lasting {
		return 0, true, nil
	}
	var present sql.NullInt64
	if err := tx.QueryRowContext(ctx, `UPDATE topics SET queue_before = NULL WHERE id = ? RETURNING queue`, c.TopicID).Scan(&present); err != nil {
		return 0, false, err
	}
	if queue = present.Int64; queue == 0 {
		return 0, true, nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE frontier INDEXED BY frontier_picked SET pick = 0 WHERE crawl_id = ? AND pick <> 0 AND status = 'queued'`, queue); err != nil {
		return 0, false, err // picks are numbered by night
	}
	err = tx.QueryRowContext(ctx, `SELECT valued = 1 AND model_id = ? AND strategy = ? AND coalesce(json_extract(options, '$.second'), '') = ?
		FROM crawls WHERE queue = ? ORDER BY id DESC LIMIT 1`, c.ModelID, c.Strategy, c.Options.Second, queue).Scan(&valued)
	return queue, valued, err
}

// putStarts adds start pages to a queue that lacks them.
func putStarts(ctx context.Context, tx *sql.Tx, queue int64, urls []string) error {
	entries := crawler.StartEntries(urls)
	var last int64
	if err := tx.QueryRowContext(ctx, `SELECT last_seq FROM crawls WHERE id = ?`, queue).Scan(&last); err != nil {
		return err
	}
	for i := range entries {
		entries[i].Seq += last
	}
	return putEntries(ctx, tx, queue, entries)
}

// StartAnew lets the topic's next night begin at the start pages, with nothing that earlier nights knew. GoBack undoes it until that
// night begins. It does nothing for a topic whose next night begins so in any case.
func StartAnew(ctx context.Context, d *db.DB, topicID int64) error {
	return setQueue(ctx, d, topicID, `UPDATE topics SET queue_before = queue, queue = NULL WHERE id = ? AND queue IS NOT NULL`)
}

// GoBack undoes StartAnew: the next night goes on where the last one stopped. It does nothing once a night has begun anew.
func GoBack(ctx context.Context, d *db.DB, topicID int64) error {
	return setQueue(ctx, d, topicID, `UPDATE topics SET queue = queue_before, queue_before = NULL WHERE id = ? AND queue IS NULL`)
}

func setQueue(ctx context.Context, d *db.DB, topicID int64, text string) error {
	err := d.Exec(ctx, text, topicID)
	return db.Wrap(err, "choose where the next night of topic %d begins", topicID)
}

// MostLinks bounds the counts of the links of a queue: to count a million takes a fifth of a second.
const MostLinks = 100_000

// TopicQueue is the queue with which a topic's next crawl starts.
type TopicQueue struct {
	Since   time.Time // the first crawl of the queue; zero before it has begun
	Read    int       // pages that its crawls read
	Waiting int       // links, at most MostLinks
	Anew    bool      // the person chose to start anew; the other fields are what GoBack brings back
}

// Many reports whether more links may wait than were counted.
func (t TopicQueue) Many() bool { return t.Waiting >= MostLinks }

// QueueOf returns the queue with which a topic's next crawl starts, the zero value if it begins at the start pages.
func QueueOf(ctx context.Context, d *db.DB, topicID int64) (t TopicQueue, err error) {
	err = d.Readers.QueryRowContext(ctx, `WITH t(anew, queue) AS (
			SELECT queue IS NULL AND queue_before IS NOT NULL, coalesce(queue, queue_before) FROM topics WHERE id = ?)
		SELECT anew, (SELECT min(started_at) FROM crawls WHERE queue = t.queue),
			(SELECT count(*) FROM crawls c JOIN fetches f ON f.crawl_id = c.id WHERE c.queue = t.queue AND f.outcome = 'ok' AND f.look IS NULL),
			(SELECT count(*) FROM (SELECT 1 FROM frontier WHERE crawl_id = t.queue AND status = 'queued' LIMIT ?2)) FROM t`, topicID, MostLinks).
		Scan(&t.Anew, db.TimeOf(&t.Since), &t.Read, &t.Waiting)
	return t, db.Missing(err, "read the queue of a topic")
}

// NextNight returns the queue that the topic's next night opens, as its last crawl left it, and that crawl. It is for looking, not
// for crawling: what the links are worth is what that crawl's model and strategy said. The error is ErrNotFound when the next night
// begins at the start pages.
func NextNight(ctx context.Context, d *db.DB, topicID int64) (r *crawler.Resume, last Crawl, err error) {
	tx, err := d.Readers.BeginTx(ctx, nil) // reads all tables in the same state
	if err != nil {
		return nil, last, fmt.Errorf("look at the next night of topic %d: %w", topicID, err)
	}
	defer tx.Rollback()
	last, err = db.Found(scanCrawl(tx.QueryRowContext(ctx, selectCrawl+`WHERE queue = (SELECT queue FROM topics WHERE id = ?)
		ORDER BY id DESC LIMIT 1`, topicID)))
	if err != nil {
		return nil, last, err
	}
	if r, err = resumeQueue(ctx, d, tx, last.Queue, true); err != nil {
		return nil, last, fmt.Errorf("look at the next night of topic %d: %w", topicID, err)
	}
	return r, last, nil
}
