package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

const putEntry = `INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, depth, anchor, path, note)
	VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (crawl_id, url) DO UPDATE SET
		status = 'queued', seq = excluded.seq, priority = excluded.priority, parent_n = excluded.parent_n, depth = excluded.depth,
		anchor = excluded.anchor, path = excluded.path, note = excluded.note
	WHERE status `

const (
	setEntry  = putEntry + `<> 'done'`
	holdEntry = putEntry + `= 'dropped'`
)

// setEntries queues links, or updates those that are queued. A URL that is done stays done.
func setEntries(ctx context.Context, tx *sql.Tx, queue int64, entries []frontier.Entry) error {
	return putAs(ctx, tx, setEntry, queue, entries)
}

// insertEntry keeps a link that waits only in the store when that is better. The crawl numbers what it does not know.
const insertEntry = putEntry + `<> 'done' AND (status = 'dropped' OR seq = excluded.seq OR ` + rank + ` >
	~(coalesce(json_extract(excluded.priority, '$[0]'), 0) * 4294967296 + (coalesce(json_extract(excluded.priority, '$[1]'), 0) + 2147483648)))`

// putEntries is setEntries for links that a page holds: one that waits in the store, but not in memory, may be better there.
func putEntries(ctx context.Context, tx *sql.Tx, queue int64, entries []frontier.Entry) error {
	return putAs(ctx, tx, insertEntry, queue, entries)
}

const setLastSeq = `UPDATE crawls SET last_seq = ?2 WHERE id = ?1 AND last_seq < ?2`

func putAs(ctx context.Context, tx *sql.Tx, text string, queue int64, entries []frontier.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	var last int64
	for _, e := range entries {
		last = max(last, e.Seq)
		_, err := tx.ExecContext(ctx, text, queue, e.URL, db.JSONOf(e.Priority), e.Seq, e.Parent, e.Depth, e.Anchor, blob(e.Path), blob(e.Note))
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, setLastSeq, queue, last)
	return err
}

