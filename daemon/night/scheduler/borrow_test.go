package scheduler

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/store/settings"
)

// mustServe makes the live web of a world a server with one answer for robots.txt and one for all pages.
func (w *world) mustServe(t *testing.T, page http.HandlerFunc) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(rw, r)
			return
		}
		page(rw, r)
	}))
	t.Cleanup(server.Close)
	w.mustSettings(t, func(s *settings.Settings) {
		s.Delay, s.Resolve = 0, []string{"*.test=" + strings.TrimPrefix(server.URL, "http://")}
	})
}

// borrowAll fetches the pages http://HOST/N of numbers until each was requested.
func borrowAll(ctx context.Context, f fetch.Fetcher, host string, numbers int) (ok int) {
	for n := 1; n <= numbers && ctx.Err() == nil; {
		switch f.Fetch(ctx, fmt.Sprintf("http://%s/%d", host, n)).Outcome {
		case fetch.Later:
			time.Sleep(time.Millisecond)
		case fetch.OK:
			ok++
			n++
		default:
			n++
		}
	}
	return ok
}

// TestBorrow: while a crawl and borrowers ask one host, it never has two requests at once; all of them get their pages.
func TestBorrow(t *testing.T) {
	w := mustWorld(t, evening)
	w.step = 0
	var now, most, all atomic.Int64
	w.mustServe(t, func(rw http.ResponseWriter, r *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		all.Add(1)
		time.Sleep(time.Millisecond) // so that requests would overlap if they could
		now.Add(-1)
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write(w.Fetch(r.Context(), "http://"+r.Host+r.URL.Path).Body)
	})
	topic := w.mustTopic(t, "hockey")
	s := w.mustRun(t, Options{Clock: clock.Clock(nil)})
	var group sync.WaitGroup
	var got atomic.Int64
	for range 3 {
		f, release, err := s.Borrow(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			defer release()
			got.Add(int64(borrowAll(t.Context(), f, "hockey.test", 20)))
		})
	}
	id := w.mustRunNow(t, s, topic)
	c := w.mustEnd(t, topic, 1)
	group.Wait()
	if most.Load() != 1 {
		t.Errorf("%d requests to one host at once", most.Load())
	}
	if got.Load() != 60 || c.Totals.Fetched < 31 || c.ID != id {
		t.Errorf("the borrowers got %d pages, the crawl fetched %d; %d requests", got.Load(), c.Totals.Fetched, all.Load())
	}
	if s.web != nil || s.users != 0 {
		t.Error("the web is open although nobody uses it")
	}
}

// TestStoppedSaysNothing: what is stopped while it reads the refused sites has nothing to warn of.
func TestStoppedSaysNothing(t *testing.T) {
	w := mustWorld(t, evening)
	var log strings.Builder
	s := w.mustRun(t, Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	f, release, err := s.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	f.Fetch(stopped, "http://hockey.test/1")
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
}

// closing is a fetcher that notes when it is closed.
type closing struct {
	fetch.Fetcher
	closed atomic.Bool
}

func (c *closing) Close() error {
	c.closed.Store(true)
	return nil
}

// TestWebCloses: the web closes when neither a crawl nor a borrower uses it, whoever is the last, and not before. A crawl that
// waits does not keep it open.
func TestWebCloses(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	gate := w.hold("http://hockey.test/3")
	var mu sync.Mutex
	var webs []*closing
	opened := func() []*closing {
		mu.Lock()
		defer mu.Unlock()
		return webs
	}
	s, stop := w.run(t, Options{Workers: 1, Fetcher: func(settings.Settings) (fetch.Fetcher, error) {
		mu.Lock()
		defer mu.Unlock()
		webs = append(webs, &closing{Fetcher: w})
		return webs[len(webs)-1], nil
	}})
	_, first, err := s.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id := w.mustRunNow(t, s, topic)
	<-gate.reached
	first()
	first() // counts once
	if all := opened(); len(all) != 1 || all[0].closed.Load() {
		t.Fatalf("%d webs were opened, the crawl's is closed: %v", len(all), all[0].closed.Load())
	}
	if err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustWait(t, "the web to close", func() bool { return opened()[0].closed.Load() })
	_, second, err := s.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	delete(w.block, "http://hockey.test/3")
	w.mu.Unlock()
	if err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.mustEnd(t, topic, 1)
	stop()
	if all := opened(); len(all) != 2 || all[1].closed.Load() {
		t.Fatalf("%d webs were opened; the last is lent, and closed: %v", len(all), all[1].closed.Load())
	}
	second()
	if !opened()[1].closed.Load() {
		t.Error("the web is open although nobody uses it")
	}
}

// TestBorrowedContacts: a silence that a borrower met outlives the daemon; the web that opens next pauses after a borrower's
// last request; a refused site is not asked.
func TestBorrowedContacts(t *testing.T) {
	w := mustWorld(t, evening)
	w.step = 0
	w.mustServe(t, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			rw.Header().Set("Retry-After", "7200")
			rw.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write([]byte("<title>a page</title><p>words"))
	})
	if _, err := marks.Refuse(t.Context(), w.st.DB, "refused.test"); err != nil {
		t.Fatal(err)
	}
	o := Options{Clock: clock.Func(w.clock), Log: slog.New(slog.DiscardHandler)}
	s, err := New(w.st, &w.bus, o)
	if err != nil {
		t.Fatal(err)
	}
	f, release, err := s.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]fetch.Outcome{
		"http://busy.test/busy": fetch.Status, "http://calm.test/": fetch.OK, "http://www.refused.test/": fetch.Refused,
	} {
		if res := f.Fetch(t.Context(), url); res.Outcome != want {
			t.Errorf("%s: %s %s", url, res.Outcome, res.Reason)
		}
	}
	release()
	readyIn := func(s *Scheduler, url string) time.Duration {
		f, release, err := s.Borrow(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer release()
		return f.ReadyAt(url).Sub(evening)
	}
	w.mustSettings(t, func(s *settings.Settings) { s.Delay = 20 })
	if d := readyIn(s, "http://calm.test/"); d < 15*time.Second || d > 21*time.Second {
		t.Errorf("a host that a borrower asked is ready after %v", d)
	}
	next, err := New(w.st, &w.bus, o) // after a restart
	if err != nil {
		t.Fatal(err)
	}
	if d := readyIn(next, "http://busy.test/"); d < 119*time.Minute || d > 121*time.Minute {
		t.Errorf("the silent host is ready after %v", d)
	}
}
