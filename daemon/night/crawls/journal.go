package crawls

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Journal makes one crawl durable; it is the daemon's crawler.Journal. Each call is one transaction, durable when it
// returns.
type Journal struct {
	d       *db.DB
	crawlID int64
	queue   int64 // of the crawl
	topicID int64
	forMap  bool               // see Options.ForMap
	links   []string           // see Options.Links
	Hosts   *HostMemory        // one of its own unless it is set
	OnFind  func(findID int64) // called for each new find after its commit; may be nil
	OnTasks func(ids []string) // called after the commit that used up results of tasks; may be nil
}

// NewJournal returns the journal of a crawl.
func NewJournal(d *db.DB, c Crawl) *Journal {
	return &Journal{d: d, Hosts: NewHostMemory(d), crawlID: c.ID, queue: cmp.Or(c.Queue, c.ID), topicID: c.TopicID, forMap: c.Options.ForMap, links: c.Options.Links}
}

// Commit stores what happened in a crawl since the last commit. Of a crawl that has ended or was deleted it stores nothing; the
// error is ErrEnded or ErrNotFound. Since no fetch starts before its commit, such a crawl sends no request either.
func (j *Journal) Commit(ctx context.Context, b *crawler.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// A commit is short, and with a context that can end, each statement would start a goroutine.
	ctx = context.WithoutCancel(ctx)
	contents, err := pack(b.Fetches)
	if err != nil {
		return err
	}
	failpoint.Here("store.journal.packed")
	var finds []int64
	var opened []string
	err = j.Hosts.commit(ctx, j.d.WriteSmall, func(tx *sql.Tx) (err error) {
		if err := mustBeOpen(ctx, tx, j.crawlID); err != nil {
			return err
		}
		if finds, err = j.putFetches(ctx, tx, b, contents); err != nil {
			return err
		}
		again, err := j.putReread(ctx, tx, b.Reread)
		if err != nil {
			return err
		}
		finds = append(finds, again...)
		for _, put := range []func(context.Context, *sql.Tx, *crawler.Batch) error{
			j.undo, j.putBack, j.putDropped, j.putHeld, j.putContacts, j.putFailing, j.putBegun, j.putTotals, j.putTasks,
		} {
			if err := put(ctx, tx, b); err != nil {
				return err
			}
		}
		opened, err = j.Hosts.openBegun(ctx, tx, b)
		return err
	})
	if err != nil {
		return fmt.Errorf("store %d fetches of crawl %d: %w", len(b.Fetches), j.crawlID, err)
	}
	failpoint.Here("store.journal.committed")
	j.Hosts.opened(opened)
	if j.OnTasks != nil && len(b.Tasks) > 0 {
		j.OnTasks(b.Tasks)
	}
	if j.OnFind != nil {
		for _, id := range finds {
			j.OnFind(id)
		}
	}
	return nil
}

// pack compresses the contents of fetched pages on all processors, unless they came compressed. It runs before the transaction, since other writers
// wait for that. The content of a fetch without a page is nil.
func pack(fetches []*crawler.Fetch) ([]*store.Content, error) {
	all := make([]*store.Content, len(fetches))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range fetches {
		if f.Page != nil {
			group.Go(func() (err error) {
				if f.Response.Packed != nil {
					all[i] = &store.Content{Hash: sha256.Sum256(f.Response.Body), Gzip: f.Response.Packed}
					return nil
				}
				all[i], err = store.Packed(f.Response.Body)
				return err
			})
		}
	}
	return all, group.Wait()
}

