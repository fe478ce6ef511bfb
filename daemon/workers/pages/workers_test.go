package pages

import (
	"context"
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
	if w.Code != 200 || file != "worker: attic-pc\nkey: SUA</textarea>\n" || !slices.Equal(f.Workers.Ordered, []string{"invite attic-pc"}) {
		t.Fatalf("%d, file %q, orders %q", w.Code, file, f.Workers.Ordered)
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
	f.WithWorkers(t)
	if w := f.Post("/settings/workers/invite", url.Values{"name": {"attic-pc"}}); w.Code != 422 || !strings.Contains(webtest.Text(webtest.Tree(t, w).Find("#workers ~ form .problem, form[action$=invite] .problem")), "choose another one") {
		t.Errorf("a name that is taken: %d", w.Code)
	}
}

func TestWorkersOnCrawls(t *testing.T) {
	f := newFixture(t)
	f.WithWorkers(t)
	d := f.Page(t, "/crawls")
	rows := d.Find("#workers tbody tr")
	if rows.Length() != len(f.Workers.Status.Workers) {
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
	f.WithWorkers(t)
	f.Workers.Status = work.Status{Here: true}
	says := func(want string) {
		t.Helper()
		if got := webtest.Text(f.Page(t, "/crawls").Find("#workers")); !strings.Contains(got, want) {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	says("so this machine fetches")
	says("No worker is invited. A worker is Nightjar on another machine")
	f.Workers.Status.Here = false
	says("so crawls wait for one")
	f.Workers.Broker.On = false
	says("Workers are being switched on.")
	f.Workers.Broker.Problem = "another program listens on 0.0.0.0:4775; stop it"
	says("Another program listens on 0.0.0.0:4775; stop it.")
}

func TestOrdersToWorkers(t *testing.T) {
	f := newFixture(t)
	f.WithWorkers(t)
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
	if !slices.Equal(f.Workers.Ordered, want) {
		t.Errorf("orders are %q, want %q", f.Workers.Ordered, want)
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

// TestInviteToACluster: a worker of a cluster has no file to save; the page says what to do there.
func TestInviteToACluster(t *testing.T) {
	f := newFixture(t)
	f.Workers.Broker = work.BrokerStatus{On: true, External: true}
	d := webtest.Tree(t, f.Post("/settings/workers/invite", url.Values{"name": {"attic-pc"}}))
	if got := webtest.Text(d.Find("main")); !strings.Contains(got, "comes from your cluster") || d.Find(`form[action$="/file"]`).Length() != 0 || !strings.Contains(d.Find("pre").Text(), "attic-pc") {
		t.Errorf("the page says %q", got)
	}
}

// Open pages hear of a change about workers within two seconds, and nothing while nothing changes.
func TestWatchWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &webtest.Workers{Broker: work.BrokerStatus{On: true}, Status: webtest.SomeWorkers(time.Now())}
		bus := &notify.Bus{}
		p := Pages{Leases: webtest.Leases{Of: f}, Broker: webtest.Broker{Of: f}, Bus: bus}
		news, end := bus.Listen()
		defer end()
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Watch(ctx) }()
		time.Sleep(time.Minute)
		if len(news) != 0 {
			t.Errorf("%d pieces of news, and nothing changed", len(news))
		}
		f.Mu.Lock()
		f.Status.Workers[0].Pages++
		f.Mu.Unlock()
		time.Sleep(2 * every)
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
