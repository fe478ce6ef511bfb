package communities

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/themes"
)

// world is a made-up web that is really served, and a store whose owner has read some of it.
type world struct {
	web  *demoweb.Web
	path string // of the database

	mu      sync.Mutex
	asked   map[string]int              // requests by address, without those for robots.txt
	extra   map[string]http.HandlerFunc // by address, in place of the web's own pages
	server  *httptest.Server
	visited []string // relevant pages that the person has read

	double func(*store.Store) Trainer // in place of the trainer; nil for the real one
}

// madeUp is the web of all worlds; nothing changes it.
var madeUp = sync.OnceValue(func() *demoweb.Web { return demoweb.Generate(7) })

// newWorld is a world in which the person has visited so many relevant pages, and others.
func newWorld(t *testing.T, relevant int) *world {
	t.Helper()
	w := &world{web: madeUp(), asked: map[string]int{}, extra: map[string]http.HandlerFunc{}}
	w.path = w.readPages(t, relevant)
	pages := w.web.Handler()
	w.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		url := "http://" + r.Host + r.URL.RequestURI()
		w.mu.Lock()
		extra := w.extra[url]
		if !strings.HasSuffix(url, "/robots.txt") {
			w.asked[url]++
		}
		w.mu.Unlock()
		if extra != nil {
			extra(out, r)
			return
		}
		pages.ServeHTTP(out, r)
	}))
	t.Cleanup(w.server.Close)
	return w
}

// on serves an address in the place of the web.
func (w *world) on(url string, h http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.extra[url] = h
}

// forbid is a robots.txt that forbids everything.
func forbid(out http.ResponseWriter, _ *http.Request) { fmt.Fprint(out, "User-agent: *\nDisallow: /") }

// requests returns how often an address was asked for.
func (w *world) requests() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := map[string]int{}
	for url, n := range w.asked {
		all[url] = n
	}
	return all
}

// html is a page of the web.
func (w *world) html(t *testing.T, url string) []byte {
	t.Helper()
	out := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, url, nil)
	w.web.Handler().ServeHTTP(out, r)
	if out.Code != http.StatusOK {
		t.Fatalf("%s: %d", url, out.Code)
	}
	return out.Body.Bytes()
}

func (w *world) title(t *testing.T, url string) string {
	t.Helper()
	p, err := page.Parse(url, page.ContentUTF8, w.html(t, url))
	if err != nil {
		t.Fatal(err)
	}
	return p.Title
}

// files are databases in which the person has visited so many relevant pages, with their search index.
var files = struct {
	sync.Mutex
	made map[int][]byte
}{made: map[int][]byte{}}

// readPages chooses the pages that the person has visited, and returns the path of a database that has them.
func (w *world) readPages(t *testing.T, relevant int) (path string) {
	t.Helper()
	bySite := map[string]int{}
	for _, url := range w.web.RelevantPages() {
		if len(w.visited) < relevant && bySite[weburl.Host(url)] < 6 {
			bySite[weburl.Host(url)]++
			w.visited = append(w.visited, url)
		}
	}
	if path = storetest.Path(t); relevant == 0 {
		return path
	}
	urls := slices.Clone(w.visited)
	for _, url := range w.web.Pages() {
		if !w.web.Relevant(url) && bySite[weburl.Host(url)] == 0 && len(urls) < relevant+40 {
			urls = append(urls, url)
		}
	}
	files.Lock()
	defer files.Unlock()
	if files.made[relevant] == nil {
		files.made[relevant] = w.fill(t, path, urls)
	}
	if err := os.WriteFile(path, files.made[relevant], 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// fill stores a session about other things in a database, brings its search index up to date, and returns its file.
func (w *world) fill(t *testing.T, path string, urls []string) []byte {
	t.Helper()
	st := must(store.Open(t.Context(), path))(t)
	w.visit(t, st, "Reading", urls, urls[len(urls)-3:])
	index := search.NewIndexer(st, slog.New(slog.DiscardHandler))
	for n := 1; n > 0; {
		n = must(index.Step(t.Context()))(t)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	return must(os.ReadFile(path))(t)
}

// visit stores a submitted session.
func (w *world) visit(t *testing.T, st *store.Store, topic string, urls, useful []string) {
	t.Helper()
	m := sessiontest.NewMaker(uint64(len(topic)), time.Date(2026, 11, 2, 20, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start(topic)}
	for _, url := range urls {
		visit := m.Visit(url, w.title(t, url), protocol.HowTyped, "")
		events = append(events, visit, m.Snapshot(visit.Page, w.html(t, url)))
		if slices.Contains(useful, url) {
			events = append(events, m.Of(protocol.Useful, visit.Page, ""))
		}
	}
	admitted, refused := session.AdmitAll(append(events, m.Event(protocol.Submit)))
	if in, err := sessions.Ingest(t.Context(), st, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v, refused %v %v", err, refused, in.Refused)
	}
}

// bib is a bibliography of pages.
func (w *world) bib(t *testing.T, urls []string) []byte {
	t.Helper()
	var b strings.Builder
	for i, url := range urls {
		fmt.Fprintf(&b, "@article{k%d,\n  title = {%s},\n  year = 2026\n}\n", i, w.title(t, url))
	}
	return []byte(b.String())
}

// daemon is the part of a daemon that makes maps.
type daemon struct {
	*Maker
	st    *store.Store
	shelf *ontologies.Shelf
	sched *scheduler.Scheduler
	stop  func() // ends it, as a kill does
}

// open starts a daemon on the world's database.
func (w *world) open(t *testing.T) *daemon {
	t.Helper()
	st, err := store.Open(t.Context(), w.path)
	if err != nil {
		t.Fatal(err)
	}
	chosen := settings.Default()
	chosen.Delay, chosen.Budget = .001, settings.Budget{}
	if err := st.SaveSettings(t.Context(), chosen); err != nil {
		t.Fatal(err)
	}
	bus, log := &notify.Bus{}, slog.New(slog.DiscardHandler)
	train := trainer.New(trainer.Deps{Store: st, Bus: bus, Log: log})
	addr := w.server.Listener.Addr().String()
	shelf := ontologies.New(st, nil)
	sched, err := scheduler.New(st, bus, scheduler.Options{
		Themes: (&themes.Source{Shelf: shelf}).Themes,
		Clock:  clock.Func(time.Now), Log: log, Resolve: []string{"*.test=" + addr}, Tick: 10 * time.Millisecond, Trainer: train,
	})
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{Maker: New(Deps{Store: st, Bus: bus, Log: log, Trainer: train, Scheduler: sched, Ontologies: shelf}), st: st, shelf: shelf, sched: sched}
	if w.double != nil {
		d.Trainer = w.double(st)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for _, run := range []func(context.Context) error{sched.Run, search.NewIndexer(st, log).Run, d.Run} {
		group.Go(func() {
			if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	d.stop = sync.OnceFunc(func() {
		cancel()
		group.Wait()
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(d.stop)
	return d
}

// finish waits until a map waits, failed or is done.
func (d *daemon) finish(t *testing.T, id int64) maps.Map {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	one, err := d.Wait(ctx, id, nil)
	if err != nil {
		t.Fatalf("%+v: %v", one, err)
	}
	return one
}

// must fails the test on an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func benchStore(b *testing.B) *store.Store {
	b.Helper()
	st, err := store.Open(b.Context(), storetest.Path(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	return st
}

// newBare is a Maker that can draw.
func newBare(st *store.Store) *Maker {
	return New(Deps{Store: st, Bus: &notify.Bus{}, Log: slog.New(slog.DiscardHandler)})
}