// putFetches stores finished attempts and what each changed, and returns the ids of new finds.
func (j *Journal) putFetches(ctx context.Context, tx *sql.Tx, b *crawler.Batch, contents []*store.Content) (finds []int64, err error) {
	var learned *crawler.Fetch
	for i, f := range b.Fetches {
		fetchID, err := j.putFetch(ctx, tx, f, contents[i])
		if err != nil {
			return nil, fmt.Errorf("fetch %d: %w", f.N, err)
		}
		if err := putDone(ctx, tx, j.queue, f.Done); err != nil {
			return nil, err
		}
		if err := putEntries(ctx, tx, j.queue, f.Queued); err != nil {
			return nil, err
		}
		if err := j.putLook(ctx, tx, f); err != nil {
			return nil, err
		}
		if f.Find() && !j.forMap && !slices.Contains(b.Undone, f.N) {
			id, err := j.putFind(ctx, tx, fetchID, f)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				finds = append(finds, id)
			}
		}
		if !slices.Contains(b.Undone, f.N) {
			id, err := j.putLinked(ctx, tx, fetchID, f)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				finds = append(finds, id)
			}
		}
		if f.Learned != nil {
			learned = f // a later state includes the earlier ones
		}
	}
	if learned == nil {
		return finds, nil
	}
	if err := putLearned(ctx, tx, j.crawlID, learned.Learned); err != nil {
		return nil, err
	}
	return finds, putLearnedAt(ctx, tx, j.crawlID, learned)
}

