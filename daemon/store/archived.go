package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler"
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
	text := func(row scanner) (string, error) {
		var s string
		return s, row.Scan(&s)
	}
	only := map[string]bool{} // a host is no URL
	for _, asked := range []string{
		`SELECT f.url FROM (SELECT url, crawl_id FROM fetches UNION SELECT final_url, crawl_id FROM fetches) f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.url HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
		`SELECT f.host FROM contacts f
			JOIN crawls c ON c.id = f.crawl_id GROUP BY f.host HAVING min(c.topic_id) = ?1 AND max(c.topic_id) = ?1`,
	} {
		all, err := query(ctx, s.r, text, asked, topicID)
		if err != nil {
			return nil, fmt.Errorf("look for what only topic %d asked: %w", topicID, err)
		}
		for _, a := range all {
			only[a] = true
		}
	}
	return func(url string) bool { return only[url] || only[hostOf(url)] }, nil
}

// CrawlOf is a topic's newest crawl that fetched something; of the night, a local date as 2026-11-21, when one is named.
// ErrNotFound without any.
func (s *Store) CrawlOf(ctx context.Context, topicID int64, night string) (Crawl, error) {
	return found(scanCrawl(s.r.QueryRowContext(ctx, selectCrawl+`WHERE topic_id = ?1 AND (?2 = '' OR night = ?2) AND fetched > 0
		ORDER BY id DESC LIMIT 1`, topicID, night)))
}

// ArchiveFiles names the files that hold what a crawl fetched.
func (s *Store) ArchiveFiles(ctx context.Context, crawlID int64) ([]string, error) {
	return query(ctx, s.r, func(row scanner) (string, error) {
		var name string
		return name, row.Scan(&name)
	}, `SELECT DISTINCT archive_file FROM fetches WHERE crawl_id = ? AND archive_file <> '' ORDER BY 1`, crawlID)
}

// NightPage is a page that a crawl read.
type NightPage struct {
	URL      string // final, canonical
	At       time.Time
	Rendered bool   // its scripts were run
	Relevant bool   // as the model judged
	HTML     []byte // as it was read, UTF-8; nil when the database does not keep it
}

// NightPages gives each page that a crawl read, in order, until f fails.
func (s *Store) NightPages(ctx context.Context, crawlID int64, f func(NightPage) error) error {
	rows, err := s.r.QueryContext(ctx, `SELECT final_url, at, rendered, relevant, gzip
		FROM fetches LEFT JOIN contents ON hash = content_hash WHERE crawl_id = ? AND outcome = 'ok' ORDER BY n`, crawlID)
	if err != nil {
		return fmt.Errorf("list pages of crawl %d: %w", crawlID, err)
	}
	defer rows.Close()
	for rows.Next() {
		var p NightPage
		var at int64
		var packed []byte
		err := rows.Scan(&p.URL, &at, &p.Rendered, &p.Relevant, &packed)
		if err == nil && packed != nil {
			p.HTML, err = unpack(packed)
		}
		if err != nil {
			return fmt.Errorf("read pages of crawl %d: %w", crawlID, err)
		}
		p.At = time.UnixMilli(at)
		if err := f(p); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Word is what the person said of a find last.
type Word struct {
	URL  string
	Mark string // "useful" or "not-useful"
}

// Words lists what the person said of a topic's finds and, when it is a combined one, of its members'.
func (s *Store) Words(ctx context.Context, topicID int64) ([]Word, error) {
	return query(ctx, s.r, func(row scanner) (Word, error) {
		var w Word
		return w, row.Scan(&w.URL, &w.Mark)
	}, `SELECT DISTINCT url, mark FROM finds JOIN feedback ON feedback.id = (SELECT max(id) FROM feedback WHERE find_id = finds.id)
		WHERE topic_id IN `+parts+` AND mark <> 'none' ORDER BY url`, topicID)
}
