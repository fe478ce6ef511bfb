package web

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/fetch"
	"nightjar/daemon/app/wings"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/echo"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/panorama/pages"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
	thesus "nightjar/daemon/thesus/pages"
	"nightjar/daemon/web/frame"
)

// fixture is a dashboard over a real store. What it asks of trainer, scheduler and socket is written down here instead
// of being done, so that a test can see that it was asked.
type fixture struct {
	*Server
	db        *sql.DB // a second connection, to put rows in and look at them
	now       time.Time
	cookie    *http.Cookie
	submitted []int64
	canceled  []int64
	ran       []int64
	ranPages  int // of the last
	next      []scheduler.NextLink
	taught    bool
	stopped   []int64
	paused    []int64
	resumed   []int64
	wentOn    []int64
	goOnError error
	renewed   []int64
	status    scheduler.Status
	runError  error

	preview      scheduler.Preview
	refusal      func(url string) error // of addresses that crawls refuse; nil for the real one
	previewError error
	previewed    [][]string // start pages that a preview was asked for
	report       doctor.Report
	limit        time.Duration // of the database check that was asked for

	training map[int64]trainer.Status
	pairing  ingest.PairingStatus
	offers   int // of pages that are open
	approved []string
	refused  int
	revoked  []string

	maps     *fakeMaps
	explores *fakeExplore
	words    *tinyWordNet
	wordnet  *fakeWordNet
	marked   [][]int64
	sites    []string // that were refused or allowed, and whether they are refused now
	echo     echo.Echo
	workers  *fakeWorkers

	Ontologies *ontologies.Shelf
	Bookmarks  *bookmarks.Maker
	fetcher    fetch.Fetcher
}

type fakeTrainer struct{ f *fixture }

func (t fakeTrainer) Submit(id int64)                { t.f.submitted = append(t.f.submitted, id) }
func (t fakeTrainer) Cancel(id int64)                { t.f.canceled = append(t.f.canceled, id) }
func (t fakeTrainer) Status(id int64) trainer.Status { return t.f.training[id] }

type fakeScheduler struct{ f *fixture }

func (s fakeScheduler) RunNow(_ context.Context, topic int64, pages int) (int64, error) {
	s.f.ran, s.f.ranPages = append(s.f.ran, topic), pages
	return 1, s.f.runError
}

func (s fakeScheduler) Next(int64) ([]scheduler.NextLink, bool) { return s.f.next, s.f.taught }

func (s fakeScheduler) Stop(_ context.Context, id int64, _ string) error {
	s.f.stopped = append(s.f.stopped, id)
	return nil
}

func (s fakeScheduler) Apart(ctx context.Context, reason string, which func(store.Crawl) bool, do func() error) error {
	open, err := s.f.Store.OpenCrawls(ctx)
	for _, c := range open {
		if which(c) {
			err = errors.Join(err, s.Stop(ctx, c.ID, reason))
		}
	}
	return errors.Join(err, do())
}

func (s fakeScheduler) Pause(_ context.Context, id int64) error {
	s.f.paused = append(s.f.paused, id)
	return nil
}

func (s fakeScheduler) Resume(_ context.Context, id int64) error {
	s.f.resumed = append(s.f.resumed, id)
	return nil
}

func (s fakeScheduler) GoOn(_ context.Context, id int64) error {
	s.f.wentOn = append(s.f.wentOn, id)
	return s.f.goOnError
}

func (s fakeScheduler) Renew(topic int64) { s.f.renewed = append(s.f.renewed, topic) }

func (s fakeScheduler) Refusal(context.Context) (func(url string) error, error) {
	if s.f.refusal != nil {
		return s.f.refusal, nil
	}
	return fetch.LiveOptions{Self: []string{s.f.Listen}}.Refusal(), nil
}

func (s fakeScheduler) Preview(_ context.Context, of scheduler.Previewed, n int) (scheduler.Preview, error) {
	s.f.previewed = append(s.f.previewed, of.Starts)
	p := s.f.preview
	p.Links = p.Links[:min(n, len(p.Links))]
	return p, s.f.previewError
}

