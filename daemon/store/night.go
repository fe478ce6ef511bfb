package store

import (
	"context"
	"fmt"
	"time"
)

// CrawlOf returns a topic's newest crawl that fetched something, or ErrNotFound. If night is not "", it must be a crawl
// of that night, a local date such as 2026-11-21.
func (s *Store) CrawlOf(ctx context.Context, topicID int64, night string) (Crawl, error) {
	return found(scanCrawl(s.r.QueryRowContext(ctx, selectCrawl+`WHERE topic_id = ?1 AND (?2 = '' OR night = ?2) AND fetched > 0
		ORDER BY id DESC LIMIT 1`, topicID, night)))
}

// ArchiveFiles lists the names of the archive files with a crawl's responses.
func (s *Store) ArchiveFiles(ctx context.Context, crawlID int64) ([]string, error) {
	return query(ctx, s.r, scanText, `SELECT DISTINCT archive_file FROM fetches WHERE crawl_id = ? AND archive_file <> '' ORDER BY 1`, crawlID)
}

// NightPage is a page that a crawl read.
type NightPage struct {
	URL      string // canonical, after redirects
	At       time.Time
	Rendered bool // its scripts were run
	Relevant bool
	HTML     []byte // UTF-8, as the crawler read it; nil when the database does not have it
}

// NightPages calls f for each page that a crawl read, in order, until f returns an error.
func (s *Store) NightPages(ctx context.Context, crawlID int64, f func(NightPage) error) error {
	return each(ctx, s.r, func(row scanner) error {
		var p NightPage
		var packed []byte
		err := row.Scan(&p.URL, timeOf{&p.At}, &p.Rendered, &p.Relevant, &packed)
		if err == nil && packed != nil {
			p.HTML, err = unpack(packed)
		}
		if err != nil {
			return fmt.Errorf("read pages of crawl %d: %w", crawlID, err)
		}
		return f(p)
	}, `SELECT final_url, at, rendered, relevant, gzip
		FROM fetches LEFT JOIN contents ON hash = content_hash WHERE crawl_id = ? AND outcome = 'ok' ORDER BY n`, crawlID)
}

// FindMark is the person's present mark on a find.
type FindMark struct {
	URL  string
	Mark string // MarkUseful or MarkNotUseful
}

// FindMarks lists the marks on the finds of a topic and of its members.
func (s *Store) FindMarks(ctx context.Context, topicID int64) ([]FindMark, error) {
	return query(ctx, s.r, func(row scanner) (FindMark, error) {
		var m FindMark
		return m, row.Scan(&m.URL, &m.Mark)
	}, `SELECT DISTINCT url, mark FROM finds WHERE topic_id IN `+parts+` AND mark IN ('useful', 'not-useful') ORDER BY url`, topicID)
}

// RenderedPages returns how many pages the crawls of a night rendered.
func (s *Store) RenderedPages(ctx context.Context, night string) (n int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM fetches JOIN crawls ON crawls.id = crawl_id
		WHERE night = ? AND rendered = 1`, night).Scan(&n)
	return n, wrap(err, "count rendered pages of %s", night)
}
