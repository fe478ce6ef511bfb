package reader

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

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
	topics, err := topics.List(t.Context(), w.Store.DB)
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
	topics, err := topics.List(t.Context(), w.Store.DB)
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
	effort.Long(t)
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
		html, _, failed := get(t.Context(), w.live, Reading{URL: "http://birds.test/x.pdf"}, nil, time.Now)
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
	one := Reading{URL: "http://birds.test/x.pdf"}
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
