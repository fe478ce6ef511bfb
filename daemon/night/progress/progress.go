// Package progress reads what a crawl did so far: its pages over time, by outcome and by host, and its requests.
package progress

import (
	"context"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
)

// CurvePoint has a crawl's sums after a number of fetches, for the curves of [HMM] fig. 9 and 10.
type CurvePoint struct {
	Fetched    int
	Relevant   int
	Similarity float64 // sum of the pages' largest cosines to a target
	Pages      int     // pages that were read and have a similarity
}

// Curve returns a crawl's sums at about that many points, the last one included.
func Curve(ctx context.Context, d *db.DB, crawlID int64, points int) ([]CurvePoint, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[CurvePoint], `
		WITH sums AS (
			SELECT row_number() OVER w AS k, sum(relevant) OVER w AS relevant,
			       sum(CASE WHEN outcome = 'ok' THEN similarity ELSE 0 END) OVER w AS similarity,
			       sum(outcome = 'ok') OVER w AS pages
			FROM fetches WHERE crawl_id = ?1 AND outcome NOT IN ('robots', 'canceled', 'visited', 'listed') WINDOW w AS (ORDER BY n)),
		size AS (SELECT count(*) AS total FROM sums)
		SELECT k, relevant, similarity, pages FROM sums, size
		WHERE k = total OR k % max(1, (total + ?2 - 1) / ?2) = 0 OR k = 1 ORDER BY k`, crawlID, points)
	return all, db.Wrap(err, "read curve of crawl %d", crawlID)
}

// OutcomeCount is the number of attempts with one outcome.
type OutcomeCount struct {
	Outcome string // crawler/fetch.Outcome, or Blank
	Status  int    // HTTP status, for outcome "status"
	Count   int
	Example string // for people: the reason of one of them
}

// Blank is the outcome of a page that was read, but is blank without JavaScript.
const Blank = "blank"

// Outcomes counts a crawl's attempts by outcome, most frequent first, without pages that the person had visited and lists of pages.
func Outcomes(ctx context.Context, d *db.DB, crawlID int64) ([]OutcomeCount, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[OutcomeCount], `SELECT iif(reason = ?2, ?3, outcome) AS outcome, CASE WHEN outcome = 'status' THEN http_status ELSE 0 END AS status, count(*) AS count, coalesce(max(reason) FILTER (WHERE outcome <> 'ok'), '')
	    FROM fetches WHERE crawl_id = ?1 AND outcome NOT IN ('visited', 'listed') GROUP BY 1, 2 ORDER BY count DESC, 1, status`, crawlID, fetch.BlankReason, Blank)
	return all, db.Wrap(err, "count outcomes of crawl %d", crawlID)
}

// HostPages is what became of the pages of one host in a crawl.
type HostPages struct {
	Relevant int
	Outcomes []OutcomeCount // most frequent first
}

// Hosts returns what became of a crawl's pages, by host.
func Hosts(ctx context.Context, d *db.DB, crawlID int64) (map[string]HostPages, error) {
	all := map[string]HostPages{}
	err := db.Each(ctx, d.Readers, func(row db.Scanner) error {
		var host string
		var p HostPages
		err := row.Scan(&host, &p.Relevant, db.JSONOf(&p.Outcomes))
		all[host] = p
		return err
	}, `
		WITH parts AS (
			SELECT host, outcome, count(*) AS requests, sum(relevant) AS relevant, coalesce(max(reason) FILTER (WHERE outcome <> 'ok'), '') AS reason
			FROM fetches WHERE crawl_id = ? AND outcome NOT IN ('visited', 'listed') GROUP BY host, outcome ORDER BY requests DESC)
		SELECT host, sum(relevant), json_group_array(json_object('Outcome', outcome, 'Count', requests, 'Example', reason))
		FROM parts GROUP BY host`, crawlID)
	return all, db.Wrap(err, "list hosts of crawl %d", crawlID)
}

// FetchLine is one attempt of a crawl.
type FetchLine struct {
	N          int
	URL        string
	Title      string
	Outcome    string
	Similarity float64
	Relevant   bool
	Worker     string // the machine that fetched it, "" for this one
	Look       bool   // it was read in an earlier night
	News       int    // links on it that were new
	At         time.Time
	Parent     int  // N of the attempt whose page has the link, 0 for none
	Depth      int  // links from the start page
	Free       bool // it cost no page of the budget, as a page that the person visited
}

// LastFetches lists a crawl's newest attempts.
func LastFetches(ctx context.Context, d *db.DB, crawlID int64, limit int) ([]FetchLine, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[FetchLine], `SELECT n, final_url, title, outcome, similarity, relevant, worker, look IS NOT NULL, coalesce(look, 0),
	    at, coalesce((SELECT n FROM fetches p WHERE p.id = f.parent_id), 0), depth, cost = 0
	    FROM fetches f WHERE crawl_id = ? ORDER BY n DESC LIMIT ?`, crawlID, limit)
	return all, db.Wrap(err, "list fetches of crawl %d", crawlID)
}

// Looks is what a crawl read beside new pages: pages again, pages that it did not fetch, since the person had visited them, and lists
// of the pages of hosts.
type Looks struct {
	Pages, News   int // looked at again, and those with new links on them
	Visited       int
	Lists, Listed int // lists, and the addresses in them
}

// LooksOf returns the looks of a crawl.
func LooksOf(ctx context.Context, d *db.DB, crawlID int64) (l Looks, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(look), coalesce(sum(look > 0), 0), count(*) FILTER (WHERE outcome = 'visited'),
			count(*) FILTER (WHERE outcome = 'listed'), coalesce(sum(links) FILTER (WHERE outcome = 'listed'), 0)
		FROM fetches WHERE crawl_id = ? AND (look IS NOT NULL OR outcome IN ('visited', 'listed'))`, crawlID).Scan(&l.Pages, &l.News, &l.Visited, &l.Lists, &l.Listed)
	return l, db.Missing(err, "count looks of a crawl")
}
