package web

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
)

// Finds, the way to them, the latest pages and the hosts of a crawl name the worker that fetched, and the files for programs do.
func TestPagesNameTheWorker(t *testing.T) {
	s := seed(t)
	id := s.Count(t, `SELECT max(id) FROM finds`)
	find, crawl := fmt.Sprintf("/finds/%d", id), fmt.Sprintf("/crawls/%d", s.Crawl)
	for _, path := range []string{"/?state=all", find, crawl} {
		if got := webtest.Text(s.Page(t, path).Find("main")); strings.Contains(got, "fetched by") {
			t.Errorf("%s names a worker, and there is none", path)
		}
	}
	if got := webtest.Text(s.Page(t, crawl+"/hosts").Find("#ledger")); strings.Contains(got, "sent by") {
		t.Error("the ledger names a worker, and there is none")
	}
	s.Exec(t, `UPDATE fetches SET worker = 'attic-pc' WHERE id = (SELECT fetch_id FROM finds WHERE id = ?)`, id)
	s.Exec(t, `UPDATE fetches SET worker = 'cellar' WHERE parent_id IS NULL OR n = (SELECT max(n) FROM fetches)`)
	s.Exec(t, `DELETE FROM contacts`)
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at, worker) VALUES
		(?1, 'a.example', 'page', 3, 0, 0, 1, 2, 'attic-pc'), (?1, 'a.example', 'page', 2, 2, 0, 1, 2, 'cellar'), (?1, 'a.example', 'robots', 1, 0, 0, 1, 2, ''),
		(?1, 'b.example', 'page', 1, 0, 0, 1, 2, 'cellar'), (?1, 'c.example', 'page', 1, 0, 0, 1, 2, '')`, s.Crawl)
	if got := webtest.Text(s.Page(t, find).Find(".find-about .meta")); !strings.Contains(got, "fetched by attic-pc") {
		t.Errorf("the details of the find: %s", got)
	}
	if got := webtest.Text(s.Page(t, find).Find("ol.way")); !strings.Contains(got, "fetched by cellar") || !strings.Contains(got, "fetched by attic-pc") {
		t.Errorf("the way to the find: %s", got)
	}
	if got := webtest.Text(s.Page(t, crawl).Find("[aria-labelledby=latest]")); !strings.Contains(got, "fetched by cellar") {
		t.Errorf("the latest pages: %s", got)
	}
	hosts := map[string]string{}
	s.Page(t, crawl+"/hosts").Find("#ledger tbody tr").Each(func(_ int, r *goquery.Selection) {
		hosts[webtest.Text(r.Find("th"))] = webtest.Text(r.Find("td").First())
	})
	want := map[string]string{"a.example": "5 pages, 1 robots.txt sent by attic-pc (3), cellar (2), this machine (1)", "b.example": "1 page sent by cellar", "c.example": "1 page"}
	if !maps.Equal(hosts, want) {
		t.Errorf("the ledger has %q, want %q", hosts, want)
	}
	if got := s.Get(crawl + "/hosts.csv").Body.String(); !strings.Contains(got, "\na.example,page,2,2,0,1970-01-01T00:00:00Z,1970-01-01T00:00:00Z,,cellar\n") {
		t.Errorf("the CSV of the ledger: %s", got)
	}
	if got := s.Get("/finds/export?format=csv&state=all").Body.String(); !strings.Contains(got, ",attic-pc\r\n") {
		t.Error("the CSV of the finds does not name the worker")
	}
	if got := s.Get("/finds/export?format=json&state=all").Body.String(); !strings.Contains(got, `"worker":"attic-pc"`) {
		t.Error("the JSON of the finds does not name the worker")
	}
}
