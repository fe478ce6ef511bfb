package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"time"

	_ "modernc.org/sqlite" // the account is read without the store, which is part of what is looked at
)

// check is one promise and what was seen of it.
type check struct {
	What string
	Seen string
	Good bool
}

// account is what the database says after the night.
type account struct {
	Stopped  string // why, in the crawl's own words
	Status   string
	Fetched  int
	Relevant int
	Bytes    int64
	Spent    time.Duration
	Outcomes []counted1
	Fetches  []recorded
	Ledger   []contact
	Resting  int
	Queued   int
	Dropped  int
	Archived int
	Sound    string // what SQLite's integrity check says
}

type counted1 struct {
	Name string
	N    int
}

// recorded is a fetch as the database has it.
type recorded struct {
	At       time.Time
	URL      string
	Outcome  string
	Relevant bool
	Cost     int
}

// contact is a line of the ledger.
type contact struct {
	Host     string
	Purpose  string
	Requests int
	Failed   int
	Bytes    int64
}

// readAccount reads the only crawl of a database.
func readAccount(ctx context.Context, path string) (_ *account, err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	a := &account{}
	var spent int64
	err = db.QueryRowContext(ctx, `SELECT status, stop_reason, fetched, relevant, bytes, spent_ms,
		(SELECT count(*) FROM frontier WHERE status = 'queued'), (SELECT count(*) FROM frontier WHERE status = 'dropped'),
		(SELECT count(*) FROM resting), (SELECT count(*) FROM fetches WHERE archive_file <> ''),
		(SELECT group_concat(integrity_check) FROM pragma_integrity_check)
		FROM crawls ORDER BY id DESC LIMIT 1`).Scan(&a.Status, &a.Stopped, &a.Fetched, &a.Relevant, &a.Bytes, &spent,
		&a.Queued, &a.Dropped, &a.Resting, &a.Archived, &a.Sound)
	if err != nil {
		return nil, fmt.Errorf("read the crawl: %w", err)
	}
	a.Spent = time.Duration(spent) * time.Millisecond
	err = each(ctx, db, `SELECT outcome, count(*) FROM fetches GROUP BY outcome ORDER BY count(*) DESC`, func(rows *sql.Rows) error {
		var c counted1
		defer func() { a.Outcomes = append(a.Outcomes, c) }()
		return rows.Scan(&c.Name, &c.N)
	})
	if err != nil {
		return nil, err
	}
	err = each(ctx, db, `SELECT at, url, outcome, relevant, cost FROM fetches ORDER BY n`, func(rows *sql.Rows) error {
		var r recorded
		var at int64
		err := rows.Scan(&at, &r.URL, &r.Outcome, &r.Relevant, &r.Cost)
		r.At = time.UnixMilli(at)
		a.Fetches = append(a.Fetches, r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, each(ctx, db, `SELECT host, purpose, requests, failed, bytes FROM contacts`, func(rows *sql.Rows) error {
		var c contact
		err := rows.Scan(&c.Host, &c.Purpose, &c.Requests, &c.Failed, &c.Bytes)
		a.Ledger = append(a.Ledger, c)
		return err
	})
}

func each(ctx context.Context, db *sql.DB, query string, read func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read the night: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return fmt.Errorf("read the night: %w", err)
		}
	}
	return rows.Err()
}

// tooNear counts the pairs of requests to one host, lists those nearer to each other than the delay, and tells the smallest gap.
// A pair with the setting of a clock between is none.
func tooNear(all []request, delay time.Duration) (pairs int, bad [][2]request, least time.Duration) {
	byHost := map[string][]request{}
	for _, r := range all {
		byHost[r.Host] = append(byHost[r.Host], r)
	}
	least = time.Duration(1<<63 - 1)
	for _, list := range byHost {
		for i := 1; i < len(list); i++ {
			if list[i].Epoch != list[i-1].Epoch {
				continue
			}
			gap := list[i].At.Sub(list[i-1].At)
			if gap < 0 { // the clock was set back while the first was being answered
				continue
			}
			pairs++
			least = min(least, gap)
			if gap < delay {
				bad = append(bad, [2]request{list[i-1], list[i]})
			}
		}
	}
	return pairs, bad, least
}

// tooEarly lists the requests that came before a Retry-After was over. A host tells that by its clock: when that was set
// since it asked to be left alone, it does not know how long ago that was.
func tooEarly(all []request) (early []request) {
	asked := map[string]int{} // epoch in which a host asked to be left alone
	for _, r := range all {
		if epoch, ok := asked[r.Host]; ok && r.Early && r.Epoch == epoch {
			early = append(early, r)
		}
		if r.Status == http.StatusTooManyRequests && !r.Early {
			asked[r.Host] = r.Epoch
		}
	}
	return early
}

// again counts the pages by how often they were sent whole (status 200), robots.txt and the like apart.
func again(all []request, page func(request) bool) (times map[int]int, most int) {
	sent := map[string]int{}
	for _, r := range all {
		if r.Status == 200 && page(r) {
			sent[r.Host+r.Path]++
		}
	}
	times = map[int]int{}
	for _, n := range sent {
		times[n]++
		most = max(most, n)
	}
	return times, most
}

// within counts the requests in a span of the night.
func within(all []request, from, to time.Time, epoch int) int {
	n := 0
	for _, r := range all {
		if r.Epoch == epoch && r.At.After(from) && r.At.Before(to) {
			n++
		}
	}
	return n
}

// ledgerMisses holds the crawler's ledger against what the servers saw: requests that the ledger lacks, which are those
// that a kill cut off, and requests it has that no server saw, which are those that a fault kept from it.
func ledgerMisses(all []request, ledger []contact) (seen, told, lacking, unseen int) {
	have, want := map[string]int{}, map[string]int{}
	for _, r := range all {
		want[r.Host]++
		seen++
	}
	for _, c := range ledger {
		have[c.Host] += c.Requests
		told += c.Requests
	}
	for host, n := range want {
		lacking += max(0, n-have[host])
	}
	for host, n := range have {
		unseen += max(0, n-want[host])
	}
	return seen, told, lacking, unseen
}

// busiest is the ledger by host, most requests first.
func busiest(ledger []contact) []contact {
	sum := map[string]contact{}
	for _, c := range ledger {
		s := sum[c.Host]
		sum[c.Host] = contact{c.Host, "", s.Requests + c.Requests, s.Failed + c.Failed, s.Bytes + c.Bytes}
	}
	var list []contact
	for _, c := range sum {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b contact) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Host, b.Host))
	})
	return list
}

// readFrontier lists the addresses that the crawl knows of, and the hosts that it refuses links to.
func readFrontier(ctx context.Context, path string) (known, closed map[string]bool, err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	known, closed = map[string]bool{}, map[string]bool{}
	into := func(set map[string]bool) func(*sql.Rows) error {
		return func(rows *sql.Rows) error {
			var s string
			err := rows.Scan(&s)
			set[s] = true
			return err
		}
	}
	if err = each(ctx, db, "SELECT url FROM frontier", into(known)); err != nil {
		return nil, nil, err
	}
	err = each(ctx, db, `SELECT host FROM resting UNION SELECT host FROM fetches GROUP BY host HAVING sum(cost) >= 300`, into(closed))
	return known, closed, err
}
