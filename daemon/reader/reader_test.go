package reader

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/document/pdftext/pdftest"
	"nightjar/daemon/notify"
	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/daemon/session/sessiontest"
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
	w.Runner = &Runner{Store: st, Web: w, Bus: &notify.Bus{}, Trainer: w, Log: slog.New(slog.DiscardHandler), Now: st.Now}
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
	in, err := w.Store.Ingest(w.t.Context(), admitted)
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
	all, err := w.Store.Sessions(w.t.Context())
	if err != nil || len(all) != 1 {
		w.t.Fatalf("%+v, %v", all, err)
	}
	events, err := w.Store.SessionEvents(w.t.Context(), all[0].ID)
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
func (w *world) pdf(url string) store.PDF {
	w.t.Helper()
	all, err := w.Store.Sessions(w.t.Context())
	if err != nil || len(all) != 1 {
		w.t.Fatal(err)
	}
	pdfs, err := w.Store.PDFs(w.t.Context(), all[0].ID, false)
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

func TestReadMarked(t *testing.T) {
	w := newWorld(t)
	w.pages["birds.test/owls.pdf"] = say("application/pdf", owls)
	w.pages["birds.test/other.pdf"] = say("application/pdf", owls)
	news, stop := w.Bus.Listen()
	defer stop()
	v, other := w.visit("http://birds.test/owls.pdf", "owls.pdf", true), w.visit("http://birds.test/other.pdf", "Other", false)
	w.step()
	title, text := w.page(v.URL)
	for _, words := range []string{"sleep in hollow trees", "<script>by day</script> & rest", "make no sound"} {
		if !strings.Contains(text, words) {
			t.Errorf("the text lacks %q: %q", words, text)
		}
	}
	if title != "Owls of the North" {
		t.Errorf("title %q", title)
	}
	if n := <-news; n.Kind != "session" || n.ID != v.Session {
		t.Errorf("news %+v", n)
	}
	if slices.Contains(w.asked, "birds.test/other.pdf") || !slices.Contains(w.asked, "birds.test/robots.txt") {
		t.Errorf("asked for %v", w.asked)
	}
	if p := w.pdf(v.URL); !p.Read {
		t.Errorf("%+v", p)
	}
	n := len(w.asked)
	if w.step(); len(w.asked) != n {
		t.Errorf("asked again: %v", w.asked[n:])
	}
	all, err := w.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.ReadPDFs = true
	if err := w.Store.SaveSettings(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	w.step()
	if title, text := w.page(other.URL); title != "Other" || !strings.Contains(text, "hollow trees") {
		t.Errorf("with the setting, the unmarked PDF is %q: %q", title, text)
	}
	if len(w.taught) != 0 {
		t.Errorf("trained %v, though the session is open", w.taught)
	}
}

// Each reason is for a person to read, and only one that may pass is tried again.
func TestReasons(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		reason string
		again  bool
	}{
		"login":     {status(401), "wants a login", false},
		"forbidden": {status(403), "wants a login", false},
		"gone":      {status(404), "no document at this address", false},
		"teapot":    {status(418), "refused it", false},
		"broken":    {status(503), "had a problem", true},
		"page":      {say("text/html", []byte("<form><input type=password>")), "wants a login", false},
		"image":     {say("image/png", []byte("\x89PNG")), "something else than a PDF", false},
		"no text":   {say("application/pdf", pdftest.Write([][]pdftest.Line{{}}, "")), "pictures of text", false},
		"junk":      {say("application/pdf", []byte("%PDF-1.4 junk")), "broken", false},
		"closed":    {say("application/pdf", pdftest.Write([][]pdftest.Line{{}}, "/Encrypt << /Filter /Standard >> ")), "encrypted", false},
		"bank": {func(out http.ResponseWriter, r *http.Request) {
			http.Redirect(out, r, "http://bank.test/owls.pdf", http.StatusFound)
		}, "never-record list", false},
		"home": {func(out http.ResponseWriter, r *http.Request) {
			http.Redirect(out, r, "http://127.0.0.1/owls.pdf", http.StatusFound)
		}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			all, err := w.Store.Settings(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all.NeverRecord = []string{"bank.test"}
			if err := w.Store.SaveSettings(t.Context(), all); err != nil {
				t.Fatal(err)
			}
			w.pages["birds.test/owls.pdf"], w.pages["bank.test/owls.pdf"] = c.answer, say("application/pdf", owls)
			v := w.visit("http://birds.test/owls.pdf", "Owls", true)
			next := w.step()
			p := w.pdf(v.URL)
			if p.Read || !p.Wanted || p.Reason == "" || !strings.Contains(p.Reason, c.reason) || next.IsZero() == c.again || p.Next.IsZero() == c.again {
				t.Errorf("%+v, next at %s; want a reason with %q", p, next, c.reason)
			}
			if slices.Contains(w.asked, "bank.test/owls.pdf") || slices.Contains(w.asked, "bank.test/robots.txt") {
				t.Errorf("asked for %v", w.asked)
			}
		})
	}
}

// A mark that is removed and given again is a new start.
func TestMarkAgain(t *testing.T) {
	w := newWorld(t)
	v := w.visit("http://birds.test/owls.pdf", "Owls", true)
	if w.step(); !w.pdf(v.URL).Next.IsZero() || w.pdf(v.URL).Reason == "" {
		t.Fatalf("%+v", w.pdf(v.URL))
	}
	w.pages["birds.test/owls.pdf"] = say("application/pdf", owls)
	w.ingest(w.m.Of(protocol.NotUseful, v.Page, ""))
	w.step()
	w.ingest(w.m.Of(protocol.Useful, v.Page, ""))
	if w.step(); !w.pdf(v.URL).Read {
		t.Errorf("%+v", w.pdf(v.URL))
	}
}

func TestRobots(t *testing.T) {
	w := newWorld(t)
	w.pages["birds.test/robots.txt"] = say("text/plain", []byte("User-agent: *\nDisallow: /"))
	v := w.visit("http://birds.test/owls.pdf", "", true)
	if w.step(); !strings.Contains(w.pdf(v.URL).Reason, "robots.txt") || slices.Contains(w.asked, "birds.test/owls.pdf") {
		t.Errorf("%+v, asked for %v", w.pdf(v.URL), w.asked)
	}
}

// A server that comes back is asked again, also by another run of the daemon; one that does not is given up.
func TestRetries(t *testing.T) {
	w := newWorld(t)
	w.pages["birds.test/owls.pdf"] = func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(http.StatusInternalServerError) }
	w.pages["birds.test/lost.pdf"] = w.pages["birds.test/owls.pdf"]
	v, lost := w.visit("http://birds.test/owls.pdf", "", true), w.visit("http://birds.test/lost.pdf", "", true)
	next := w.step()
	if !next.After(w.now) || !w.pdf(v.URL).Next.Equal(next) {
		t.Fatalf("next at %s, %+v", next, w.pdf(v.URL))
	}
	n := len(w.asked)
	if w.step(); len(w.asked) != n {
		t.Errorf("asked again at once: %v", w.asked[n:])
	}
	path := w.Store.Path()
	w.Store.Close()
	w.open(path)
	w.mu.Lock()
	w.pages["birds.test/owls.pdf"] = say("application/pdf", owls)
	w.mu.Unlock()
	tries := 1
	for ; !next.IsZero() && tries < 20; tries++ {
		w.now = next
		next = w.step()
	}
	if p := w.pdf(v.URL); !p.Read {
		t.Errorf("%+v", p)
	}
	if p := w.pdf(lost.URL); tries != len(delays)+1 || p.Reason == "" || !p.Next.IsZero() {
		t.Errorf("%+v after %d attempts", p, tries)
	}
}

