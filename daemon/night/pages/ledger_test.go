package pages

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web/frame"
)

// hostNames lists the hosts of a ledger page in its order.
func hostNames(d *goquery.Document) (names []string) {
	d.Find("#ledger tbody th").Each(func(_ int, cell *goquery.Selection) { names = append(names, webtest.Text(cell)) })
	return names
}

func TestLedgerPage(t *testing.T) {
	s := seed(t)
	path := fmt.Sprintf("/crawls/%d/hosts", s.Crawl)
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at) VALUES (?, 'down.example', 'page', 3, 3, 0, 1, 2), (?, 'down.example', 'sitemap', 1, 0, 5, 1, 2)`, s.Crawl, s.Crawl)
	s.Exec(t, `INSERT INTO resting VALUES (?, 'down.example', 3, 'three failures in a row')`, s.Crawl)
	s.Exec(t, `INSERT INTO hosts (host, delay_ms, not_before, why) VALUES ('down.example', 7000, ?, 'asked')`, s.Clock.Add(time.Hour).UnixMilli())
	s.Exec(t, `INSERT INTO robots (origin, host, read_at, keep_ms, body) VALUES ('http://down.example', 'down.example', ?, 7200000, x'')`, s.Clock.UnixMilli())
	d := s.Page(t, path)
	all := hostNames(d)
	if want := s.Count(t, `SELECT count(DISTINCT host) FROM contacts`); len(all) != want || want < 3 {
		t.Fatalf("%d hosts, want %d", len(all), want)
	}
	facts := webtest.Text(d.Find(".facts"))
	for _, want := range []string{
		"Requests" + chart.Number(s.Count(t, `SELECT sum(requests) FROM contacts`)),
		"Failed3", "Received" + webtest.Loosened(frame.Bytes(int64(s.Count(t, `SELECT sum(bytes) FROM contacts`)))),
	} {
		if !strings.Contains(facts, want) {
			t.Errorf("totals %q lack %q", facts, want)
		}
	}
	down := webtest.Text(s.Page(t, path+"?q=Down.").Find("#ledger tbody tr"))
	if !strings.HasPrefix(down, "down.example3 pages, 1 sitemap435") || !strings.Contains(down, "Not contacted again in this crawl: three failures in a row") {
		t.Errorf("%q", down)
	}
	for _, want := range []string{"Asks for 7\u00a0s between two requests.", "Asked to be left alone, not contacted before ", "Robots.txt cached until "} {
		if !strings.Contains(down, webtest.Loosened(want)) {
			t.Errorf("%q lacks %q", down, want)
		}
	}
	s.Exec(t, `UPDATE robots SET outcome = 'network', reason = 'x'`)
	s.Exec(t, `UPDATE hosts SET not_before = 1, delay_ms = 0`)
	if got := webtest.Text(s.Page(t, path+"?q=down").Find("#ledger tbody tr")); !strings.Contains(got, "Robots.txt gives no answer, so no page is requested until ") ||
		strings.Contains(got, "left alone") || strings.Contains(got, "Asks for") {
		t.Errorf("%q", got)
	}
	why := "the robots.txt of down.example forbids the page in line 5. " + strings.Repeat("That line also counts for all. ", 10) + "The owner may not have meant that"
	s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, reason, at) VALUES (?, 9999, 'http://down.example/', 'http://down.example/', 'down.example', 'robots', ?, 1)`, s.Crawl, why)
	if got := webtest.Text(s.Page(t, path+"?q=down").Find("#ledger tbody tr")); !strings.Contains(got, why) {
		t.Errorf("%q does not explain how robots.txt is read", got)
	}
	if got := hostNames(s.Page(t, path+"?q=down")); len(got) != 1 {
		t.Errorf("filtered: %v", got)
	}
	if !strings.Contains(webtest.Text(s.Page(t, path+"?q=zzz").Find(".empty")), "No host name contains this text.") {
		t.Error("a filter that nothing passes is not explained")
	}
	if got := hostNames(s.Page(t, path+"?by=failed")); got[0] != "down.example" {
		t.Errorf("by failures: %v", got)
	}
	if got := hostNames(s.Page(t, path+"?by=host")); !slices.IsSorted(got) {
		t.Errorf("by name: %v", got)
	}
	if s.Get("/crawls/999/hosts").Code != http.StatusNotFound || s.Get("/crawls/999/hosts.csv").Code != http.StatusNotFound {
		t.Error("a crawl that is not there has a ledger")
	}
}

// The hosts of a long ledger are shown in parts, which keep the filter and the order.
func TestLedgerParts(t *testing.T) {
	s := seed(t)
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		SELECT ?, 'a&b' || printf('%04d', i) || '.example', 'page', 1, 0, i, 1, 2 FROM n`, s.Crawl)
	path := fmt.Sprintf("/crawls/%d/hosts", s.Crawl)
	d := s.Page(t, path+"?q=a%26b&by=host")
	if !strings.Contains(webtest.Text(d.Find("#ledger")), "the first 900 of 1 000 hosts") {
		t.Error("the page does not say that it lacks hosts")
	}
	var all []string
	nav := d.Find("#hosts a")
	nav.Each(func(i int, a *goquery.Selection) {
		if i > 1 && i < nav.Length()-1 {
			return
		}
		href := a.AttrOr("href", "")
		part := s.Page(t, path+href[:strings.IndexByte(href, '#')])
		names := hostNames(part)
		if len(names) != frame.RowsShown || webtest.Text(part.Find("#hosts [aria-current]")) != webtest.Text(a) {
			t.Errorf("%s shows %d hosts, marked %q", href, len(names), webtest.Text(part.Find("#hosts [aria-current]")))
		}
		all = append(all, names...)
	})
	if nav.Length() != 30 || len(all) != 3*frame.RowsShown || !slices.IsSorted(all) || all[0] != "a&b0001.example" || all[frame.RowsShown] != "a&b0031.example" || all[len(all)-1] != "a&b0900.example" {
		t.Errorf("%d parts, %d hosts", nav.Length(), len(all))
	}
	if s.Page(t, path+"?q=a%26b0001").Find("#hosts").Length() != 0 {
		t.Error("one host is shown in parts")
	}
}

// TestLedgerCSV: the file has a line for each host and purpose, and no formula, whatever the name of a host.
func TestLedgerCSV(t *testing.T) {
	s := seed(t)
	evil := []string{"=cmd|'/c calc'!A0", "+1", "-2+3", "@SUM(1)", "\tx", "\rx", `a"b,c`, "a\nb"}
	for i, host := range evil {
		s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at) VALUES (?, ?, 'page', 1, 0, ?, 1, 2)`, s.Crawl, host, i)
		s.Exec(t, `INSERT INTO resting VALUES (?, ?, 3, '=1')`, s.Crawl, host)
	}
	w := s.Get(fmt.Sprintf("/crawls/%d/hosts.csv", s.Crawl))
	if got := w.Header().Get("Content-Disposition"); got != fmt.Sprintf(`attachment; filename="nightjar-crawl-%d-hosts.csv"`, s.Crawl) {
		t.Error(got)
	}
	lines, err := csv.NewReader(w.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if want := s.Count(t, `SELECT count(*) FROM contacts`); len(lines) != want+1 {
		t.Errorf("%d lines, want %d", len(lines)-1, want)
	}
	seen := map[string]bool{}
	for _, line := range lines {
		seen[line[0]] = true
		for _, cell := range line {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
	for _, host := range []string{"'=cmd|'/c calc'!A0", "'@SUM(1)", `a"b,c`, "a\nb"} {
		if !seen[host] {
			t.Errorf("no line of %q", host)
		}
	}
}
