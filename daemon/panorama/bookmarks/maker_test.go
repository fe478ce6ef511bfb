package bookmarks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// world is a web, a database and a maker that runs.
type world struct {
	*Maker
	t     *testing.T
	live  *fetch.Live
	pages map[string]string // by host and path; "-> host/path" redirects
	block chan struct{}     // pages wait for it, if it is not nil
	mu    sync.Mutex
	asked []string
	files [][]protocol.Event // that were imported
	end   func()
}

func (w *world) Borrow(context.Context) (fetch.Fetcher, func(), error) { return w.live, func() {}, nil }

func (w *world) Refusal(context.Context) (func(string) error, error) {
	return fetch.LiveOptions{}.Refusal(), nil
}

func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, r.Host+r.URL.Path)
	w.mu.Unlock()
	text, ok := w.pages[r.Host+r.URL.Path]
	if strings.HasSuffix(r.URL.Path, ".txt") {
		_, _ = io.WriteString(out, text)
		return
	}
	if w.block != nil {
		<-w.block
	}
	to, moved := strings.CutPrefix(text, "-> ")
	switch {
	case !ok:
		http.NotFound(out, r)
	case moved:
		http.Redirect(out, r, "http://"+to, http.StatusFound)
	default:
		out.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(out, text)
	}
}

func (w *world) Import(_ context.Context, file io.Reader) error {
	events, err := session.Read(file)
	w.files = append(w.files, events)
	return err
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, pages: map[string]string{}}
	web := httptest.NewServer(w)
	t.Cleanup(web.Close)
	resolve, err := fetch.ParseResolve("*.test=" + web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w.live = fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{resolve}, UserAgent: "Nightjar/test"})
	t.Cleanup(func() { w.live.Close() })
	st, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	settings, err := st.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.NeverRecord = []string{"bank.test"}
	if err := st.SaveSettings(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	w.run(st)
	return w
}

// run makes a maker, as a daemon does, and runs it.
func (w *world) run(st *store.Store) {
	w.t.Helper()
	var err error
	w.Maker, err = New(w.t.Context(), Deps{Store: st, Web: w, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler), Now: time.Now, Import: w.Import})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func(m *Maker) { _ = m.Run(ctx); close(done) }(w.Maker)
	w.end = func() { cancel(); <-done }
	w.t.Cleanup(w.end)
}

// wait returns the status when nothing is being made.
func (w *world) wait() Status {
	for w.Status().Running {
		time.Sleep(time.Millisecond)
	}
	return w.Status()
}

// choose makes choices of addresses; those that begin with "-" are not useful.
func choose(urls ...string) (all []Chosen) {
	for _, url := range urls {
		url, other := strings.CutPrefix(url, "-")
		all = append(all, Chosen{Link{URL: "http://" + url, Title: url}, !other})
	}
	return all
}

const owls = "birds.test/owls"

// TestSession: the session has each page once, the links between them, the marks, and pages around; and no page is asked for that
// must not be.
func TestSession(t *testing.T) {
	w := newWorld(t)
	w.pages[owls] = `<title>Owls</title><p>Owls <a href="/gulls">Gulls</a> <a href="/around">Around</a> <a href="http://bank.test/">Bank</a> <a href="/private/x">X</a>`
	w.pages["birds.test/gulls"] = "<title>Gulls</title><p>Gulls fly"
	w.pages["birds.test/around"] = `<title>Around</title><a href="/further">Further</a>`
	w.pages["birds.test/old"] = "-> birds.test/gulls"
	w.pages["birds.test/sly"] = "-> bank.test/"
	w.pages["cook.test/soup"] = "<title>Soup</title><p>Soup is hot"
	w.pages["cook.test/stew"] = "<title>Stew</title><p>Stew takes long"
	w.pages["cook.test/login"] = "<form><input type=password></form>"
	w.pages["robots.test/robots.txt"] = "User-agent: *\nDisallow: /"
	w.pages["robots.test/"], w.pages["bank.test/"] = "no", "money"
	chosen := choose(owls, "birds.test/old", "birds.test/gulls", "-cook.test/soup", "-cook.test/stew", "birds.test/lost", "birds.test/sly", "bank.test/", "robots.test/",
		"cook.test/login", "birds.test/paper.pdf", "birds.test/?token=redacted")
	if err := w.Start(t.Context(), " Birds ", chosen); err != nil {
		t.Fatal(err)
	}
	done := w.wait()
	if done.Problem != "" || done.Session == "" || done.Pages != 6 || done.Useful != 3 || done.Topic != "Birds" {
		t.Fatalf("%+v", done)
	}
	if bad := slices.ContainsFunc(w.asked, func(one string) bool {
		return strings.HasPrefix(one, "bank.test") || one == "robots.test/" || one == "birds.test/further" || strings.HasSuffix(one, ".pdf")
	}); bad {
		t.Errorf("asked for %v", w.asked)
	}
	if !strings.Contains(fmt.Sprint(done.Failed), "never-record list") || len(done.Failed) != 6 {
		t.Errorf("failed: %+v", done.Failed)
	}
	w.Keep(&List{})
	if err := w.Forget(t.Context()); err != nil || w.List() != nil || w.Status().Failed != nil || w.Status().Session != "" {
		t.Errorf("something is not forgotten: %+v, %v", w.Status(), err)
	}
	all, err := session.Fold(w.files[0])
	if err != nil || len(all) != 1 || len(w.files) != 1 {
		t.Fatal(err, len(all))
	}
	var got []string
	byLoad := map[string]string{}
	for _, v := range all[0].Visits {
		byLoad[v.Load] = v.Title
		got = append(got, fmt.Sprint(v.Title, " ", v.How, " ", byLoad[v.From], " ", v.Useful))
	}
	want := []string{"Owls bookmark  true", "Gulls link Owls true", "Around link Owls false", "Soup bookmark  false", "Stew bookmark  false", "birds.test/paper.pdf bookmark  true"}
	if !slices.Equal(got, want) {
		t.Errorf("visits %q, want %q", got, want)
	}
}

