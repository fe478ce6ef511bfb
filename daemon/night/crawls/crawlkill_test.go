package crawls

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model/arms"
)

// TestCrawlChild is not a test: it is the process that TestCrawlSurvivesKills kills. It crawls, printing each URL that
// is recorded.
func TestCrawlChild(t *testing.T) {
	path := os.Getenv("NIGHTJAR_TEST_CRAWL")
	if path == "" {
		t.Skip("only run as a child process")
	}
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	pages, _ := strconv.Atoi(os.Getenv("NIGHTJAR_TEST_PAGES"))
	workers, _ := strconv.Atoi(os.Getenv("NIGHTJAR_TEST_WORKERS"))
	strat := crawlStrategies[os.Getenv("NIGHTJAR_TEST_STRATEGY")]()
	server := os.Getenv("NIGHTJAR_TEST_SERVER")
	r := mustRunCrawl(t, s, 1, crawler.Budget{Pages: 3}, strat, crawlClient{server}, crawler.Options{
		Budget: crawler.Budget{Pages: pages}, Workers: workers,
		OnFetch: func(f *crawler.Fetch) { fmt.Println("recorded", f.URL) },
	})
	storetest.OK(t, End(t.Context(), s.DB, 1, r.StopReason))
	fmt.Println("ended")
}

// mustRunCrawl resumes a stored crawl, with its second strategy if it has one, and runs it to its end, in turns when they are
// bounded.
func mustRunCrawl(tb testing.TB, s *store.Store, id int64, turn crawler.Budget, strat strategy.Strategy, f fetch.Fetcher, o crawler.Options) crawler.Result {
	tb.Helper()
	ctx := context.Background()
	c, err := Get(ctx, s.DB, id)
	if err != nil {
		tb.Fatal(err)
	}
	if o.Resume, err = Resume(ctx, s.DB, id); err != nil {
		tb.Fatal(err)
	}
	if err := Start(ctx, s.DB, id); err != nil {
		tb.Fatal(err)
	}
	if second := c.Options.Second; second != "" {
		strat = strategy.NewPair(strat, crawlStrategies[second](), arms.Design{Share: c.Options.SecondShare, Seed: uint64(id)})
	}
	if o.Journal == nil {
		o.Journal = NewJournal(s.DB, c)
	}
	crawl, err := crawler.New(f, strat, o)
	if err != nil {
		tb.Fatal(err)
	}
	if err := crawl.Forgot(); err != nil {
		tb.Error(err)
	}
	for {
		r, err := crawl.Run(ctx, turn)
		if err != nil {
			tb.Fatal(err)
		}
		if r.End != crawler.Turn {
			if err := crawl.Close(); err != nil {
				tb.Error(err)
			}
			return r
		}
	}
}

