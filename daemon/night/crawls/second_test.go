package crawls

import (
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustTwo crawls some pages of the made-up web with two strategies.
func mustTwo(t *testing.T, pages int) (*store.Store, Crawl, []*crawler.Fetch) {
	t.Helper()
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}, Second: "learner", SecondShare: 20})
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	var all []*crawler.Fetch
	mustRunCrawl(t, s, c.ID, crawler.Budget{}, crawlStrategy{}, crawlClient{server.URL}, crawler.Options{
		Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) { all = append(all, f) },
	})
	return s, c, all
}

// TestSecondIsKept: what both strategies know about links, what they learned and all picks come back as they were. A crawl that
// ended keeps only the picks.
func TestSecondIsKept(t *testing.T) {
	s, c, all := mustTwo(t, 60)
	r, err := Resume(t.Context(), s.DB, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]any{}
	var picks []strategy.PickCost
	for _, f := range all {
		for _, e := range f.Queued {
			last[e.URL] = e.Note
		}
		if f.Learned != nil {
			last["learned"] = f.Learned
		}
		if f.Pick != 0 {
			picks = append(picks, strategy.PickCost{N: f.Pick, Cost: f.Cost})
		}
	}
	if !reflect.DeepEqual(last["learned"], r.Learned) || len(r.Learned) == 0 || !slices.Equal(r.Picked, picks) || len(picks) < 40 {
		t.Errorf("learned %q, picked %v; want %q, %v", r.Learned, r.Picked, last["learned"], picks)
	}
	n := 0
	mustLinks(t, r, func(e any, url string) {
		n++
		if !reflect.DeepEqual(e, last[url]) {
			t.Errorf("%s: %+v, want %+v", url, e, last[url])
		}
	})
	if n < 10 {
		t.Errorf("%d links", n)
	}
	if err := End(t.Context(), s.DB, c.ID, "done"); err != nil {
		t.Fatal(err)
	}
	if n := storetest.Count(t, s, "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM frontier WHERE note IS NOT NULL)"); n != 0 {
		t.Errorf("%d things that the strategies knew are left", n)
	}
	if got := storetest.Count(t, s, "SELECT count(DISTINCT abs(pick)) FROM fetches WHERE pick <> 0"); got != len(picks) {
		t.Errorf("%d picks of %d", got, len(picks))
	}
}

func mustLinks(t *testing.T, r *crawler.Resume, each func(note any, url string)) {
	t.Helper()
	if err := r.Links(t.Context(), func(e frontier.Entry) { each(e.Note, e.URL) }); err != nil {
		t.Fatal(err)
	}
}

// TestErasedSiteLeavesNoNotes: erasing a site takes what two strategies keep about links with it, and what they learned.
func TestErasedSiteLeavesNoNotes(t *testing.T) {
	s, c, all := mustTwo(t, 40)
	host := all[len(all)-1].FinalURL
	host, _, _ = strings.Cut(strings.TrimPrefix(host, "http://"), "/")
	if _, err := eraseHost(t.Context(), s, host); err != nil {
		t.Fatal(err)
	}
	if n := storetest.Count(t, s, "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM frontier WHERE note IS NOT NULL)"); n != 0 {
		t.Errorf("%d things that the strategies knew are left", n)
	}
	if _, err := Resume(t.Context(), s.DB, c.ID); err != nil {
		t.Error(err)
	}
}
