package web

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/work"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/lab/webtest"
)

const leaves = "Another machine sees the addresses fetched, and nothing else; the topic, the marks and the sessions stay here."

func TestWorkersAreOffAtFirst(t *testing.T) {
	f := newFixture(t)
	on := f.Page(t, "/settings")
	if _, checked := on.Find("input[name=workers_on]").Attr("checked"); checked {
		t.Error("workers are on in a new data folder")
	}
	if got := webtest.Text(on.Find("section[aria-labelledby=workers]")); !strings.Contains(got, leaves) {
		t.Errorf("the section does not say what leaves this machine: %s", got)
	}
	crawls := f.Page(t, "/crawls")
	if got := webtest.Text(crawls.Find("#workers")); !strings.Contains(got, "Only this machine fetches pages") || crawls.Find("#workers table").Length() != 0 {
		t.Errorf("Crawls says %q", got)
	}
	f.Leases, f.Broker = nil, nil
	if f.Page(t, "/crawls").Find("#workers").Length()+f.Page(t, "/settings").Find("#workers").Length() != 0 {
		t.Error("workers are offered where there can be none")
	}
	if w := f.Get("/workers/attic-pc/remove"); w.Code != 404 {
		t.Errorf("the page of a worker answers %d where there can be none", w.Code)
	}
}

func TestWorkersSettings(t *testing.T) {
	f := newFixture(t)
	form := url.Values{"workers_on": {"on"}, "workers_listen": {"192.168.1.5:9000"}, "workers_address": {"home.example.org"}, "workers_tls": {"/etc/tls"}, "workers_none": {"wait"}}
	to := f.MustPost(t, "/settings/workers", form)
	all, err := f.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := all.Workers
	if !got.Enabled || got.FetchHere || got.Listen != "192.168.1.5:9000" || got.Address != "home.example.org" || got.TLS != "/etc/tls" {
		t.Errorf("saved %+v", got)
	}
	d := f.Page(t, "/settings")
	for _, field := range []string{"workers_listen", "workers_address", "workers_tls"} {
		if v := d.Find("input[name="+field+"]").AttrOr("value", ""); v != form.Get(field) {
			t.Errorf("%s shows %q", field, v)
		}
	}
	if v := d.Find("input[name=workers_none][checked]").AttrOr("value", ""); v != "wait" {
		t.Errorf("while none is connected: %q", v)
	}
	undo := f.Page(t, to).Find(`form[action^="/changes/"]`).AttrOr("action", "")
	f.MustPost(t, undo, url.Values{})
	if all, _ = f.Store.Settings(t.Context()); all.Workers.Enabled {
		t.Error("switching workers on cannot be undone")
	}
	for _, field := range []string{"workers_listen", "workers_address", "workers_tls", "workers_broker", "workers_login"} {
		form := url.Values{"workers_on": {"on"}, field: {"a \"b\""}}
		w := f.Post("/settings/workers", form)
		d := webtest.Tree(t, w)
		if w.Code != 422 || d.Find("#"+field+"[aria-invalid=true]").AttrOr("value", "") != `a "b"` || webtest.Text(d.Find("#refused-problem")) == "" {
			t.Errorf("%s: %d, %q", field, w.Code, webtest.Text(d.Find("#refused-problem")))
		}
		if d.Find("details.more:has(#workers_broker)[open]").Length() == 0 == (field == "workers_broker" || field == "workers_login") {
			t.Errorf("%s: the part with the problem is closed, or the other one is open", field)
		}
	}
	if all, _ = f.Store.Settings(t.Context()); all.Workers.Enabled {
		t.Error("a refused form was saved")
	}
}

