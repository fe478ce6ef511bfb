package scheduler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store/settings"
)

// site is a small web over HTTP that logs its requests.
type site struct {
	mu    sync.Mutex
	asked []string // path, and " again" when the asker had the page already
	*httptest.Server
}

func mustSite(t *testing.T, w *world) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		again := r.Header.Get("If-None-Match") == `"v1"`
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path+map[bool]string{true: " again"}[again])
		s.mu.Unlock()
		number := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &number)
		switch {
		case r.URL.Path == "/hang":
			<-r.Context().Done()
		case r.URL.Path == "/robots.txt" && strings.HasPrefix(r.Host, "robots-busy."):
			rw.Header().Set("Retry-After", "7200")
			rw.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(rw, "Sitemap: http://%s/map.xml\n", r.Host)
		case r.URL.Path == "/map.xml":
			rw.Header().Set("Content-Type", "application/xml")
			fmt.Fprintf(rw, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/33</loc></url></urlset>`, r.Host)
		case r.URL.Path == "/busy":
			rw.Header().Set("Retry-After", "7200")
			rw.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path != "/" && (number < 1 || number > 40):
			http.NotFound(rw, r)
		case again:
			rw.WriteHeader(http.StatusNotModified)
		default:
			rw.Header().Set("Content-Type", "text/html")
			rw.Header().Set("ETag", `"v1"`)
			_, _ = rw.Write(w.Fetch(r.Context(), "http://"+r.Host+r.URL.Path).Body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// take returns the requests since its last call.
func (s *site) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := map[string]int{}
	for _, a := range s.asked {
		count[a]++
	}
	s.asked = nil
	return count
}

// TestSharedWeb crawls over HTTP twice. Fetched pages are archived when the settings say so, stored pages are requested
// conditionally, sitemaps are read when the person allows it and once a day, whoever wants to know, the ledger names each purpose, and robots.txt is asked for once.
func TestSharedWeb(t *testing.T) {
	w := mustWorld(t, evening)
	w.step = 0
	server := mustSite(t, w)
	kept, err := archive.Open(archive.Options{Dir: filepath.Join(t.TempDir(), "archive"), Clock: clock.Func(w.clock)})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	files := func() int {
		names, err := filepath.Glob(filepath.Join(kept.Dir(), "*.warc.gz"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	settle := func(change func(*settings.Settings)) {
		w.mustSettings(t, func(s *settings.Settings) {
			s.Delay, s.Resolve = 0, []string{"*.test=" + strings.TrimPrefix(server.URL, "http://")}
			change(s)
		})
	}
	topic := w.mustTopic(t, "hockey")
	s := w.mustRun(t, Options{Archive: kept})

	settle(func(s *settings.Settings) { s.Archive.Enabled, s.Sitemaps = false, false })
	w.mustRunNow(t, s, topic)
	firstCrawl := w.mustEnd(t, topic, 1)
	first := server.take()
	if first["/map.xml"] != 0 || first["/33"] != 0 || files() != 0 || first["/3"] != 1 {
		t.Errorf("without sitemaps and archive: asked %v, %d files", first, files())
	}

	settle(func(s *settings.Settings) { s.Sitemaps = true })
	w.mustStartAnew(t, topic)
	w.mustRunNow(t, s, topic)
	second := w.mustEnd(t, topic, 2)
	asked := server.take()
	if asked["/map.xml"] != 1 || asked["/33"] != 1 {
		t.Errorf("with sitemaps: asked %v", asked)
	}
	if asked["/3 again"] != 1 {
		t.Errorf("a page that is kept was asked for as if it were new: %v", asked)
	}
	if files() == 0 {
		t.Error("nothing was archived")
	}
	if second.Totals.Relevant < 9 {
		t.Errorf("%d relevant pages, unchanged ones among them", second.Totals.Relevant)
	}
	if first["/robots.txt"] == 0 || asked["/robots.txt"] != 0 {
		t.Errorf("robots.txt was asked for %d times, and %d times by the next crawl", first["/robots.txt"], asked["/robots.txt"])
	}
	if looks, err := progress.LooksOf(t.Context(), w.st.DB, second.ID); err != nil || looks.Lists != 1 || looks.Listed != 1 {
		t.Errorf("lists of the crawl: %+v, %v", looks, err)
	}

	w.mustStartAnew(t, topic)
	w.mustRunNow(t, s, topic)
	w.mustEnd(t, topic, 3)
	if asked := server.take(); asked["/map.xml"]+asked["/map.xml again"] != 0 || asked["/33"]+asked["/33 again"] != 1 {
		t.Errorf("another crawl on the same day: asked %v", asked)
	}
	purposes := map[fetch.Purpose]bool{}
	for _, id := range []int64{firstCrawl.ID, second.ID} {
		hosts, err := progress.Ledger(t.Context(), w.st.DB, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hosts {
			for _, p := range h.Purposes {
				purposes[p.Purpose] = true
			}
		}
	}
	for _, p := range []fetch.Purpose{fetch.ForPage, fetch.ForRobots, fetch.ForSitemap, fetch.ForProbe} {
		if !purposes[p] {
			t.Errorf("the ledger has no line for %s", p)
		}
	}
}

// TestSilencesSurviveKill: a silence from Retry-After, on a page or on robots.txt, is stored before anything else is asked. It
// survives a daemon that is killed right after.
func TestSilencesSurviveKill(t *testing.T) {
	w := mustWorld(t, evening)
	w.step = 0
	server := mustSite(t, w)
	w.mustSettings(t, func(s *settings.Settings) {
		s.Delay, s.Resolve = 0, []string{"*.test=" + strings.TrimPrefix(server.URL, "http://")}
	})
	topic := w.mustTopic(t, "hockey")
	for _, start := range []string{"http://busy.test/busy", "http://robots-busy.test/", "http://slow.test/hang"} {
		if _, err := startpages.Add(t.Context(), w.st.DB, topic, start); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(w.st, &w.bus, Options{Clock: clock.Func(w.clock), Log: slog.New(slog.DiscardHandler), Tick: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	w.mustRunNow(t, s, topic)
	go func() { done <- s.Run(ctx) }()
	w.mustWait(t, "both silences", func() bool { // the turn goes on: it waits for a page that does not come
		hosts, err := crawls.NewHostMemory(w.st.DB).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		silent := 0
		for _, h := range hosts {
			if h.Why == fetch.RestAsked {
				silent++
			}
		}
		return silent == 2
	})
	next, err := New(w.st, &w.bus, Options{Clock: clock.Func(w.clock), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	after, err := next.use(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"busy.test", "robots-busy.test"} {
		if wait := after.fetcher.ReadyAt("http://" + host + "/").Sub(evening); wait < 119*time.Minute || wait > 3*time.Hour {
			t.Errorf("%s is asked again after %v", host, wait)
		}
	}
	if ready := after.fetcher.ReadyAt("http://b.test/"); ready.Sub(evening) > time.Minute {
		t.Errorf("another host waits until %v", ready)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// counter is a renderer that only counts.
type counter struct{ pages int }

func (c *counter) Render(context.Context, string, []byte) ([]byte, []fetch.Exchange, error) {
	c.pages++
	return nil, nil, nil
}

// TestRation: the crawls of a night together render no more pages than its limit.
func TestRation(t *testing.T) {
	var left atomic.Int64
	left.Store(3)
	asked := &counter{}
	refused := 0
	for i := range 6 {
		crawl := rationed{asked, &left}
		if _, _, err := crawl.Render(t.Context(), fmt.Sprintf("http://a.test/%d", i), nil); errors.Is(err, errRation) {
			refused++
		}
	}
	if asked.pages != 3 || refused != 3 {
		t.Errorf("rendered %d, refused %d", asked.pages, refused)
	}
}