// TestTooLittle: what cannot be learned from is not stored, and says so.
func TestTooLittle(t *testing.T) {
	w := newWorld(t)
	w.pages[owls] = "<title>Owls</title>"
	if err := w.Start(t.Context(), "Birds", choose(owls)); err != nil {
		t.Fatal(err)
	}
	if done := w.wait(); done.Session != "" || !strings.Contains(done.Problem, "too little") || len(w.files) > 0 {
		t.Errorf("%+v", done)
	}
	for _, c := range []struct {
		topic  string
		chosen []Chosen
		want   error
	}{{" ", choose(owls), ErrTopic}, {"Birds", choose("-" + owls), ErrNoUseful}, {"Birds", choose(make([]string, MaxChosen+1)...), ErrTooMany}} {
		if err := w.Start(t.Context(), c.topic, c.chosen); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

// TestCutOff: of a session that is stopped, or whose daemon ends, nothing is stored; the next daemon says so until another one is
// made.
func TestCutOff(t *testing.T) {
	w := newWorld(t)
	w.block = make(chan struct{})
	w.pages[owls] = "<title>Owls</title>"
	if err := w.Start(t.Context(), "Birds", choose(owls)); err != nil {
		t.Fatal(err)
	}
	if err := w.Start(t.Context(), "Birds", choose(owls)); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one at once: %v", err)
	}
	for len(w.running.IDs()) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := w.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done := w.wait(); done.Problem != errStopped.Error() || len(w.files) > 0 {
		t.Errorf("%+v", done)
	}
	if err := w.Start(t.Context(), "Birds", choose(owls, "birds.test/gulls")); err != nil {
		t.Fatal(err)
	}
	w.end()
	close(w.block)
	w.run(w.Store)
	if done := w.Status(); done.Running || !strings.Contains(done.Problem, "2 bookmarks") || len(w.files) > 0 {
		t.Errorf("%+v", done)
	}
	if err := w.Start(t.Context(), "Birds", choose(owls)); err != nil {
		t.Fatal(err)
	}
	w.wait()
	w.run(w.Store)
	if done := w.Status(); done.Problem != "" {
		t.Errorf("%+v", done)
	}
}

// TestStates: the list says what is known and what is refused, and nothing is asked for.
func TestStates(t *testing.T) {
	w := newWorld(t)
	all, err := w.States(t.Context(), []Link{{URL: "http://" + owls}, {URL: "http://bank.test/"}, {URL: "http://192.168.1.1/"}, {URL: "http://birds.test/?token=redacted"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if s.Known != "" || (s.Refused == "") != (i == 0) {
			t.Errorf("%+v", s)
		}
	}
	if len(w.asked) > 0 {
		t.Errorf("asked for %v", w.asked)
	}
}

// slowWeb answers pages without links, after a pause, and counts how many hosts and pages are asked at the same time.
type slowWeb struct {
	mu                  sync.Mutex
	now                 map[string]int // requests to a host
	mostHosts, mostHere int
}

func (w *slowWeb) ReadyAt(string) time.Time { return time.Time{} }

func (w *slowWeb) Fetch(_ context.Context, url string) fetch.Response {
	host := weburl.Host(url)
	count := func(by int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.now[host] += by; w.now[host] == 0 {
			delete(w.now, host)
		}
		w.mostHosts, w.mostHere = max(w.mostHosts, len(w.now)), max(w.mostHere, w.now[host])
	}
	count(1)
	time.Sleep(2 * time.Second)
	count(-1)
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, ContentType: "text/html", Body: []byte("<p>" + url)}
}

// TestHostsAtOnce: pages of one host, which come one after the other, do not keep other hosts waiting.
func TestHostsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var chosen []Chosen
		for i := range 40 {
			host := "big.test"
			if i >= 20 {
				host = fmt.Sprintf("h%d.test", i%10)
			}
			chosen = append(chosen, Chosen{Link: Link{URL: fmt.Sprintf("http://%s/%d", host, i)}, Useful: true})
		}
		web := &slowWeb{now: map[string]int{}}
		g := Gatherer{Fetch: web, Refuse: func(string) string { return "" }, Note: func(Progress) {}, Now: time.Now}
		began := time.Now()
		pages, failed, err := g.Gather(t.Context(), chosen)
		if err != nil || len(failed) > 0 || len(pages) != len(chosen) || pages[39].URL != chosen[39].URL {
			t.Fatalf("%d pages, %v, %v", len(pages), failed, err)
		}
		if took := time.Since(began); took != 40*time.Second || web.mostHere != 1 || web.mostHosts != atOnce {
			t.Errorf("took %s; %d pages of a host and %d hosts at once", took, web.mostHere, web.mostHosts)
		}
	})
}
