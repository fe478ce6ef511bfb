package store

import (
	"context"
	"fmt"
)

// A page is stored under the address that was asked for, so that a start page that redirects is found, too. The newest
// content of the topic's crawls comes before the person's snapshots: crawls see what everyone sees.
const (
	fetchedPage = `SELECT final_url, gzip FROM fetches JOIN contents ON hash = content_hash
		WHERE crawl_id IN (SELECT id FROM crawls WHERE topic_id IN ` + parts + `) AND url = ?2 ORDER BY fetches.id DESC LIMIT 1`
	visitedPage = `SELECT url, gzip FROM pages JOIN contents ON hash = content_hash
		WHERE pages.id IN (SELECT id FROM pages WHERE url = ?1
			UNION ALL SELECT page_id FROM visits WHERE requested = ?1 AND requested <> '')
		ORDER BY pages.url = ?1 DESC, pages.id DESC LIMIT 1`
)

// StoredPage returns the HTML that is stored of a page, and its final address: of the last time a crawl of the topic or of
// its members fetched it, otherwise of the person's last visit. It returns ErrNotFound when nothing is stored.
func (s *Store) StoredPage(ctx context.Context, topicID int64, url string) (final string, html []byte, err error) {
	type page struct {
		url    string
		packed []byte
	}
	scan := func(row scanner) (page, error) {
		var p page
		return p, row.Scan(&p.url, &p.packed)
	}
	all, err := query(ctx, s.r, scan, fetchedPage, topicID, url)
	if err == nil && len(all) == 0 {
		all, err = query(ctx, s.r, scan, visitedPage, url)
	}
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err == nil {
		html, err = unpack(all[0].packed)
	}
	if err != nil {
		return "", nil, fmt.Errorf("read the stored page of topic %d: %w", topicID, err)
	}
	return all[0].url, html, nil
}
