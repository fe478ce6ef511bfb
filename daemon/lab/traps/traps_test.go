package traps_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/traps"
	"nightjar/model"
)

// topic is a word of relevant articles.
const topic = "vernalisation"

// wide is breadth-first with a judge that knows the topic's word: it follows whatever comes, which is the worst that a
// guard can be given.
type wide struct{}

func (wide) Name() string { return "wide" }

func (wide) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{Relevant: strings.Contains(v.Page.Text, topic), Cluster: -1}, nil
}

// outcome is what a crawl of the farm cost and brought.
type outcome struct {
	trapped int            // pages of budget that went to traps
	family  map[string]int // to each
	good    int            // to pages of the ordinary web
	finds   []string       // that are none: copies, and pages for what does not exist
}

// setup is a crawl to be made.
type setup struct {
	web     traps.Good
	budget  int
	learned bool // by link-value with a model, otherwise wide
	free    bool // without a guard
}

func (s setup) mustCrawl(t *testing.T) (out outcome) {
	t.Helper()
	farm := traps.New(s.web)
	server := httptest.NewServer(farm)
	defer server.Close()
	defer farm.Close()
	live := fetch.NewLive(fetch.LiveOptions{
		UserAgent: "Nightjar/test", Timeout: 3 * time.Second, Probe: true,
		Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: server.Listener.Addr().String()}},
	})
	defer live.Close()
	starts := []string{"http://" + traps.Portal + "/"}
	o := crawler.Options{Starts: starts, Budget: crawler.Budget{Pages: s.budget}, Workers: 4}
	if !s.free {
		o.Trap = trap.New(trap.Options{Pages: s.budget, Starts: starts})
	}
	out.family = map[string]int{}
	o.OnFetch = func(f *crawler.Fetch) {
		name := traps.Family(weburl.Host(f.URL))
		switch {
		case name != "":
			out.family[name] += f.Cost
			out.trapped += f.Cost
			if f.Find() && (name == "soft404" || name == "mirror") {
				out.finds = append(out.finds, f.URL)
			}
		default:
			out.good += f.Cost
		}
	}
	var by strategy.Strategy = wide{}
	if s.learned {
		by = mustLearn(t, s.web)
	}
	r, err := crawler.Run(t.Context(), live, by, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, budget %d, guarded %v: %d pages (%s), %d good, %d in traps %v", by.Name(), s.budget, !s.free, r.Fetched, r.StopReason,
		out.good, out.trapped, fmt.Sprint(out.family))
	return out
}

