package night

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// check is one promise and what was measured.
type check struct {
	What string
	Seen string
	Good bool
}

// account is what the database holds after the night.
type account struct {
	Stopped  string // stop reason of the crawl
	Status   string
	Fetched  int
	Relevant int
	Bytes    int64
	Outcomes []outcome
	Fetches  []recorded
	Ledger   []contact
	Resting  int
	Queued   int
	Archived int
	Sound    string // result of SQLite's integrity check
}

// outcome counts the fetches with one outcome.
type outcome struct {
	Name string
	N    int
}

// recorded is a stored fetch.
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

func openDB(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(10000)")
}

// readAccount reads the only crawl of a database.
func readAccount(ctx context.Context, path string) (_ *account, err error) {
	db, err := openDB(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	a := &account{}
	err = db.QueryRowContext(ctx, `SELECT status, stop_reason, fetched, relevant, bytes,
		(SELECT count(*) FROM frontier WHERE status = 'queued'),
		(SELECT count(*) FROM resting), (SELECT count(*) FROM fetches WHERE archive_file <> ''),
		(SELECT group_concat(integrity_check) FROM pragma_integrity_check)
		FROM crawls ORDER BY id DESC LIMIT 1`).Scan(&a.Status, &a.Stopped, &a.Fetched, &a.Relevant, &a.Bytes,
		&a.Queued, &a.Resting, &a.Archived, &a.Sound)
	if err != nil {
		return nil, fmt.Errorf("read the crawl: %w", err)
	}
	err = each(ctx, db, `SELECT outcome, count(*) FROM fetches GROUP BY outcome ORDER BY count(*) DESC`, func(rows *sql.Rows) error {
		var o outcome
		err := rows.Scan(&o.Name, &o.N)
		a.Outcomes = append(a.Outcomes, o)
		return err
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

// tooNear counts the pairs of consecutive requests to one host, lists those closer than the delay, and returns the smallest
// gap. Requests before and after a clock was set are no pair.
func tooNear(all []request, delay time.Duration) (pairs int, bad [][2]request, least time.Duration) {
	last := map[string]request{} // by host
	least = time.Duration(1<<63 - 1)
	for _, r := range all {
		before, ok := last[r.Host]
		last[r.Host] = r
		gap := r.At.Sub(before.At)
		if !ok || r.Epoch != before.Epoch || gap < 0 { // below 0, the clock was set back during the first request
			continue
		}
		pairs++
		least = min(least, gap)
		if gap < delay {
			bad = append(bad, [2]request{before, r})
		}
	}
	return pairs, bad, least
}

// tooEarly lists the requests that came before a Retry-After had ended. Requests in a later epoch do not count: the clock was
// set in between, so the host does not know how much time passed.
func tooEarly(all []request) (early []request) {
	silent := map[string]int{} // epoch of a host's last Retry-After
	for _, r := range all {
		if epoch, ok := silent[r.Host]; ok && r.Early && r.Epoch == epoch {
			early = append(early, r)
		}
		if r.Status == http.StatusTooManyRequests && !r.Early {
			silent[r.Host] = r.Epoch
		}
	}
	return early
}

// repeats counts the pages by how often they were sent completely (status 200).
func repeats(all []request, page func(request) bool) (times map[int]int, most int) {
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

// within counts the requests in a period.
func within(all []request, from, to time.Time, epoch int) int {
	n := 0
	for _, r := range all {
		if r.Epoch == epoch && r.At.After(from) && r.At.Before(to) {
			n++
		}
	}
	return n
}

// compareLedger compares the crawler's ledger with what the servers saw. The ledger lacks requests that a kill interrupted;
// servers did not see requests that a fault kept from them.
func compareLedger(all []request, ledger []contact) (seen, listed, lacking, unseen int) {
	have, want := map[string]int{}, map[string]int{}
	for _, r := range all {
		want[r.Host]++
		seen++
	}
	for _, c := range ledger {
		have[c.Host] += c.Requests
		listed += c.Requests
	}
	for host, n := range want {
		lacking += max(0, n-have[host])
	}
	for host, n := range have {
		unseen += max(0, n-want[host])
	}
	return seen, listed, lacking, unseen
}

// sums sums up the lines of a ledger with the same key.
func sums(ledger []contact, key func(contact) string) []contact {
	sum := map[string]contact{}
	for _, c := range ledger {
		s := sum[key(c)]
		sum[key(c)] = contact{c.Host, c.Purpose, s.Requests + c.Requests, s.Failed + c.Failed, s.Bytes + c.Bytes}
	}
	return slices.Collect(maps.Values(sum))
}

// busiest sums up the ledger by host, most requests first.
func busiest(ledger []contact) []contact {
	return slices.SortedFunc(slices.Values(sums(ledger, func(c contact) string { return c.Host })), func(a, b contact) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Host, b.Host))
	})
}

// byPurpose sums up the ledger by purpose.
func byPurpose(ledger []contact) []contact {
	return slices.SortedFunc(slices.Values(sums(ledger, func(c contact) string { return c.Purpose })), func(a, b contact) int {
		return strings.Compare(a.Purpose, b.Purpose)
	})
}

// readFrontier returns the addresses in the frontier, and the hosts whose links are rejected.
func readFrontier(ctx context.Context, path string) (known, closed map[string]bool, err error) {
	db, err := openDB(path)
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