// putReread stores what reading stored pages again changed, and returns the ids of new finds.
func (j *Journal) putReread(ctx context.Context, tx *sql.Tx, r *crawler.Reread) (finds []int64, err error) {
	if r == nil {
		return nil, nil
	}
	if err := setEntries(ctx, tx, j.queue, r.Queued); err != nil {
		return nil, err
	}
	for _, f := range r.Finds {
		fetchID, err := db.Single[int64](ctx, tx, `SELECT f.id FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id WHERE c.queue = ? AND f.n = ?`, j.queue, f.N)
		if errors.Is(err, sql.ErrNoRows) { // erased meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		id, err := j.putFind(ctx, tx, fetchID, f)
		if err != nil {
			return nil, err
		}
		if id != 0 {
			finds = append(finds, id)
		}
	}
	if r.Learned != nil {
		if err := putLearned(ctx, tx, j.crawlID, r.Learned); err != nil {
			return nil, err
		}
	}
	if r.Whole {
		_, err = tx.ExecContext(ctx, `UPDATE crawls SET valued = 1 WHERE id = ?`, j.crawlID)
	}
	return finds, err
}

// undo takes back fetches in which something else answered in the page's place. The ledger keeps their requests.
func (j *Journal) undo(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, n := range b.Undone {
		if err := db.ExecAll(ctx, tx, []string{
			`DELETE FROM finds WHERE crawl_id = ?1 AND fetch_id IN (SELECT id FROM fetches WHERE crawl_id = ?1 AND n = ?2)`,
			`UPDATE fetches SET outcome = 'canceled', reason = 'something else answered in its place', cost = 0, relevant = 0,
				credit = 0, brought = 0, promised = NULL, text_hash = 0, simhash = 0, etag = '', last_modified = '' WHERE crawl_id = ?1 AND n = ?2`,
		}, j.crawlID, n); err != nil {
			return err
		}
	}
	return nil
}

// putDropped marks links that the crawl refused, and those of undone pages: another page's entry may have been there before.
func (j *Journal) putDropped(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, u := range b.Dropped {
		if _, err := tx.ExecContext(ctx, dropEntry, j.queue, u); err != nil {
			return err
		}
	}
	for _, e := range b.Unlinked {
		if _, err := tx.ExecContext(ctx, dropEntry+" AND parent_n = ?", j.queue, e.URL, e.Parent); err != nil {
			return err
		}
	}
	return nil
}

// putHeld queues links that a limit of this night keeps from being followed, except for those of undone pages. The first page that
// holds one counts.
func (j *Journal) putHeld(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, f := range b.Fetches {
		if slices.Contains(b.Undone, f.N) {
			continue
		}
		if err := putAs(ctx, tx, holdEntry, j.queue, f.Held); err != nil {
			return err
		}
	}
	return nil
}

const beginEntry = `UPDATE frontier SET attempts = attempts + 1 WHERE crawl_id = ? AND url = ? AND status = 'queued'`

const setPick = `UPDATE frontier SET pick = ? WHERE crawl_id = ? AND url = ?`

// putBegun stores that the fetches of queued URLs start, and their picks.
func (j *Journal) putBegun(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, url := range b.Begun {
		if n, err := db.Affected(tx.ExecContext(ctx, beginEntry, j.queue, url)); err != nil || n != 1 {
			return fmt.Errorf("the stored frontier lacks %s, which is to be fetched (%w)", url, db.ErrNotFound)
		}
	}
	for url, n := range b.Picks {
		if _, err := tx.ExecContext(ctx, setPick, n, j.queue, url); err != nil {
			return err
		}
	}
	return nil
}

const setTotals = `UPDATE crawls SET fetched = ?, relevant = ?, bytes = ?, spent_ms = ?, strategy_errors = ?, strategy_error = ? WHERE id = ?`

func (j *Journal) putTotals(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	if len(b.Fetches)+len(b.Back)+len(b.Undone) == 0 {
		return nil
	}
	t := b.Totals
	_, err := tx.ExecContext(ctx, setTotals, t.Fetched, t.Relevant, t.Bytes, t.Spent.Milliseconds(),
		t.StrategyErrors, t.StrategyError, j.crawlID)
	return err
}

const insertFetch = `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, reason, http_status, bytes, at, parent_id,
		depth, anchor, title, cluster, states, similarity, relevant, cost, text_hash, content_hash, useful, evidence, why,
		simhash, etag, last_modified, truncated, rendered, credit, archive_file, archive_offset, signs, chosen, chance, brought, promised, pick, worker, nofollow, links, look)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (SELECT f.id FROM crawls c CROSS JOIN fetches f ON f.crawl_id = c.id WHERE c.queue = ?40 AND f.n = ?11),
		?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24,
		?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?41, ?42, ?43)`

// putFetch stores one attempt; page is its content, or nil.
func (j *Journal) putFetch(ctx context.Context, tx *sql.Tx, f *crawler.Fetch, page *store.Content) (id int64, err error) {
	var hash []byte
	if page != nil {
		if hash, err = store.PutContent(ctx, tx, page); err != nil {
			return 0, err
		}
	}
	read := f.Judgement
	made, err := tx.ExecContext(ctx, insertFetch,
		j.crawlID, f.N, f.URL, f.FinalURL, weburl.Host(f.URL), string(f.Response.Outcome), f.Response.Reason, f.Response.Status,
		f.Response.Bytes, db.Millis(f.At), f.ParentN,
		f.Depth, f.Anchor, f.Title, read.Cluster, numbers(read.States), number(read.Similarity), f.Relevant, f.Cost, f.TextHash, hash,
		number(read.Useful), numbers(read.Evidence), reasons(read.Why),
		int64(f.Simhash), f.Response.ETag, f.Response.LastModified, f.Response.Truncated, f.Rendered,
		f.Credit, f.Place.File, f.Place.Offset, numbers(read.Signs), choice(f.Choice), chance(f.Chance), number(f.Brought), f.Promised, f.Pick, f.Worker,
		j.queue, f.Page != nil && f.Page.NoFollow, f.Links, news(f.Look))
	if err != nil {
		return 0, err
	}
	return made.LastInsertId() // what the triggers insert does not count
}

// chance returns a probability as it is stored: NULL when the strategy could not tell.
func chance(p float64) any {
	if p >= 0 {
		return p
	}
	return nil
}

// choice returns how a link was chosen as it is stored, "" when that is not known.
func choice(c *crawler.Choice) any {
	if c == nil {
		return ""
	}
	return db.JSONOf(c)
}

// numbers returns a list as it is stored.
func numbers(list []float64) db.JSON { return db.JSONOf(append([]float64{}, list...)) }

// number returns x, or 0 for NaN.
func number(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}
