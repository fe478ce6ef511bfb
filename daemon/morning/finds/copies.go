package finds

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
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
func CopyOf(ctx context.Context, d *db.DB, findID int64) (Copy, error) {
	c := Copy{FindID: findID}
	var at int64
	var packed []byte
	err := d.Readers.QueryRowContext(ctx, `
		SELECT fetches.final_url, finds.title, fetches.at, fetches.rendered, archive_file, archive_offset, gzip
		FROM finds JOIN fetches ON fetches.id = fetch_id LEFT JOIN contents ON hash = content_hash WHERE finds.id = ?`, findID).
		Scan(&c.URL, &c.Title, &at, &c.Rendered, &c.Place.File, &c.Place.Offset, &packed)
	if err == nil && packed != nil {
		c.HTML, err = store.Unpack(packed)
	}
	c.At = time.UnixMilli(at)
	return c, db.Missing(err, fmt.Sprintf("read copy of find %d", findID))
}

// OnlyCrawledFor returns a function that reports whether only the crawls of one topic requested an address: no other
// crawl fetched the page, or no other crawl contacted its host.
func OnlyCrawledFor(ctx context.Context, d *db.DB, topicID int64) (func(url string) bool, error) {
	only := map[string]bool{} // URLs and hosts
	for _, requested := range []string{
		`SELECT f.url FROM (SELECT url, crawl_id FROM fetches UNION SELECT final_url, crawl_id FROM fetches) f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.url HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
		`SELECT f.host FROM contacts f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.host HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
	} {
		all, err := db.Query(ctx, d.Readers, db.ScanText, requested, topicID)
		if err != nil {
			return nil, fmt.Errorf("list addresses that only topic %d requested: %w", topicID, err)
		}
		for _, a := range all {
			only[a] = true
		}
	}
	return func(url string) bool { return only[url] || only[weburl.Host(url)] }, nil
}
