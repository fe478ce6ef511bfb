package scheduler

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/store/settings"
)

const pdfHead = "%PDF-1.4\n"

// TestLive crawls over HTTP with the live fetcher: it resolves host names as the settings say, obeys robots.txt, sends the
// contact in the User-Agent, reads PDFs, and announces progress and finds.
func TestLive(t *testing.T) {
	w := mustWorld(t, evening)
	w.step = 0
	var mu sync.Mutex
	asked, agents := map[string]bool{}, map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path], agents[r.UserAgent()] = true, true
		mu.Unlock()
		if r.URL.Path == "/robots.txt" {
			io.WriteString(rw, "User-agent: nightjar\nDisallow: /9\n")
			return
		}
		kind, head := "text/html", ""
		if strings.HasSuffix(r.URL.Path, "3") {
			kind, head = "application/pdf", pdfHead
		}
		rw.Header().Set("Content-Type", kind)
		io.WriteString(rw, head+string(w.Fetch(r.Context(), "http://"+r.Host+r.URL.Path).Body))
	}))
	defer server.Close()
	w.mustSettings(t, func(s *settings.Settings) {
		s.Delay, s.Contact = 0, "https://example.org/me"
		s.Resolve = []string{"*.test=" + strings.TrimPrefix(server.URL, "http://")}
	})
	topic := w.mustTopic(t, "hockey")
	s, err := New(w.st, &w.bus, Options{Log: slog.New(slog.DiscardHandler), Version: "1.2", Tick: time.Millisecond,
		Page: func(_ context.Context, _ string, body []byte) ([]byte, error) {
			return bytes.TrimPrefix(body, []byte(pdfHead)), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	news, end := w.bus.Listen()
	defer end()
	if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
		t.Fatal(err)
	}
	c := w.mustEnd(t, topic, 1)
	if c.StopReason != "no links left, except 1 page that robots.txt forbids" || c.Totals.Fetched != 30 || c.Totals.Relevant < 9 {
		t.Errorf("%+v", c)
	}
	mu.Lock()
	defer mu.Unlock()
	if asked["/9"] || !asked["/8"] {
		t.Errorf("asked for /9 %v, for /8 %v", asked["/9"], asked["/8"])
	}
	if len(agents) != 1 || !agents["Nightjar/1.2 (+https://example.org/me)"] {
		t.Errorf("User-Agent %v", agents)
	}
	kinds := heard(news)
	if kinds["crawl"] < 3 || kinds["finds"] < 9 {
		t.Errorf("news %v", kinds)
	}
}

// heard counts the news in a channel by kind.
func heard(news <-chan notify.News) map[string]int {
	kinds := map[string]int{}
	for {
		select {
		case n := <-news:
			kinds[n.Kind]++
		default:
			return kinds
		}
	}
}

func TestBadOpenings(t *testing.T) {
	w := mustWorld(t, evening)
	for _, o := range []Options{{Resolve: []string{"*.test"}}, {AllowPrivate: []string{"10.0.0.0/99"}}} {
		if _, err := New(w.st, &w.bus, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
