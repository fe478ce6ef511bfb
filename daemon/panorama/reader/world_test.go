package reader

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// world is a database with a session, a web of PDFs, and a runner.
type world struct {
	*Runner
	t      *testing.T
	m      *sessiontest.Maker
	pages  map[string]http.HandlerFunc // by host and path
	live   *fetch.Live
	now    time.Time
	mu     sync.Mutex
	asked  []string // hosts and paths, in order
	taught []int64  // topics
}

func (w *world) Submit(topic int64) { w.taught = append(w.taught, topic) }

func (w *world) Borrow(context.Context) (fetch.Fetcher, func(), error) { return w.live, func() {}, nil }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, m: sessiontest.NewMaker(1, time.Now().Add(-time.Hour)), pages: map[string]http.HandlerFunc{}, now: time.Now()}
	web := httptest.NewServer(w)
	t.Cleanup(web.Close)
	resolve, err := fetch.ParseResolve("*.test=" + web.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w.live = fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{resolve}, UserAgent: "Nightjar/test"})
	t.Cleanup(func() { w.live.Close() })
	w.open(storetest.Path(t))
	w.ingest(w.m.Start("Owls"))
	return w
}

// open opens the database and makes the runner.
func (w *world) open(path string) {
	w.t.Helper()
	st, err := store.Open(w.t.Context(), path)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { st.Close() })
	st.Now = func() time.Time { return w.now }
	w.Runner = &Runner{Waits: &Waits{Store: st, Now: st.Now}, Web: w, Bus: &notify.Bus{}, Trainer: w, Log: slog.New(slog.DiscardHandler)}
}

func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	at := r.Host + r.URL.Path
	w.mu.Lock()
	w.asked = append(w.asked, at)
	page := w.pages[at]
	w.mu.Unlock()
	if r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
		w.t.Errorf("%s was asked for with credentials", at)
	}
	if page == nil {
		http.NotFound(out, r)
		return
	}
	page(out, r)
}

// say answers with a body of a type.
func say(kind string, body []byte) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", kind)
		_, _ = out.Write(body)
	}
}

func (w *world) ingest(events ...protocol.Event) {
	w.t.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := sessions.Ingest(w.t.Context(), w.Store, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		w.t.Fatalf("%v %v %v", refused, in.Refused, err)
	}
}

// visit opens a PDF, and marks it Useful.
func (w *world) visit(url, title string, useful bool) protocol.Event {
	w.t.Helper()
	v := w.m.Visit(url, title, protocol.HowTyped, "")
	v.Media = protocol.MediaPDF
	w.ingest(v)
	if useful {
		w.ingest(w.m.Of(protocol.Useful, v.Page, ""))
	}
	return v
}

// submit ends the session with pages to learn from.
func (w *world) submit() {
	w.t.Helper()
	for _, name := range []string{"a", "b", "c", "d"} {
		v := w.m.Visit("http://birds.test/"+name, name, protocol.HowTyped, "")
		w.ingest(v, w.m.Snapshot(v.Page, []byte("<p>of "+name)))
	}
	w.ingest(w.m.Event(protocol.Submit))
}

func (w *world) step() time.Time {
	w.t.Helper()
	next, err := w.Step(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return next
}

// page returns the page of the session's graph at an address: its title and text.
func (w *world) page(url string) (title, text string) {
	w.t.Helper()
	all, err := sessions.List(w.t.Context(), w.Store.DB)
	if err != nil || len(all) != 1 {
		w.t.Fatalf("%+v, %v", all, err)
	}
	events, err := sessions.Events(w.t.Context(), w.Store.DB, all[0].ID)
	if err != nil {
		w.t.Fatal(err)
	}
	folded, err := session.Fold(events)
	if err != nil || len(folded) != 1 {
		w.t.Fatal(err)
	}
	for _, l := range folded[0].Loads() {
		if l.URL == url {
			title, text = l.Title, l.Text
		}
	}
	return title, text
}

// pdf returns what is known of the only PDF at an address.
func (w *world) pdf(url string) PDF {
	w.t.Helper()
	all, err := sessions.List(w.t.Context(), w.Store.DB)
	if err != nil || len(all) != 1 {
		w.t.Fatal(err)
	}
	pdfs, err := PDFs(w.t.Context(), w.Store.DB, all[0].ID, false)
	if err != nil {
		w.t.Fatal(err)
	}
	return pdfs[url]
}

// paper is a PDF with a title and lines.
func paper(title string, lines ...string) []byte {
	all := []pdftest.Line{{X: 90, Y: 720, Size: 20, Text: title}}
	for i, line := range lines {
		all = append(all, pdftest.Line{X: 90, Y: 680 - 12*float64(i), Size: 10, Text: line})
	}
	return pdftest.Write([][]pdftest.Line{all}, "")
}

var owls = paper("Owls of the North", "Owls hunt small mammals at night, and sleep in hol-", "low trees <script>by day</script> & rest.", "Their feathers make no sound.")