func (s fakeScheduler) Status() scheduler.Status { return s.f.status }

// fakeWeb is a web from which nothing is fetched, unless a test has a fetcher.
type fakeWeb struct{ fakeScheduler }

func (w fakeWeb) Borrow(context.Context) (fetch.Fetcher, func(), error) {
	if w.f.fetcher == nil {
		return nil, nil, errors.New("nothing is fetched")
	}
	return w.f.fetcher, func() {}, nil
}

// fakeEchoes notes which topics were marked, and has the echo that a test gives it.
type fakeEchoes struct{ f *fixture }

func (e fakeEchoes) Marked(topics []int64, _ int64) { e.f.marked = append(e.f.marked, topics) }
func (e fakeEchoes) Refused(site string, refused bool) {
	e.f.sites = append(e.f.sites, fmt.Sprintf("%s %t", site, refused))
}
func (e fakeEchoes) Now() echo.Echo { return e.f.echo }
func (e fakeEchoes) Forget()        { e.f.echo = echo.Echo{} }

type fakeIngest struct{ f *fixture }

func (i fakeIngest) OpenPairing(d time.Duration) {
	i.f.pairing = ingest.PairingStatus{Open: true, Until: i.f.now.Add(d)}
}
func (i fakeIngest) OfferPairing(time.Duration)    { i.f.offers++ }
func (i fakeIngest) WithdrawPairing()              { i.f.offers-- }
func (i fakeIngest) Pairing() ingest.PairingStatus { return i.f.pairing }
func (i fakeIngest) Approve(digits string) error {
	i.f.approved = append(i.f.approved, digits)
	return nil
}
func (i fakeIngest) Refuse() { i.f.refused++ }
func (i fakeIngest) Revoke(_ context.Context, client string) error {
	i.f.revoked = append(i.f.revoked, client)
	return nil
}

// erasesNow erases a site before Begin returns.
type erasesNow struct{ f *fixture }

func (e erasesNow) Plan(ctx context.Context, host string) (erasing.Plan, error) {
	return erasing.PlanFor(ctx, e.f.Store.DB, wings.Erasing, host)
}

func (e erasesNow) Begin(ctx context.Context, host string) (erasing.Erasing, error) {
	eraser := erasing.New(erasing.Deps{Store: e.f.Store, Wings: wings.Erasing, Archive: e.f.Archive, Log: e.f.Log,
		Apart: func(ctx context.Context, do func() error) error {
			return e.f.Scheduler.Apart(ctx, "a site was erased", func(store.Crawl) bool { return true }, do)
		}, Train: fakeTrainer(e).Submit})
	one, err := eraser.Begin(ctx, host)
	if err == nil {
		err = eraser.Erase(ctx, &one)
	}
	return one, err
}

// newFixture makes a dashboard over an empty store, with a browser that is logged in.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	return fixtureAt(t, storetest.Path(t))
}

