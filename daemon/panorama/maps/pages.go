package maps

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
)

// Page is a page of a map.
type Page struct {
	Fetch       int64
	Community   int     // from 1; 0: the page has no telling words; -1: dropped
	Similarity  float64 // cosine with the centre of its community, in [0, 1]
	Probability float64 // calibrated P(c⁺|p), in [0, 1]; 0 without a classifier
}

// Finish stores a map's result and its pages, in place of those before, and that the map is done. The error is
// ErrChanged when it is not working, as when it was stopped meanwhile, and db.ErrErased when something was erased since Erasures was
// the given number, before the pages were read.
func Finish(ctx context.Context, d *db.DB, erasures, id int64, result []byte, pages []Page) error {
	c, err := store.Packed(result)
	if err == nil {
		err = d.Commit(ctx, func(w *db.Work) {
			w.Must(ErrChanged, `UPDATE maps SET result = ?, step = 'map', state = 'done', problem = '', ended_at = ?
				WHERE id = ? AND state = 'working'`, c.Gzip, db.Millis(d.Now()), id)
			w.Unerased(d, erasures)
			w.Exec(`DELETE FROM map_pages WHERE map_id = ?`, id)
			for _, p := range pages {
				w.Exec(`INSERT INTO map_pages (map_id, fetch_id, community, similarity, probability) VALUES (?, ?, ?, ?, ?)`,
					id, p.Fetch, p.Community, p.Similarity, p.Probability)
			}
		})
	}
	return db.Wrap(err, "store map %d", id)
}

// Result returns what Finish stored, or ErrNotFound when the map has no result.
func Result(ctx context.Context, d *db.DB, id int64) ([]byte, error) {
	text, err := db.Found(db.ScanBytes(d.Readers.QueryRowContext(ctx, `SELECT result FROM maps WHERE id = ? AND result IS NOT NULL`, id)))
	if err != nil {
		return nil, err
	}
	return store.Unpack(text)
}

// MappedPage is a page of a map with its address.
type MappedPage struct {
	Page
	URL   string // after redirects
	Title string
}

// PagesOf lists the pages of a map in the order in which they were fetched.
func PagesOf(ctx context.Context, d *db.DB, id int64) ([]MappedPage, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[MappedPage], `SELECT p.fetch_id, p.community, p.similarity, p.probability, f.final_url, f.title
		FROM map_pages p JOIN fetches f ON f.id = p.fetch_id WHERE p.map_id = ? ORDER BY f.n`, id)
	return all, db.Wrap(err, "list the pages of map %d", id)
}

// Finds returns the finds and marks that a topic has of a map's pages, by their fetch.
func Finds(ctx context.Context, d *db.DB, id, topic int64) (map[int64]finds.State, error) {
	all := map[int64]finds.State{}
	err := db.Each(ctx, d.Readers, func(row db.Scanner) error {
		var fetch int64
		var f finds.State
		err := row.Scan(&fetch, &f.ID, &f.URL, &f.Title, &f.Mark)
		all[fetch] = f
		return err
	}, `SELECT p.fetch_id, f.id, f.url, f.title, f.mark FROM map_pages p JOIN fetches ON fetches.id = p.fetch_id
		JOIN finds f ON f.topic_id = ?2 AND f.url = fetches.final_url AND f.asked = 0 WHERE p.map_id = ?1`, id, topic)
	return all, db.Wrap(err, "list the finds of map %d", id)
}

// MarkPage stores the person's mark on a page of a map, which becomes a find of the crawl's topic if it was not one. Its
// snippet is as given. The error is ErrNotFound when the map has no such page.
func MarkPage(ctx context.Context, d *db.DB, id, fetchID int64, snippet, mark string) (acted store.Acted, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		find := db.Value[int64](w, `INSERT INTO finds
				(topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, visited, refused)
			SELECT c.topic_id, f.crawl_id, f.id, f.final_url, f.title, ?3, f.similarity, ?4, f.useful,
				EXISTS (SELECT 1 FROM pages WHERE url = f.final_url), 0
			FROM map_pages p JOIN fetches f ON f.id = p.fetch_id JOIN crawls c ON c.id = f.crawl_id
			WHERE p.map_id = ?1 AND p.fetch_id = ?2
			ON CONFLICT (topic_id, url) DO UPDATE SET asked = 0 RETURNING id`, id, fetchID, snippet, db.Millis(d.Now()))
		acted = store.PutMarks(w, d.Now(), []int64{find}, mark)
	})
	return acted, db.Wrap(err, "mark a page of map %d", id)
}

// CrawledPage is a page that a crawl read.
type CrawledPage struct {
	Fetch    int64
	URL      string // as it was asked for
	Final    string // after redirects
	Title    string
	Copy     bool   // of an earlier page, or a page that stands for another
	TextHash int64  // copies have the same; 0 without text
	Hash     []byte // of its content; nil when it is not kept
}

// CrawledPages lists the pages that a crawl read, in the order in which they were fetched.
func CrawledPages(ctx context.Context, d *db.DB, crawl int64) ([]CrawledPage, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[CrawledPage], `SELECT id, url, final_url, title, credit = 0, text_hash, content_hash FROM fetches
		WHERE crawl_id = ? AND outcome = 'ok' ORDER BY n`, crawl)
	return all, db.Wrap(err, "list the pages of crawl %d", crawl)
}