// mustLearn makes the strategy that learns, from a session on one of the web's sites.
func mustLearn(t *testing.T, web traps.Good) strategy.Strategy {
	t.Helper()
	name := fmt.Sprintf("%+v", web)
	if learned[name] == nil {
		learned[name] = mustModel(t, web)
	}
	s, err := strategy.New(t.Context(), "link-value", learned[name])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// learned are the models of webs, each trained once. No two tests run at the same time.
var learned = map[string]*model.Bundle{}

// mustModel trains on a session on a web.
func mustModel(t *testing.T, web traps.Good) *model.Bundle {
	t.Helper()
	set := model.TrainingSet{Topic: topic}
	at := map[string]int{}
	var links [][]page.Link
	add := func(url string) {
		if _, known := at[url]; known || len(set.Pages) == 60 || weburl.Host(url) != web.Host(0) {
			return
		}
		w := httptest.NewRecorder()
		web.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		p, err := page.Parse(url, page.ContentUTF8, w.Body.Bytes())
		if err != nil || w.Code != 200 {
			t.Fatal(url, w.Code, err)
		}
		at[url] = len(set.Pages)
		set.Pages = append(set.Pages, model.Page{URL: url, Title: p.Title, Text: p.Text, Target: strings.Contains(p.Text, topic)})
		links = append(links, p.Links)
	}
	add("http://" + web.Host(0) + "/")
	for i := 0; i < len(links); i++ {
		for _, l := range links[i] {
			add(l.URL)
		}
	}
	for from, all := range links {
		for _, l := range all {
			if to, ok := at[l.URL]; ok && to != from {
				set.Edges = append(set.Edges, [2]int{from, to})
			}
		}
	}
	b, err := model.Train(context.Background(), set, model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// leaveOutRaced skips a test that counts pages of many: the race detector sees as much in the small ones.
func leaveOutRaced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("left out: it takes minutes under the race detector")
	}
}

// TestTrapsAreCheap: eleven kinds of traps together take at most 5 % of a budget of 2,000 pages and 20 % of one of 200,
// whatever the strategy, what is left goes to good pages, and copies and pages for what does not exist are no finds.
// Entrances count as traps.
func TestTrapsAreCheap(t *testing.T) {
	for _, tt := range []struct {
		budget, percent int
		learned         bool
	}{{200, 20, false}, {200, 20, true}, {2000, 5, false}, {2000, 5, true}} {
		if raced && tt.budget > 200 {
			continue
		}
		web := traps.Good{Hosts: 30, Articles: 100, Topic: topic, Lead: traps.Entrances()}
		out := setup{web: web, budget: tt.budget, learned: tt.learned}.mustCrawl(t)
		if out.trapped*100 > tt.budget*tt.percent {
			t.Errorf("budget %d: %d pages in traps", tt.budget, out.trapped)
		}
		if out.good*100 < tt.budget*(100-tt.percent) {
			t.Errorf("budget %d: %d good pages", tt.budget, out.good)
		}
		if len(out.finds) > 0 {
			t.Errorf("finds that are none: %v", out.finds)
		}
	}
}

// TestNoTrapIsDear: of a long crawl no kind of trap takes more than 2 %, and 95 % goes to good pages. TestTrapsAreCheap asks the same of
// all kinds together in shorter crawls, for each change.
func TestNoTrapIsDear(t *testing.T) {
	effort.AtNight(t)
	leaveOutRaced(t)
	const budget = 10_000
	web := traps.Good{Hosts: 130, Articles: 100, Topic: topic, Lead: append(traps.Entrances(), traps.Babble)}
	out := setup{web: web, budget: budget}.mustCrawl(t)
	for name, n := range out.family {
		if n*100 > budget*2 {
			t.Errorf("%s: %d of %d pages", name, n, budget)
		}
	}
	if out.good*100 < budget*95 {
		t.Errorf("%d good pages of %d", out.good, budget)
	}
}

// TestTrapsWithoutGuard: the farm is a trap to whoever does not look out.
func TestTrapsWithoutGuard(t *testing.T) {
	web := traps.Good{Hosts: 30, Articles: 100, Topic: topic, Lead: traps.Entrances()}
	if out := (setup{web: web, budget: 300, free: true}).mustCrawl(t); out.trapped < 150 {
		t.Errorf("%d of 300 pages in traps", out.trapped)
	}
}

// TestBabble: sentences made up on the spot are new text, and nothing but their share of the budget tells them from a
// large site without anything relevant.
func TestBabble(t *testing.T) {
	leaveOutRaced(t)
	web := traps.Good{Hosts: 30, Articles: 100, Topic: topic, Lead: []string{traps.Babble}}
	if out := (setup{web: web, budget: 1000}).mustCrawl(t); out.trapped > 42 {
		t.Errorf("%d of 1000 pages", out.trapped)
	}
}

// TestGoodWebIsCrawledToItsEnd: a guard with a large budget keeps nothing of an ordinary web from being read.
func TestGoodWebIsCrawledToItsEnd(t *testing.T) {
	leaveOutRaced(t)
	web := traps.Good{Hosts: 8, Articles: 60, Topic: topic}
	if out := (setup{web: web, budget: 2000}).mustCrawl(t); out.good != web.Pages() {
		t.Errorf("%d of %d pages", out.good, web.Pages())
	}
}