// An invitation is shown by the answer to the form, and the browser gets its file from that page.
func TestWorkerInvitation(t *testing.T) {
	f := newFixture(t)
	w := f.Post("/settings/workers/invite", url.Values{"name": {" attic-pc "}})
	d := webtest.Tree(t, w)
	file := d.Find("textarea[name=file]").Text()
	if w.Code != 200 || file != "worker: attic-pc\nkey: SUA</textarea>\n" || !slices.Equal(f.workers.ordered, []string{"invite attic-pc"}) {
		t.Fatalf("%d, file %q, orders %q", w.Code, file, f.workers.ordered)
	}
	if w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page may be kept: %q", w.Header().Get("Cache-Control"))
	}
	w = f.Post("/settings/workers/file", url.Values{"name": {"attic-pc"}, "file": {strings.ReplaceAll(file, "\n", "\r\n")}}) // as browsers send it
	if w.Code != 200 || w.Body.String() != file || w.Header().Get("Content-Disposition") != `attachment; filename="attic-pc.invitation"` {
		t.Errorf("the file: %d %q %v", w.Code, w.Body, w.Header())
	}
	for name, bad := range map[string]url.Values{
		"no file":  {"name": {"a"}},
		"a header": {"name": {"a\"\r\nX: y"}, "file": {"x"}},
		"large":    {"name": {"a"}, "file": {strings.Repeat("x", maxWorkerFile+1)}},
	} {
		if w := f.Post("/settings/workers/file", bad); w.Code != 422 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	f.withWorkers(t)
	if w := f.Post("/settings/workers/invite", url.Values{"name": {"attic-pc"}}); w.Code != 422 || !strings.Contains(webtest.Text(webtest.Tree(t, w).Find("#workers ~ form .problem, form[action$=invite] .problem")), "choose another one") {
		t.Errorf("a name that is taken: %d", w.Code)
	}
}

func TestWorkersOnCrawls(t *testing.T) {
	f := newFixture(t)
	f.withWorkers(t)
	d := f.Page(t, "/crawls")
	rows := d.Find("#workers tbody tr")
	if rows.Length() != len(f.workers.status.Workers) {
		t.Fatalf("%d rows", rows.Length())
	}
	row := func(name string) string {
		return webtest.Text(rows.FilterFunction(func(_ int, r *goquery.Selection) bool { return webtest.Text(r.Find("th > bdi")) == name }))
	}
	for name, says := range map[string][]string{
		"attic-pc": {"connected", "since today, 05:30, version 1.2", "12 345", "2.2", "Read 12 000, Error status 300, Timed out 45", "a.example, b.example:8080", "Pause", "Drain", "Remove"},
		"cellar": {"sick", "Dial tcp: no route to host.", "one at a time", "lost 7 tasks", "3 results that it could not hand over", "Of 40 pages that this machine fetched again to compare, 1 was different.",
			"reads them again", "22:00 to 06:00", "20 Mbit/s", "a.example, b.example, c.example, d.example and 2 more"},
		"old":     {"refused", "update Nightjar on that machine."},
		"new":     {"invited, not seen yet"},
		"paused":  {"paused", "Go on"},
		"drains":  {"draining"},
		"gone":    {"not connected", "last seen"},
		"revoked": {"revoked"},
	} {
		for _, s := range says {
			if !strings.Contains(row(name), s) {
				t.Errorf("%s lacks %q: %s", name, s, row(name))
			}
		}
	}
	for _, name := range []string{"gone", "new", "revoked", "old", "drains"} {
		if strings.Contains(row(name), "Pause") || strings.Contains(row(name), "Drain:") {
			t.Errorf("%s can be given orders: %s", name, row(name))
		}
	}
	if got := webtest.Text(d.Find("#workers > p")); got != "4 workers are connected. They get no pages now: The disk is nearly full. 5 pages are being fetched, 120 wait." {
		t.Errorf("it says %q", got)
	}
	if live := d.Find("#workers").AttrOr("data-live", ""); !slices.Contains(strings.Fields(live), "workers") {
		t.Errorf("the workers are not live: %q", live)
	}
}