// A session that was submitted before its text came is learned from again, unless a training waits for the text.
func TestReadAfterSubmit(t *testing.T) {
	w := newWorld(t)
	w.pages["birds.test/owls.pdf"] = say("application/pdf", owls)
	w.visit("http://birds.test/owls.pdf", "", true)
	w.submit()
	w.step()
	if len(w.taught) != 1 {
		t.Errorf("trained %v, want the topic once", w.taught)
	}
	w = newWorld(t)
	w.pages["birds.test/owls.pdf"] = func(out http.ResponseWriter, r *http.Request) { say("application/pdf", owls)(out, r) }
	v := w.visit("http://birds.test/owls.pdf", "", true)
	w.submit()
	topics, err := w.Store.Topics(t.Context())
	if err != nil || len(topics) != 1 {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	waited := make(chan bool)
	running.Go(func() { w.Wait(t.Context(), topics[0].ID); close(waited) })
	for !w.waitedFor(topics[0].ID) {
		time.Sleep(time.Millisecond)
	}
	running.Go(func() { _ = w.Run(ctx) })
	<-waited
	if !w.pdf(v.URL).Read {
		t.Error("the training did not wait for the text")
	}
	cancel()
	running.Wait()
	if len(w.taught) != 0 {
		t.Errorf("trained %v, though a training waited", w.taught)
	}
}

func TestWaitEnds(t *testing.T) {
	w := newWorld(t)
	w.visit("http://birds.test/owls.pdf", "", true)
	w.submit()
	topics, err := w.Store.Topics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Wait(ctx, topics[0].ID) // the person stopped the training
	w.step()                  // which fails for good
	w.Wait(t.Context(), topics[0].ID)
}

// What a hostile document says is text and nothing else, and whatever its bytes are, an attempt ends with a text or a reason.
func TestHostile(t *testing.T) {
	w := newWorld(t)
	evil := paper(`</title><script>alert("owl")</script>`, `</main><a href="javascript:alert(1)">click here now</a>`, `<input type="password" name="canary">`)
	bodies := [][]byte{evil}
	for i := range 4 { // damage of each kind; package pdftext has more
		body := bytes.Clone(owls)
		switch at := 100 + i*len(body)/5; i {
		case 0:
			body = body[:at]
		case 1:
			body[at] ^= 0x55
		case 2:
			body = slices.Concat(body[:at], bytes.Repeat([]byte("<< "), 3000), body[at:])
		case 3:
			copy(body[at:], "999999999 0 R")
		}
		bodies = append(bodies, body)
	}
	for i, body := range bodies {
		w.pages["birds.test/x.pdf"] = say("application/pdf", body)
		html, _, failed := get(t.Context(), w.live, store.Reading{URL: "http://birds.test/x.pdf"}, nil, time.Now)
		if (html == nil) == (failed == nil) || failed != nil && failed.reason == "" {
			t.Fatalf("body %d: %q, %+v", i, html, failed)
		}
		for _, tag := range []string{"<script", "<a ", "<input", "</main><a"} {
			if bytes.Contains(html, []byte(tag)) {
				t.Errorf("body %d: %s", i, html)
			}
		}
	}
	w.pages["birds.test/evil.pdf"] = say("application/pdf", evil)
	v := w.visit("http://birds.test/evil.pdf", "evil.pdf", true)
	w.step()
	if title, text := w.page(v.URL); !strings.Contains(title, "<script>") || !strings.Contains(text, `<input type="password"`) {
		t.Errorf("title %q, text %q", title, text)
	}
}

// slow is a fetcher whose host must rest a few times.
type slow struct {
	fetch.Fetcher
	rests int
	ready time.Time
}

func (s *slow) Fetch(ctx context.Context, url string) fetch.Response {
	if s.rests--; s.rests >= 0 {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Later}
	}
	return s.Fetcher.Fetch(ctx, url)
}

func (s *slow) ReadyAt(string) time.Time { return s.ready }

// A host that must rest for a moment is waited for with the same fetcher; for a longer rest, the attempt is put off and does not
// count.
func TestRest(t *testing.T) {
	w := newWorld(t)
	w.pages["birds.test/x.pdf"] = say("application/pdf", owls)
	one := store.Reading{URL: "http://birds.test/x.pdf"}
	s := &slow{Fetcher: w.live, rests: 2, ready: time.Now()}
	if html, _, failed := get(t.Context(), s, one, nil, time.Now); failed != nil || len(html) == 0 {
		t.Errorf("%+v", failed)
	}
	s = &slow{Fetcher: w.live, rests: 1, ready: time.Now().Add(time.Hour)}
	_, _, failed := get(t.Context(), s, one, nil, time.Now)
	if failed == nil || !failed.next(0, time.Now()).Equal(s.ready) {
		t.Errorf("%+v, want a failure until %s", failed, s.ready)
	}
}
