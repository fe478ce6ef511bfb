package corpus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
)

// TestReadWeb checks pages, order and links of a small web: a redirect is one link to its page, a link that the
// recording lacks is none, and neither is a page that nothing leads to.
func TestReadWeb(t *testing.T) {
	s := site{"/a": "/b /r /c", "/b": "/a /missing /c /b", "/c": "/d /r", "/d": "", "/r": "-> /d", "/z": "/a"}
	w, err := ReadWeb(t.Context(), open(t, record(t, s, "/a", "/b", "/c", "/d", "/r", "/z")), []string{host + "/a", host + "/none", host + "/r"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{host + "/a", host + "/d", host + "/b", host + "/c"}; !slices.Equal(w.Pages(), want) {
		t.Errorf("pages %v, want %v", w.Pages(), want)
	}
	want := "[[1 2] [3 2 4] [] [1 4] [2]]" // of the start, a, d, b, c
	if got := fmt.Sprint(w.links); got != want {
		t.Errorf("links %s, want %s", got, want)
	}
	if n := w.Count(func(url string) bool { return url >= host+"/c" }); n != 2 {
		t.Errorf("%d relevant pages", n)
	}
}

func TestReadWebStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadWeb(ctx, open(t, record(t, wiki, wikiPaths...)), []string{host + "/africa"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a search that was stopped", err)
	}
}

// TestReadWebIsWhatACrawlReaches checks on random sites that a crawl without a budget reads just the pages of the web.
func TestReadWebIsWhatACrawlReaches(t *testing.T) {
	for seed := range uint64(10) {
		s, paths, _ := campus(60, seed)
		rng := rand.New(rand.NewPCG(seed, 7))
		for range 6 { // redirects, links to nowhere and links with secrets
			from, to := paths[rng.IntN(60)], paths[rng.IntN(60)]
			s[from] += " /alias" + to[1:] + " /nowhere /in?password=hunter2 /logout"
			s["/alias"+to[1:]] = "-> " + to
			paths = append(paths, "/alias"+to[1:])
		}
		s["/in?password=hunter2"], s["/logout"] = "", ""
		slices.Sort(paths)
		paths = append(slices.Compact(paths), "/in?password=hunter2", "/logout")
		replay, starts := open(t, record(t, s, paths...)), []string{host + "/p3", host + "/p1"}
		w, err := ReadWeb(t.Context(), replay, starts)
		if err != nil {
			t.Fatal(err)
		}
		crawled := crawlAll(t, replay, starts)
		known := slices.Sorted(slices.Values(w.Pages()))
		if slices.Sort(crawled); !slices.Equal(crawled, known) {
			t.Errorf("seed %d: a crawl reads %d pages, the web has %d:\n%v\n%v", seed, len(crawled), len(known), crawled, known)
		}
	}
}

// blind is a strategy to which all links are one.
type blind struct{}

func (blind) Name() string { return "blind" }

func (blind) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	return strategy.Judgement{Cluster: -1, Priorities: make([]strategy.Priority, len(v.Page.Links))}, nil
}

// crawlAll is the final URLs that a crawl without a budget reads.
func crawlAll(t *testing.T, f fetch.Fetcher, starts []string) []string {
	t.Helper()
	var urls []string
	_, err := crawler.Run(t.Context(), f, blind{}, crawler.Options{Starts: starts, OnFetch: func(f *crawler.Fetch) {
		if f.Page != nil {
			urls = append(urls, f.FinalURL)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return urls
}
