package store

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// Copy is what Nightjar kept of a find's page.
type Copy struct {
	FindID   int64
	URL      string // canonical, after redirects
	Title    string
	At       time.Time     // of the fetch
	Rendered bool          // its scripts were run, so that HTML differs from what the server sent
	Place    crawler.Place // of the response in the archive, or the zero value
	HTML     []byte        // UTF-8, as the crawler read it; nil when the database does not have it
}

// CopyOf returns what was kept of a find's page, or ErrNotFound.
func (s *Store) CopyOf(ctx context.Context, findID int64) (Copy, error) {
	c := Copy{FindID: findID}
	var at int64
	var packed []byte
	err := s.Readers.QueryRowContext(ctx, `
		SELECT fetches.final_url, finds.title, fetches.at, fetches.rendered, archive_file, archive_offset, gzip
		FROM finds JOIN fetches ON fetches.id = fetch_id LEFT JOIN contents ON hash = content_hash WHERE finds.id = ?`, findID).
		Scan(&c.URL, &c.Title, &at, &c.Rendered, &c.Place.File, &c.Place.Offset, &packed)
	if err == nil && packed != nil {
		c.HTML, err = Unpack(packed)
	}
	c.At = time.UnixMilli(at)
	return c, db.Missing(err, fmt.Sprintf("read copy of find %d", findID))
}

// MoveArchived updates the offsets of responses in an archive file: to maps old offsets to new ones, in bytes.
// Responses without a new offset are no longer archived.
func (s *Store) MoveArchived(ctx context.Context, file string, to map[int64]int64) error {
	err := s.Commit(ctx, func(w *db.Work) {
		type place struct{ id, offset int64 }
		all := db.List(w, func(row db.Scanner) (place, error) {
			var p place
			return p, row.Scan(&p.id, &p.offset)
		}, `SELECT id, archive_offset FROM fetches WHERE archive_file = ?`, file)
		for _, p := range all {
			offset, ok := to[p.offset]
			name := file
			if !ok {
				name = ""
			}
			if ok && offset == p.offset {
				continue
			}
			w.Exec(`UPDATE fetches SET archive_file = ?, archive_offset = ? WHERE id = ?`, name, offset, p.id)
		}
	})
	return db.Wrap(err, "move archived pages of %s", file)
}

// OnlyCrawledFor returns a function that reports whether only the crawls of one topic requested an address: no other
// crawl fetched the page, or no other crawl contacted its host.
func (s *Store) OnlyCrawledFor(ctx context.Context, topicID int64) (func(url string) bool, error) {
	only := map[string]bool{} // URLs and hosts
	for _, requested := range []string{
		`SELECT f.url FROM (SELECT url, crawl_id FROM fetches UNION SELECT final_url, crawl_id FROM fetches) f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.url HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
		`SELECT f.host FROM contacts f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.host HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
	} {
		all, err := db.Query(ctx, s.Readers, db.ScanText, requested, topicID)
		if err != nil {
			return nil, fmt.Errorf("list addresses that only topic %d requested: %w", topicID, err)
		}
		for _, a := range all {
			only[a] = true
		}
	}
	return func(url string) bool { return only[url] || only[weburl.Host(url)] }, nil
}
