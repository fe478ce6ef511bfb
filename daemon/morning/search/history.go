package search

import (
	"context"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// PageHistory says what the person and the crawls did at an address.
type PageHistory struct {
	URL      string // the page's own address
	Title    string
	Sessions []SessionVisits // the last one first, at most 20
	Visits   int             // in all sessions
	Fetches  []PageFetch     // by crawls, the last one first, at most 20
	FindID   int64           // 0 if it is no find
	Text     bool            // it has an entry in the index, so pages like it can be searched for
}

// Known reports whether anything was done at the address.
func (h PageHistory) Known() bool { return h.Visits > 0 || len(h.Fetches) > 0 }

// SessionVisits are the visits to a page in one session.
type SessionVisits struct {
	UUID, Topic string
	Visits      int
	First, Last time.Time
	Useful      bool // marked so in this session
}

// PageFetch is a request of a crawl for a page.
type PageFetch struct {
	CrawlID  int64
	Topic    string
	At       time.Time
	Outcome  string // crawler/fetch.Outcome
	URL      string // as it was requested, if that address led to another
	FinalURL string
	Relevant bool
}

// HistoryOf returns what is known of a canonical address, also when it is an alias that led to the page.
func HistoryOf(ctx context.Context, d *db.DB, url string) (PageHistory, error) {
	h := PageHistory{URL: url}
	r := d.Reads(ctx)
	r.Row(`SELECT p.url, p.title FROM pages p WHERE p.id = coalesce((SELECT id FROM pages WHERE url = ?1),
		(SELECT page_id FROM visits WHERE requested = ?1 AND requested <> '' LIMIT 1))`, url).Find(&h.URL, &h.Title)
	h.Fetches = db.List(r, db.Fields[PageFetch], `
		SELECT crawl_id, (SELECT t.name FROM crawls c JOIN topics t ON t.id = c.topic_id WHERE c.id = crawl_id), at, outcome, url, final_url, relevant
		FROM (SELECT * FROM fetches WHERE final_url = ?1 UNION ALL SELECT * FROM fetches WHERE url = ?1 AND url <> final_url) WHERE outcome NOT IN ('visited', 'listed')
		ORDER BY at DESC LIMIT 20`, url)
	if h.Title == "" {
		r.Row(`SELECT title FROM fetches WHERE final_url = ? ORDER BY id DESC LIMIT 1`, h.URL).Find(&h.Title)
	}
	h.Sessions = db.List(r, db.Fields[SessionVisits], `
		SELECT s.uuid, t.name, count(DISTINCT v.load), min(e.at), max(e.at),
		       EXISTS (SELECT 1 FROM marks m WHERE m.session_id = s.id AND m.page_id = p.id AND m.useful = 1)
		FROM pages p JOIN visits v ON v.page_id = p.id JOIN sessions s ON s.id = v.session_id JOIN topics t ON t.id = s.topic_id
		JOIN events e ON e.page = v.load
		WHERE p.url = ? GROUP BY s.id ORDER BY max(e.at) DESC LIMIT 20`, h.URL)
	r.Row(`SELECT (SELECT count(*) FROM pages p JOIN visits v ON v.page_id = p.id WHERE p.url = ?1),
		coalesce((SELECT max(id) FROM finds WHERE url = ?1), 0), EXISTS (SELECT 1 FROM search_entries WHERE url = ?1)`, h.URL).
		Read(&h.Visits, &h.FindID, &h.Text)
	return h, db.Wrap(r.Err, "read the history of a page")
}

// Entry returns what the index knows of a page, without Snippet and Rank, or ErrNotFound.
func Entry(ctx context.Context, d *db.DB, url string) (Hit, error) {
	h, err := scanHit(d.Readers.QueryRowContext(ctx, selectHit+`WHERE e.url = ?`, url))
	return h, db.Missing(err, "read search entry")
}

// Counts returns in how many pages each word occurs, at most Cap + 1, and the number of all pages, about.
func Counts(ctx context.Context, d *db.DB, all []string) (counts map[string]int, pages int, err error) {
	counts = make(map[string]int, len(all))
	for _, w := range all {
		if counts[w], err = countWord(ctx, d, inText+phrase([]string{w})); err != nil {
			return nil, 0, fmt.Errorf("count pages with a word: %w", err)
		}
	}
	if err := d.Readers.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM search_entries`).Scan(&pages); err != nil {
		return nil, 0, fmt.Errorf("count pages: %w", err)
	}
	return counts, pages, nil
}