// blob returns bytes as they are stored: NULL for none.
func blob(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// putBack queues links again in their present form, whatever their status is.
func (j *Journal) putBack(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, e := range b.Back {
		n, err := db.Affected(tx.ExecContext(ctx, `UPDATE frontier SET attempts = ?, retries = ?
			WHERE crawl_id = ? AND url = ? AND status = 'queued'`, e.Attempts, e.Retries, j.queue, e.URL))
		if err != nil {
			return err
		}
		if n == 1 {
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE frontier SET status = 'dropped', attempts = ?, retries = ?
			WHERE crawl_id = ? AND url = ? AND status = 'done'`, e.Attempts, e.Retries, j.queue, e.URL); err != nil {
			return err
		}
		if err := setEntries(ctx, tx, j.queue, []frontier.Entry{e}); err != nil {
			return err
		}
	}
	return nil
}

const finishEntry = `INSERT INTO frontier (crawl_id, url, status, priority, seq) VALUES (?, ?, 'done', '[]', 0)
	ON CONFLICT (crawl_id, url) DO UPDATE SET status = 'done', priority = '[]', anchor = '', path = NULL, note = NULL`

// putDone marks URLs as done, even if they were not queued.
func putDone(ctx context.Context, tx *sql.Tx, queue int64, urls []string) error {
	for _, u := range urls {
		if _, err := tx.ExecContext(ctx, finishEntry, queue, u); err != nil {
			return err
		}
	}
	return nil
}

const dropEntry = `UPDATE frontier SET status = 'dropped', anchor = '', path = NULL, note = NULL
	WHERE crawl_id = ? AND url = ? AND status = 'queued'`

// Resume reads what a crawl needs to continue: its own totals, and what the crawls before it that opened the same queue left.
// Resume.Links and Resume.Stored read when they are called.
func Resume(ctx context.Context, d *db.DB, id int64) (*crawler.Resume, error) {
	tx, err := d.Readers.BeginTx(ctx, nil) // reads all tables in the same state
	if err != nil {
		return nil, fmt.Errorf("resume crawl %d: %w", id, err)
	}
	defer tx.Rollback()
	var queue int64
	var valued bool
	err = tx.QueryRowContext(ctx, `SELECT queue, valued FROM crawls WHERE id = ?`, id).Scan(&queue, &valued)
	if _, err = db.Found(0, err); err != nil {
		return nil, fmt.Errorf("resume crawl %d: %w", id, err)
	}
	r, err := resumeQueue(ctx, d, tx, queue, valued)
	if err != nil {
		return nil, fmt.Errorf("resume crawl %d: %w", id, err)
	}
	for _, read := range []resumer{readTotals, readCounts, readFailing, readPicks} {
		if err := read(ctx, tx, id, r); err != nil {
			return nil, fmt.Errorf("resume crawl %d: %w", id, err)
		}
	}
	return r, nil
}

// resumer reads a part of what a crawl needs to continue, by the id of the crawl or of the queue.
type resumer func(context.Context, db.Queryer, int64, *crawler.Resume) error

// resumeQueue reads what the crawls that opened a queue left. valued says that the strategies of the next crawl valued it.
func resumeQueue(ctx context.Context, d *db.DB, q db.Queryer, queue int64, valued bool) (*crawler.Resume, error) {
	r := &crawler.Resume{Outcomes: map[fetch.Outcome]int{}, Hosts: map[string]int{}}
	parts := []resumer{readLast, readHarvest}
	if valued {
		parts = append(parts, readDone, readSteps, readPast, readLearned)
	} else {
		parts = append(parts, readOnlyDone)
		r.Stored = func(ctx context.Context, after, most int) ([]crawler.Stored, error) {
			return stored(ctx, d, queue, after, most)
		}
	}
	for _, read := range parts {
		if err := read(ctx, q, queue, r); err != nil {
			return nil, err
		}
	}
	r.Links = func(ctx context.Context, f func(frontier.Entry)) error { return eachQueued(ctx, d, queue, f) }
	r.Best = func() crawler.Next { return best(ctx, d, queue) }
	r.Waiting = func() (n int, err error) {
		return n, d.Readers.QueryRowContext(context.WithoutCancel(ctx), countQueued, queue).Scan(&n)
	}
	return r, nil
}

func readTotals(ctx context.Context, q db.Queryer, id int64, r *crawler.Resume) error {
	var spent int64
	err := q.QueryRowContext(ctx, `SELECT fetched, relevant, bytes, spent_ms, strategy_errors, strategy_error,
		(SELECT count(*) FROM fetches WHERE crawl_id = crawls.id AND rendered = 1),
		(SELECT count(*) FROM fetches WHERE crawl_id = crawls.id AND look IS NOT NULL), coalesce((SELECT min(n) FROM fetches WHERE crawl_id = crawls.id) - 1, ?2)
		FROM crawls WHERE id = ?1`, id, r.LastN).
		Scan(&r.Totals.Fetched, &r.Totals.Relevant, &r.Totals.Bytes, &spent, &r.Totals.StrategyErrors, &r.Totals.StrategyError, &r.Rendered, &r.Looks, &r.Before)
	r.Totals.Spent = time.Duration(spent) * time.Millisecond
	return err
}

// readLast reads the last numbers of a queue, and the pages of budget that its crawls used.
func readLast(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) error {
	return q.QueryRowContext(ctx, `SELECT coalesce((SELECT max(n) FROM fetches WHERE `+ofQueue+`), 0),
		(SELECT last_seq FROM crawls WHERE id = ?1),
		(SELECT sum(fetched) FROM crawls WHERE queue = ?1)`, queue).Scan(&r.LastN, &r.LastSeq, &r.Fetched)
}

func readDone(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) (err error) {
	r.Done, err = db.Query(ctx, q, db.ScanText, `SELECT url FROM frontier WHERE crawl_id = ? AND status = 'done'`, queue)
	return err
}

// readOnlyDone reads the URLs that are done without an attempt that Stored brings as one: the ends of redirects, and links that were
// given up.
func readOnlyDone(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) (err error) {
	r.Done, err = db.Query(ctx, q, db.ScanText, `SELECT url FROM frontier WHERE crawl_id = ?1 AND status = 'done'
		AND url NOT IN (SELECT url FROM fetches WHERE `+ofQueue+` AND outcome <> 'canceled')`, queue)
	return err
}

const selectQueued = `SELECT url, attempts, retries, priority, seq, parent_n, depth, anchor, path, note FROM frontier `

// queuedAtOnce is how many links of a whole queue are read at once.
const queuedAtOnce = 2_000

// eachQueued calls f for each link that waits in a queue, by URL. No read is under way while f runs, which may write: SQLite could
// not tidy its log until the last link, and the commit after that would take seconds.
func eachQueued(ctx context.Context, d *db.DB, queue int64, f func(frontier.Entry)) error {
	paths := map[string][]byte{} // the links of one page share theirs
	after, some := "", []frontier.Entry(nil)
	for more := true; more; more = len(some) == queuedAtOnce {
		some = some[:0]
		err := eachWaiting(ctx, d, paths, func(e frontier.Entry) { some = append(some, e) },
			selectQueued+`NOT INDEXED WHERE crawl_id = ? AND status = 'queued' AND url > ? ORDER BY url LIMIT ?`, queue, after, queuedAtOnce)
		if err != nil {
			return fmt.Errorf("read links of queue %d: %w", queue, err)
		}
		for _, e := range some {
			f(e)
			after = e.URL
		}
	}
	return nil
}

func scanEntry(row db.Scanner, paths map[string][]byte) (e frontier.Entry, err error) {
	var path []byte
	err = row.Scan(&e.URL, &e.Attempts, &e.Retries, db.JSONOf(&e.Priority), &e.Seq, &e.Parent, &e.Depth, &e.Anchor, &path, &e.Note)
	e.Host = weburl.Host(e.URL)
	known, ok := paths[string(path)]
	if !ok {
		known = path
		paths[string(path)] = path
	}
	e.Path = known
	return e, err
}

func readSteps(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) (err error) {
	r.Steps, err = db.Query(ctx, q, func(row db.Scanner) (crawler.PastStep, error) {
		s, _, err := scanPast(row)
		return s, err
	}, `SELECT `+pastColumns+` FROM fetches f LEFT JOIN fetches p ON p.id = f.parent_id
		WHERE f.`+ofQueue+` AND (f.outcome IN ('ok', 'visited', 'listed') OR f.look IS NOT NULL AND f.http_status IN (404, 410)) ORDER BY f.n`, queue)
	if err != nil {
		return err
	}
	r.Texts, err = db.Query(ctx, q, db.ScanID, `SELECT DISTINCT text_hash FROM fetches WHERE `+ofQueue+` AND text_hash <> 0`, queue)
	return err
}

func readCounts(ctx context.Context, q db.Queryer, id int64, r *crawler.Resume) error {
	return db.Each(ctx, q, func(row db.Scanner) error {
		var o fetch.Outcome
		var host string
		var n, cost int
		err := row.Scan(&o, &host, &n, &cost)
		r.Outcomes[o] += n
		r.Hosts[host] += cost
		return err
	}, `SELECT outcome, host, count(*), sum(cost) FROM fetches WHERE crawl_id = ? AND outcome NOT IN ('visited', 'listed') GROUP BY outcome, host`, id)
}

// readPast reads the past of a queue for the trap guard.
func readPast(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) (err error) {
	r.Past, err = db.Query(ctx, q, func(row db.Scanner) (p trap.Past, err error) {
		var simhash int64
		err = row.Scan(&p.URL, &p.Parent, &p.Title, &simhash, &p.Credit, &p.Relevant, &p.Again)
		p.Simhash = uint64(simhash)
		return p, err
	}, `SELECT f.final_url, coalesce(p.final_url, ''), f.title, f.simhash, f.credit, f.relevant, f.look IS NOT NULL
		FROM fetches f LEFT JOIN fetches p ON p.id = f.parent_id WHERE f.`+ofQueue+` AND (f.cost > 0 OR f.outcome = 'visited')
			AND NOT (f.outcome = 'status' AND f.http_status IN (404, 410)) ORDER BY f.n`, queue)
	return err
}

// readHarvest reads what the last pages that came from a queue brought.
func readHarvest(ctx context.Context, q db.Queryer, queue int64, r *crawler.Resume) (err error) {
	r.Harvest, err = db.Query(ctx, q, func(row db.Scanner) (p promise.Page, err error) {
		return p, row.Scan(&p.N, &p.Brought, &p.Chance)
	}, `SELECT n, brought, coalesce(chance, -1) FROM fetches WHERE `+ofQueue+` AND cost > 0 AND look IS NULL ORDER BY n DESC LIMIT ?2`, queue, promise.Kept)
	slices.Reverse(r.Harvest)
	return err
}

// readPicks reads the picks of a crawl.
func readPicks(ctx context.Context, q db.Queryer, id int64, r *crawler.Resume) error {
	r.Picks = map[string]int{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var url string
		var n int
		err := row.Scan(&url, &n)
		r.Picks[url] = n
		return err
	}, `SELECT url, pick FROM frontier INDEXED BY frontier_picked
		WHERE crawl_id = (SELECT queue FROM crawls WHERE id = ?) AND pick <> 0 AND status = 'queued'`, id)
	if err != nil {
		return err
	}
	r.Picked, err = db.Query(ctx, q, func(row db.Scanner) (p strategy.PickCost, err error) {
		return p, row.Scan(&p.N, &p.Cost)
	}, `SELECT pick, cost FROM fetches WHERE crawl_id = ? AND pick <> 0 ORDER BY n`, id)
	return err
}