func fixtureAt(t testing.TB, name string) *fixture {
	t.Helper()
	f := &fixture{now: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC), training: map[int64]trainer.Status{}}
	st, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	st.Now = func() time.Time { return f.now }
	if f.db, err = sql.Open("sqlite", store.FileURL(name)+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=synchronous(OFF)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.db.Close() })
	f.maps, f.explores, f.words, f.wordnet = &fakeMaps{f: f}, &fakeExplore{f: f}, mustWordNet(t), &fakeWordNet{}
	f.workers, f.Ontologies = &fakeWorkers{}, ontologies.New(st, f.words)
	kept, err := bookmarks.New(t.Context(), bookmarks.Deps{Store: st, Web: fakeWeb{fakeScheduler{f}}, Bus: &notify.Bus{}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Import: func(context.Context, io.Reader) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	f.Bookmarks = kept
	f.Server, err = New(t.Context(), Deps{
		Leases: fakeLeases{f.workers}, Broker: fakeBroker{f.workers},
		WordNet: f.wordnet, Erasing: erasesNow{f},
		EraseAll: func(ctx context.Context) error {
			return wings.Everything{
				Store: st, Dir: f.DataDir, Archive: f.Archive, Troubles: f.Troubles, Bookmarks: kept, Browsers: fakeIngest{f}, Results: fakeBroker{f.workers},
				Apart: func(ctx context.Context, do func() error) error {
					return fakeScheduler{f}.Apart(ctx, "everything was erased", func(store.Crawl) bool { return true }, do)
				},
			}.Erase(ctx)
		},
		Wings: func(s *Server) []frame.Wing {
			return []frame.Wing{
				thesus.Pages{Store: st, Explore: f.explores, Operators: operators.New(st, operators.Options{}), Ontologies: f.Ontologies, WordNet: f.wordnet, Now: s.Now},
				pages.Pages{Store: st, Maps: f.maps, Bookmarks: kept, Bus: s.Bus, Echoes: s.Echoes, Dashboard: s},
			}
		},
		Store: st, Bus: &notify.Bus{}, Trainer: fakeTrainer{f}, Scheduler: fakeScheduler{f}, Ingest: fakeIngest{f}, Echoes: fakeEchoes{f},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Listen: "127.0.0.1:4774", DataDir: filepath.Dir(name),
		Extension: filepath.Join(filepath.Dir(name), "extension"),
		Examine:   func(_ context.Context, limit time.Duration) doctor.Report { f.limit = limit; return f.report },
		Version:   "test", Now: func() time.Time { return f.now },
		Notices: &notice.Runner{Store: st, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return f.now }},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Server.Close)
	f.counts.wait, f.checks.wait = time.Minute, time.Minute // tests want the numbers
	f.cookie = f.login(t)
	return f
}

// login spends a one-time link.
func (f *fixture) login(t testing.TB) *http.Cookie {
	t.Helper()
	u, err := url.Parse(f.LoginURL(""))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, u.RequestURI(), nil)
	r.Host = u.Host
	w := f.serve(r)
	for _, c := range w.Result().Cookies() {
		if c.Name == cookieName {
			return c
		}
	}
	t.Fatalf("login gave no cookie: %d %s", w.Code, w.Body)
	return nil
}

func (f *fixture) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, r)
	return w
}

// ask asks as the dashboard's own page would, with some more headers: pairs of a name and a value.
func (f *fixture) ask(method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	r.Host = f.host
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+f.host)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.AddCookie(f.cookie)
	return f.serve(r)
}

// get gets a page or a file.
func (f *fixture) get(path string) *httptest.ResponseRecorder {
	return f.ask(http.MethodGet, path, nil)
}

// page gets a page that must be there, as a tree.
func (f *fixture) page(t testing.TB, path string) *goquery.Document {
	t.Helper()
	w := f.get(path)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d\n%s", path, w.Code, w.Body)
	}
	return tree(t, w)
}

func tree(t testing.TB, w *httptest.ResponseRecorder) *goquery.Document {
	t.Helper()
	d, err := goquery.NewDocumentFromReader(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// post sends a form.
func (f *fixture) post(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin"}, headers...)
	return f.ask(http.MethodPost, path, strings.NewReader(form.Encode()), headers...)
}

// mustPost sends a form that must be accepted, and answers where it led.
func (f *fixture) mustPost(t testing.TB, path string, form url.Values) string {
	t.Helper()
	w := f.post(path, form)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("POST %s: %d\n%s", path, w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

func (f *fixture) exec(t testing.TB, text string, args ...any) int64 {
	t.Helper()
	res, err := f.db.Exec(text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	id, _ := res.LastInsertId()
	return id
}

func (f *fixture) count(t testing.TB, text string, args ...any) int {
	t.Helper()
	var n int
	if err := f.db.QueryRow(text, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}
