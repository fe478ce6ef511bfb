package store

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// ringDelay is what hosts of a ringWeb are left alone for between two requests.
const ringDelay = 10 * time.Millisecond

// ringWeb is a made-up web of numbered pages on twenty hosts; it notes when each was asked for, and checks that no host
// is asked too soon.
type ringWeb struct {
	pages int
	mu    sync.Mutex
	asked map[string]int
	ended map[string]time.Time // the last request to a host
	soon  []string
}

func ringURL(i int) string { return fmt.Sprintf("http://h%d.test/p%d", i%20, i) }

func (w *ringWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	if gap := time.Since(w.ended[r.Host]); gap < ringDelay {
		w.soon = append(w.soon, fmt.Sprintf("%s%s after %v", r.Host, r.URL.Path, gap))
	}
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ended[r.Host] = time.Now()
	}()
	var i int
	if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &i); err != nil {
		http.NotFound(rw, r) // robots.txt
		return
	}
	w.mu.Lock()
	w.asked["http://"+r.Host+r.URL.Path]++
	w.mu.Unlock()
	random := rand.New(rand.NewPCG(uint64(i), 9))
	rw.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(rw, "<title>Page %d</title><p>words of page %d: %x</p>", i, i, random.Uint64())
	for _, to := range []int{2*i + 1, 2*i + 2, random.IntN(w.pages)} {
		if to < w.pages {
			fmt.Fprintf(rw, "<a href=%q>to %d</a>", ringURL(to), to)
		}
	}
	io.WriteString(rw, "<p>the end")
}

// mustRing fetches live from a ringWeb, as after a restart: politely towards what was asked before.
func mustRing(t *testing.T, s *Store, server string) fetch.Fetcher {
	t.Helper()
	resolve, err := fetch.ParseResolve("*.test=" + strings.TrimPrefix(server, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := s.LastContacts(t.Context(), time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	live := fetch.NewLive(fetch.LiveOptions{Delay: ringDelay, Resolve: []fetch.Resolve{resolve}, LastRequests: asked})
	t.Cleanup(func() { live.Close() })
	return live
}

// childFetcher is what a killed process fetches with.
func childFetcher(t *testing.T, s *Store, server string) fetch.Fetcher {
	if os.Getenv("NIGHTJAR_TEST_LIVE") == "" {
		return crawlClient{server}
	}
	return mustRing(t, s, server)
}

// TestNightSurvivesKills kills a process that crawls a web live, with four workers, at random times: in the end every
// page was recorded that an unkilled crawl records, none was asked for more than twice, and more than once only when a
// kill cut its fetch short; and no host was ever asked sooner than its delay allows, not after a kill either.
// NIGHTJAR_KILLS=100 kills so often, in a web of 2,000 pages.
func TestNightSurvivesKills(t *testing.T) {
	kills, pages := 8, 300
	if n, err := strconv.Atoi(os.Getenv("NIGHTJAR_KILLS")); err == nil {
		kills, pages = n, 20*n
	} else if testing.Short() {
		t.Skip("starts 9 processes")
	}
	options := CrawlOptions{Starts: []string{ringURL(0)}}
	calm, _ := mustStoreWithCrawl(t, options)
	calmServer := httptest.NewServer(&ringWeb{pages: pages, asked: map[string]int{}, ended: map[string]time.Time{}})
	defer calmServer.Close()
	mustRunCrawl(t, calm, 1, crawler.Budget{}, crawlStrategy{}, mustRing(t, calm, calmServer.URL), crawler.Options{Workers: 4, Live: true})

	stormy, _ := mustStoreWithCrawl(t, options)
	web := &ringWeb{pages: pages, asked: map[string]int{}, ended: map[string]time.Time{}}
	server := httptest.NewServer(web)
	defer server.Close()
	random := rand.New(rand.NewPCG(4, uint64(kills)))
	doubled := map[string]bool{}
	killed := 0
	for ended := false; !ended; {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrawlChild$")
		cmd.Env = append(os.Environ(), "NIGHTJAR_TEST_CRAWL="+stormy.Path(), "NIGHTJAR_TEST_SERVER="+server.URL,
			"NIGHTJAR_TEST_WORKERS=4", "NIGHTJAR_TEST_STRATEGY=test", "NIGHTJAR_TEST_LIVE=1")
		waited := cutShort(t, stormy)
		for _, u := range waited {
			doubled[u] = true
		}
		n, more := random.IntN(max(1, pages*3/4/kills)), time.Duration(random.IntN(15000))*time.Microsecond
		last := killed >= kills
		if last {
			n = 1 << 30
		}
		if ended = mustLive(t, cmd, waited, n, more); !ended {
			killed++
		}
		if last && !ended {
			t.Fatal("the crawl does not end")
		}
	}
	if killed < kills*3/4 {
		t.Errorf("the crawl ended after %d kills: make the web larger", killed)
	}
	visited := func(s *Store) []string {
		all, err := query(t.Context(), s.r, scanText, `SELECT final_url || ' ' || outcome FROM fetches ORDER BY 1`)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	got, want := visited(stormy), visited(calm)
	if !slices.Equal(got, want) || len(want) != pages {
		t.Errorf("recorded %d, want %d of %d pages\n%s", len(got), len(want), pages, firstDifference(got, want))
	}
	web.mu.Lock()
	defer web.mu.Unlock()
	for u, n := range web.asked {
		if n > 2 || n > 1 && !doubled[u] {
			t.Errorf("%s asked for %d times, its fetch cut short: %v", u, n, doubled[u])
		}
	}
	if len(web.soon) > 0 {
		t.Errorf("%d requests came too soon, as %s", len(web.soon), web.soon[0])
	}
	if err := stormy.Check(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("%d kills, %d of %d pages asked for twice", killed, len(doubled), pages)
}