// What the page says while no worker fetches depends on what the person chose, and on what is wrong.
func TestNoWorkerIsConnected(t *testing.T) {
	f := newFixture(t)
	f.withWorkers(t)
	f.workers.status = work.Status{Here: true}
	says := func(want string) {
		t.Helper()
		if got := webtest.Text(f.Page(t, "/crawls").Find("#workers")); !strings.Contains(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	says("so this machine fetches")
	says("No worker is invited. A worker is Nightjar on another machine")
	f.workers.status.Here = false
	says("so crawls wait for one")
	f.workers.broker.On = false
	says("Workers are being switched on.")
	f.workers.broker.Problem = "another program listens on 0.0.0.0:4775; stop it"
	says("Another program listens on 0.0.0.0:4775; stop it.")
}

func TestOrdersToWorkers(t *testing.T) {
	f := newFixture(t)
	f.withWorkers(t)
	for _, what := range []string{"pause", "go-on", "drain"} {
		if to := f.MustPost(t, "/workers/attic-pc/"+what, nil); !strings.HasPrefix(to, "/crawls?done=worker-") {
			t.Errorf("%s leads to %s", what, to)
		} else if path, _, _ := strings.Cut(to, "#"); !strings.Contains(webtest.Text(f.Page(t, path).Find(".notices")), "worker") {
			t.Errorf("after %s nothing is said", what)
		}
	}
	ask := f.Page(t, "/workers/attic-pc/remove")
	if got := webtest.Text(ask.Find("main")); !strings.Contains(got, "within 5 seconds") || !strings.Contains(got, "What it fetched stays") {
		t.Errorf("it asks: %s", got)
	}
	f.MustPost(t, ask.Find("main form").AttrOr("action", ""), nil)
	f.MustPost(t, "/workers/revoked/remove", nil)
	want := []string{"pause attic-pc", "go on attic-pc", "drain attic-pc", "have it drain attic-pc", "revoke attic-pc", "remove attic-pc", "remove revoked"}
	if !slices.Equal(f.workers.ordered, want) {
		t.Errorf("orders are %q, want %q", f.workers.ordered, want)
	}
	w := f.Post("/workers/gone/drain", nil)
	if got := webtest.Text(webtest.Tree(t, w).Find(".notices")); w.Code != 422 || !strings.Contains(got, "is not connected") {
		t.Errorf("draining a worker that is away: %d %s", w.Code, got)
	}
	for _, path := range []string{"/workers/attic-pc/pause", "/workers/nobody/drain", "/workers/%2e%2e/remove", "/workers/a%2Fb/remove"} {
		if w := f.Post(path, nil); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

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

// Open pages hear of a change about workers within two seconds, and nothing while nothing changes.
// TestInviteToACluster: a worker of a cluster has no file to save; the page says what to do there.
func TestInviteToACluster(t *testing.T) {
	f := newFixture(t)
	f.workers.broker = work.BrokerStatus{On: true, External: true}
	d := webtest.Tree(t, f.Post("/settings/workers/invite", url.Values{"name": {"attic-pc"}}))
	if got := webtest.Text(d.Find("main")); !strings.Contains(got, "comes from your cluster") || d.Find(`form[action$="/file"]`).Length() != 0 || !strings.Contains(d.Find("pre").Text(), "attic-pc") {
		t.Errorf("the page says %q", got)
	}
}

func TestWatchWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeWorkers{broker: work.BrokerStatus{On: true}, status: someWorkers(time.Now())}
		bus := &notify.Bus{}
		s := &Server{Deps: Deps{Leases: fakeLeases{f}, Broker: fakeBroker{f}, Bus: bus}}
		news, end := bus.Listen()
		defer end()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.WatchWorkers(ctx) }()
		time.Sleep(time.Minute)
		if len(news) != 0 {
			t.Errorf("%d pieces of news, and nothing changed", len(news))
		}
		f.mu.Lock()
		f.status.Workers[0].Pages++
		f.mu.Unlock()
		time.Sleep(2 * workersEvery)
		if len(news) != 1 {
			t.Fatalf("%d pieces of news of one change", len(news))
		}
		if n := <-news; n.Kind != "workers" {
			t.Errorf("the news is of %q", n.Kind)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
