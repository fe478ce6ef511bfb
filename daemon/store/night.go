package store

import (
	"context"
	"fmt"
	"time"
)

// CrawlOf is a topic's newest crawl that fetched something; of the night, a local date as 2026-11-21, when one is named.
// ErrNotFound without any.
func (s *Store) CrawlOf(ctx context.Context, topicID int64, night string) (Crawl, error) {
	return found(scanCrawl(s.r.QueryRowContext(ctx, selectCrawl+`WHERE topic_id = ?1 AND (?2 = '' OR night = ?2) AND fetched > 0
		ORDER BY id DESC LIMIT 1`, topicID, night)))
}

// ArchiveFiles names the files that hold what a crawl fetched.
func (s *Store) ArchiveFiles(ctx context.Context, crawlID int64) ([]string, error) {
	return query(ctx, s.r, scanText, `SELECT DISTINCT archive_file FROM fetches WHERE crawl_id = ? AND archive_file <> '' ORDER BY 1`, crawlID)
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
