package scheduler

import (
	"context"
	"fmt"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// renderedPages returns how many pages the crawls of a night rendered.
func renderedPages(ctx context.Context, d *db.DB, night string) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM fetches JOIN crawls ON crawls.id = crawl_id
		WHERE night = ? AND rendered = 1`, night).Scan(&n)
	return n, db.Wrap(err, "count rendered pages of %s", night)
}

// SetPaused stores why a crawl that has not ended waits, for people, or "" when it continues.
func SetPaused(ctx context.Context, d *db.DB, crawlID int64, why string) error {
	err := d.Exec(ctx, "UPDATE crawls SET paused = ? WHERE id = ? AND status <> 'ended'", why, crawlID)
	return db.Wrap(err, "store why crawl %d waits", crawlID)
}

// A page is stored under the address that was asked for, so that a start page that redirects is found, too. The newest
// content of the topic's crawls comes before the person's snapshots: crawls see what everyone sees.
const (
	fetchedPage = `SELECT final_url, gzip FROM fetches JOIN contents ON hash = content_hash
		WHERE crawl_id IN (SELECT id FROM crawls WHERE topic_id IN ` + topics.WithMembers + `) AND url = ?2 ORDER BY fetches.id DESC LIMIT 1`
	visitedPage = `SELECT url, gzip FROM pages JOIN contents ON hash = content_hash
		WHERE pages.id IN (SELECT id FROM pages WHERE url = ?1
			UNION ALL SELECT page_id FROM visits WHERE requested = ?1 AND requested <> '')
		ORDER BY pages.url = ?1 DESC, pages.id DESC LIMIT 1`
)

// storedPage returns the HTML that is stored of a page, and its final address: of the last time a crawl of the topic or of
// its members fetched it, otherwise of the person's last visit. It returns ErrNotFound when nothing is stored.
func storedPage(ctx context.Context, d *db.DB, topicID int64, url string) (final string, html []byte, err error) {
	type page struct {
		url    string
		Packed []byte
	}
	scan := func(row db.Scanner) (page, error) {
		var p page
		return p, row.Scan(&p.url, &p.Packed)
	}
	all, err := db.Query(ctx, d.Readers, scan, fetchedPage, topicID, url)
	if err == nil && len(all) == 0 {
		all, err = db.Query(ctx, d.Readers, scan, visitedPage, url)
	}
	if err == nil && len(all) == 0 {
		err = db.ErrNotFound
	}
	if err == nil {
		html, err = store.Unpack(all[0].Packed)
	}
	if err != nil {
		return "", nil, fmt.Errorf("read the stored page of topic %d: %w", topicID, err)
	}
	return all[0].url, html, nil
}
