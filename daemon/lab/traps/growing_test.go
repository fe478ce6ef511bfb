package traps_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/traps"
)

// small is a web of 81 good pages with at most one family of traps.
type small struct {
	name   string // of the family, "" for none
	inside bool   // the trap is on the host of a start page, among good pages; otherwise on a host of its own
	seed   int
	budget int
	by     func(*testing.T, traps.Good) strategy.Strategy
}

// visit is the history of a crawl: for each good page in order, whether it is about the topic; and the number of others.
type visit struct {
	good    []bool
	trapped int
}

// found is the number of pages about the topic among the first good ones.
func (v visit) found(first int) (n int) {
	for _, relevant := range v.good[:min(first, len(v.good))] {
		if relevant {
			n++
		}
	}
	return n
}

func (s small) mustCrawl(t *testing.T) (v visit) {
	t.Helper()
	web := traps.Good{Hosts: 2, Articles: 35, Topic: topic, First: 2 * s.seed}
	start, host := "http://"+traps.Portal+"/", s.name+".test"
	if s.inside {
		host = web.Host(0)
	}
	by := s.by(t, web) // learns from the web without the trap
	if s.name != "" {
		web.Lead = []string{traps.Entrance(s.name, host)}
	}
	farm := traps.New(web)
	defer farm.Close()
	trapped := func(host, path string) bool {
		return s.name != "" && (traps.Family(host) == s.name || host == web.Host(0) && traps.HasGrown(s.name, path))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.inside && trapped(r.Host, r.URL.Path) {
			farm.Grow(s.name).ServeHTTP(w, r)
			return
		}
		farm.ServeHTTP(w, r)
	}))
	defer server.Close()
	live := fetch.NewLive(fetch.LiveOptions{UserAgent: "Nightjar/test", Timeout: 3 * time.Second,
		Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: server.Listener.Addr().String()}}})
	defer live.Close()
	starts := []string{start}
	if s.inside {
		starts = append(starts, "http://"+web.Host(0)+"/")
	}
	_, err := crawler.Run(t.Context(), live, by, crawler.Options{
		Starts: starts, Budget: crawler.Budget{Pages: s.budget}, Trap: trap.New(trap.Options{Pages: s.budget, Starts: starts}),
		OnFetch: func(f *crawler.Fetch) {
			host, path := weburl.Host(f.URL), pathOf(f.URL)
			switch {
			case trapped(host, path):
				v.trapped += f.Cost
			case f.Response.Outcome == fetch.OK:
				v.good = append(v.good, web.Relevant(host, path))
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func pathOf(url string) string {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return ""
	}
	return r.URL.Path
}

// strategies are what the traps are tried with.
var strategies = map[string]func(*testing.T, traps.Good) strategy.Strategy{
	"link-value": mustLearn,
	"wide":       func(*testing.T, traps.Good) strategy.Strategy { return wide{} },
}

// TestGrowingTraps: a family of addresses that grows and brings nothing takes at most a fifth of a budget of 200 pages in a
// web of 81 good ones, whatever its shape and wherever it is. The good pages come as they come without it.
func TestGrowingTraps(t *testing.T) {
	effort.Long(t)
	leaveOutRaced(t)
	const budget, seeds, half = 200, 3, 40
	for by, strategy := range strategies {
		crawl := func(name string, inside bool, seed int) visit {
			return small{name: name, inside: inside, seed: seed, budget: budget, by: strategy}.mustCrawl(t)
		}
		for _, inside := range []bool{false, true} {
			var plain []visit
			for seed := range seeds {
				plain = append(plain, crawl("", inside, seed))
			}
			for _, name := range traps.Growing() {
				worst, good, atHalf, wantHalf, found, want := 0, 0, 0, 0, 0, 0
				for seed := range seeds {
					v := crawl(name, inside, seed)
					worst, good = max(worst, v.trapped), good+len(v.good)
					atHalf, wantHalf = atHalf+v.found(half), wantHalf+plain[seed].found(half)
					found, want = found+v.found(budget), want+plain[seed].found(budget)
				}
				t.Logf("%s, %s, inside %v: at most %d pages; %d good ones; of the topic %d of %d, after %d pages %d of %d",
					by, name, inside, worst, good/seeds, found, want, half, atHalf, wantHalf)
				if worst*100 > budget*20 {
					t.Errorf("%s, %s, inside %v: %d of %d pages", by, name, inside, worst, budget)
				}
				if found*100 < want*95 || atHalf*100 < wantHalf*95 {
					t.Errorf("%s, %s, inside %v: %d pages about the topic instead of %d; after %d good pages %d instead of %d",
						by, name, inside, found, want, half, atHalf, wantHalf)
				}
			}
		}
	}
}