// mustLive runs a child until it has recorded all of wait and at least n pages and a random time has passed, kills it,
// and reports whether it had ended by itself.
func mustLive(t *testing.T, cmd *exec.Cmd, wait []string, n int, more time.Duration) (ended bool) {
	t.Helper()
	out := storetest.Must(cmd.StdoutPipe())(t)
	cmd.Stderr = os.Stderr
	storetest.OK(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for (len(wait) > 0 || n > 0) && lines.Scan() {
		if lines.Text() == "ended" {
			ended = true
			break
		}
		url := strings.TrimPrefix(lines.Text(), "recorded ")
		wait = slices.DeleteFunc(wait, func(u string) bool { return u == url })
		n--
	}
	if !ended {
		kill := time.AfterFunc(more, func() { cmd.Process.Kill() })
		for lines.Scan() {
			ended = ended || lines.Text() == "ended"
		}
		kill.Stop()
	}
	cmd.Process.Kill()
	cmd.Wait() // it was killed
	return ended
}

// fetched lists what a crawl recorded: number, URLs, outcome, parent, depth, anchor, states and pick of each fetch.
func fetched(t *testing.T, s *store.Store) []string {
	t.Helper()
	all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT printf('%d %s %s %s parent %d depth %d %s %s relevant %d pick %d', f.n, f.url,
		f.final_url, f.outcome, coalesce(p.n, 0), f.depth, f.anchor, f.states, f.relevant, f.pick)
		FROM fetches f LEFT JOIN fetches p ON p.id = f.parent_id ORDER BY f.n`))(t)
	return all
}

// cutShort lists the URLs whose fetch was begun and not recorded.
func cutShort(t *testing.T, s *store.Store) []string {
	t.Helper()
	all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT url FROM frontier WHERE status = 'queued' AND attempts > 0"))(t)
	return all
}

// TestCrawlSurvivesKills kills a process that crawls in short turns many times at random times. With one worker what
// was recorded is, in every detail and in order, what a crawl that is not killed records, also when the strategy learns
// from each page; with four it is the same set. No URL is asked for more than twice, and more than once only when a
// kill cut its fetch short.
func TestCrawlSurvivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 29 processes")
	}
	t.Parallel()
	for _, tt := range []struct {
		name, strategy string
		second         string
		workers, pages int
		kills          int
		normal         func([]string) []string
	}{
		{"one worker, part of the web, with a second strategy that learns", "test", "learner", 1, 280, 10, func(all []string) []string { return all }},
		{"one worker that learns", "learner", "", 1, 200, 6, func(all []string) []string { return all }},
		{"four workers, all of the web", "test", "", 4, 0, 10, func(all []string) []string {
			var urls []string // redirects may or may not come before their targets
			for _, line := range all {
				urls = append(urls, strings.Fields(line)[2])
			}
			return slices.Compact(slices.SortedFunc(slices.Values(urls), cmp.Compare))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			options := Options{Starts: []string{crawlURL(0), crawlURL(1)}, Second: tt.second, SecondShare: 30}
			calm, _ := mustStoreWithCrawl(t, options)
			server := httptest.NewServer(&crawlWeb{pages: 400, asked: map[string]int{}})
			defer server.Close()
			r := mustRunCrawl(t, calm, 1, crawler.Budget{}, crawlStrategies[tt.strategy](), crawlClient{server.URL}, crawler.Options{Budget: crawler.Budget{Pages: tt.pages}, Workers: tt.workers})

			stormy, _ := mustStoreWithCrawl(t, options)
			web := &crawlWeb{pages: 400, asked: map[string]int{}}
			stormServer := httptest.NewServer(web)
			defer stormServer.Close()
			random := rand.New(rand.NewPCG(20, uint64(tt.workers)))
			kills, doubled, ended := 0, map[string]bool{}, false
			for !ended {
				cmd := exec.Command(os.Args[0], "-test.run=^TestCrawlChild$")
				cmd.Env = append(os.Environ(), "NIGHTJAR_TEST_CRAWL="+stormy.Path(), "NIGHTJAR_TEST_SERVER="+stormServer.URL,
					fmt.Sprint("NIGHTJAR_TEST_PAGES=", tt.pages), fmt.Sprint("NIGHTJAR_TEST_WORKERS=", tt.workers),
					"NIGHTJAR_TEST_STRATEGY="+tt.strategy)
				n, more := random.IntN(20), time.Duration(random.IntN(15000))*time.Microsecond
				waited := cutShort(t, stormy)
				for _, u := range waited {
					doubled[u] = true
				}
				last := kills >= tt.kills && len(doubled) > 0 // about every second kill of one worker cuts a fetch short
				if last {
					n = 1 << 30
				}
				if ended = mustLive(t, cmd, waited, n, more); !ended {
					kills++
				}
				if last && !ended {
					t.Fatal("the crawl does not end")
				}
			}
			if kills < tt.kills {
				t.Errorf("the crawl ended after %d kills: make the web larger", kills)
			}
			got, want := tt.normal(fetched(t, stormy)), tt.normal(fetched(t, calm))
			if !slices.Equal(got, want) {
				t.Errorf("recorded %d, want %d\n%s", len(got), len(want), diff.Diff(want, got))
			}
			checkStorm(t, stormy, web, doubled, r)
		})
	}
}

// checkStorm checks what holds of a killed crawl however many workers it had.
func checkStorm(t *testing.T, s *store.Store, web *crawlWeb, doubled map[string]bool, calm crawler.Result) {
	t.Helper()
	if len(doubled) == 0 {
		t.Error("no fetch was cut short by any kill")
	}
	all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT url FROM fetches"))(t)
	if len(all) != len(web.asked) {
		t.Errorf("%d URLs asked for, %d recorded", len(web.asked), len(all))
	}
	for _, u := range all {
		most := 1
		if doubled[u] {
			most = 2
		}
		if n := web.asked[u]; n < 1 || n > most {
			t.Errorf("%s asked for %d times, want 1 to %d", u, n, most)
		}
	}
	c := storetest.Must(Get(t.Context(), s.DB, 1))(t)
	if c.Totals.Relevant != calm.Relevant || c.StopReason != calm.StopReason || c.Status != Ended {
		t.Errorf("crawl %+v, calm %+v", c, calm)
	}
	var check string
	if err := s.Readers.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity check: %s, %v", check, err)
	}
}
