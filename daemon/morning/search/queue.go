package search

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
)

// Source is the data of a page when it is indexed.
type Source struct {
	QueueID int64
	URL     string
	Title   string
	Hash    []byte // of its content, nil if that is not stored
	At      time.Time
	Topics  []int64 // of its sessions and crawls, the last one first
	PageID  int64   // 0 if it was not visited
	FetchID int64   // 0 if no crawl fetched it
	FindID  int64   // 0 if it is no find
	Useful  bool    // the person marked it so
}

// Words are a page's words as words.Join returns them.
type Words struct {
	Source
	TitleWords, AddressWords, BodyWords string
}

// Queue returns at most limit pages that must be indexed, the newest first; none while an import takes effect, since its
// pages may not be found yet. A page of which nothing is known any more has no Title, Topics and ids.
func Queue(ctx context.Context, d *db.DB, limit int) ([]Source, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (e Source, err error) {
		return e, row.Scan(&e.QueueID, &e.URL)
	}, `SELECT id, url FROM search_queue WHERE NOT EXISTS (SELECT 1 FROM settings WHERE key = ?) ORDER BY id DESC LIMIT ?`, sessions.ImportKey, limit)
	for i := range all {
		if err == nil {
			err = fillSource(ctx, d, &all[i])
		}
	}
	return all, db.Wrap(err, "read what to index")
}

// fillSource reads the data of a page. A visit counts for more than a fetch.
func fillSource(ctx context.Context, d *db.DB, e *Source) error {
	var fetched, visited int64
	var fetchTitle string
	var fetchHash []byte
	err := d.Readers.QueryRowContext(ctx, `
		WITH last AS (SELECT id, title, content_hash, at FROM fetches WHERE final_url = ?1 AND outcome = 'ok' ORDER BY id DESC LIMIT 1),
		page AS (SELECT id, title, content_hash FROM pages WHERE url = ?1)
		SELECT coalesce((SELECT id FROM page), 0), coalesce((SELECT title FROM page), ''), (SELECT content_hash FROM page),
		       coalesce((SELECT max(e.at) FROM page JOIN visits v ON v.page_id = page.id JOIN events e ON e.page = v.load), 0),
		       coalesce((SELECT id FROM last), 0), coalesce((SELECT title FROM last), ''), (SELECT content_hash FROM last),
		       coalesce((SELECT at FROM last), 0), coalesce((SELECT max(id) FROM finds WHERE url = ?1 AND asked = 0 AND refused = 0), 0),
		       EXISTS (SELECT 1 FROM page JOIN marks m ON m.page_id = page.id WHERE m.useful = 1)
		       OR EXISTS (SELECT 1 FROM finds f JOIN feedback b ON b.id = (SELECT max(id) FROM feedback WHERE find_id = f.id)
		                  WHERE f.url = ?1 AND b.mark = 'useful'),
		       (SELECT json_group_array(topic_id) FROM (SELECT topic_id, max(at) FROM (
		            SELECT s.topic_id, s.started_at AS at FROM page JOIN visits v ON v.page_id = page.id JOIN sessions s ON s.id = v.session_id
		            UNION ALL
		            SELECT c.topic_id, f.at FROM fetches f JOIN crawls c ON c.id = f.crawl_id WHERE f.final_url = ?1 AND f.outcome = 'ok')
		        GROUP BY topic_id ORDER BY 2 DESC))`, e.URL).
		Scan(&e.PageID, &e.Title, &e.Hash, &visited, &e.FetchID, &fetchTitle, &fetchHash, &fetched, &e.FindID, &e.Useful, db.JSONOf(&e.Topics))
	if e.Title == "" {
		e.Title = fetchTitle
	}
	if e.Hash == nil {
		e.Hash = fetchHash
	}
	e.At = time.UnixMilli(max(visited, fetched)).UTC()
	return err
}

// Put stores the words of pages. It leaves out those that were queued again or erased since Queue returned
// them. A fetched page whose content was thrown away keeps the words that it had. A transaction ends early when events wait to be
// stored.
func Put(ctx context.Context, d *db.DB, all []Words) error {
	whole := context.WithoutCancel(ctx) // otherwise each statement starts a goroutine; the transaction ends with ctx
	for len(all) > 0 {
		var done int
		err := d.WriteDerived(ctx, func(tx *sql.Tx) error {
			return db.Within(whole, tx, func(w *db.Work) {
				for done = 0; done < len(all) && (done == 0 || !d.Hurry()); done++ {
					if e := all[done]; w.Change(`DELETE FROM search_queue WHERE id = ?`, e.QueueID) > 0 {
						putSearch(w, e)
					}
				}
			})
		})
		if err != nil {
			return fmt.Errorf("index %d pages: %w", len(all), err)
		}
		all = all[done:]
	}
	return nil
}

func putSearch(w *db.Work, e Words) {
	var id int64
	var hash []byte
	w.Row(`SELECT id, hash FROM search_entries WHERE url = ?`, e.URL).Find(&id, &hash)
	keep := id != 0 && e.Hash == nil && hash != nil && e.FetchID != 0
	if id != 0 && !keep {
		w.Exec(`DELETE FROM search_words WHERE rowid = ?`, id)
	}
	if e.PageID == 0 && e.FetchID == 0 {
		w.Exec(`DELETE FROM search_entries WHERE id = ?`, id)
		return
	}
	var topic int64
	if len(e.Topics) > 0 {
		topic = e.Topics[0]
	}
	if keep {
		e.Hash = hash
	}
	w.Row(`INSERT INTO search_entries (url, title, hash, at, topic_id, page_id, fetch_id, find_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET title = excluded.title, hash = excluded.hash, at = excluded.at,
		topic_id = excluded.topic_id, page_id = excluded.page_id, fetch_id = excluded.fetch_id, find_id = excluded.find_id
		RETURNING id`, e.URL, e.Title, e.Hash, db.Millis(e.At), topic, e.PageID, e.FetchID, e.FindID).Read(&id)
	if keep {
		return
	}
	w.Exec(`INSERT INTO search_words (rowid, title, address, body, tags) VALUES (?, ?, ?, ?, ?)`,
		id, e.TitleWords, e.AddressWords, e.BodyWords, e.tags())
}

// Waiting returns the number of pages that wait to be indexed, at most limit; about, when all are indexed anew.
func Waiting(ctx context.Context, d *db.DB, limit int) (int, error) {
	r := d.Reads(ctx)
	n := db.Value[int64](r, `SELECT count(*) FROM (SELECT 1 FROM search_queue LIMIT ?)`, limit) + readRenewal(r).Left
	return int(min(int64(limit), n)), db.Wrap(r.Err, "count what to index")
}
