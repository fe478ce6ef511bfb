package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/weburl"
)

// Copy says what is kept of a page that a find stands for.
type Copy struct {
	FindID   int64
	URL      string // canonical, where the page was in the end
	Title    string
	At       time.Time     // of the fetch
	Rendered bool          // its scripts were run, so that what was sent is not what was read
	Place    crawler.Place // of the answer in the archive, the zero value without one
	HTML     []byte        // as it was read, UTF-8; nil when it is not kept in the database
}

// CopyOf finds what is kept of a find's page, or ErrNotFound when there is no such find.
func (s *Store) CopyOf(ctx context.Context, findID int64) (Copy, error) {
	c := Copy{FindID: findID}
	var at int64
	var packed []byte
	err := s.r.QueryRowContext(ctx, `
		SELECT fetches.final_url, finds.title, fetches.at, fetches.rendered, archive_file, archive_offset, gzip
		FROM finds JOIN fetches ON fetches.id = fetch_id LEFT JOIN contents ON hash = content_hash WHERE finds.id = ?`, findID).
		Scan(&c.URL, &c.Title, &at, &c.Rendered, &c.Place.File, &c.Place.Offset, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return c, ErrNotFound
	}
	if err == nil && packed != nil {
		c.HTML, err = unpack(packed)
	}
	if err != nil {
		return c, fmt.Errorf("look for the copy of find %d: %w", findID, err)
	}
	c.At = time.UnixMilli(at)
	return c, nil
}

// Moved notes that answers in a file of the archive have come to other places (bytes); those that to lacks are gone.
func (s *Store) Moved(ctx context.Context, file string, to map[int64]int64) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		type place struct{ id, offset int64 }
		all, err := query(ctx, tx, func(row scanner) (place, error) {
			var p place
			return p, row.Scan(&p.id, &p.offset)
		}, `SELECT id, archive_offset FROM fetches WHERE archive_file = ?`, file)
		if err != nil {
			return err
		}
		for _, p := range all {
			offset, ok := to[p.offset]
			name := file
			if !ok {
				name = ""
			}
			if ok && offset == p.offset {
				continue
			}
			if _, err := tx.ExecContext(ctx, `UPDATE fetches SET archive_file = ?, archive_offset = ? WHERE id = ?`, name, offset, p.id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note where archived pages are: %w", err)
	}
	return nil
}

// OnlyOf tells which addresses only the crawls of one topic have asked: pages that no other's fetched, and everything of
// hosts that no other's contacted.
func (s *Store) OnlyOf(ctx context.Context, topicID int64) (func(url string) bool, error) {
	only := map[string]bool{} // a host is no URL
	for _, asked := range []string{
		`SELECT f.url FROM (SELECT url, crawl_id FROM fetches UNION SELECT final_url, crawl_id FROM fetches) f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.url HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
		`SELECT f.host FROM contacts f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.host HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
	} {
		all, err := query(ctx, s.r, scanText, asked, topicID)
		if err != nil {
			return nil, fmt.Errorf("look for what only topic %d asked: %w", topicID, err)
		}
		for _, a := range all {
			only[a] = true
		}
	}
	return func(url string) bool { return only[url] || only[weburl.Host(url)] }, nil
}
