package crawls

import (
	"maps"
	"reflect"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestPutBack: a link that was begun and put back waits as it was, with its tries counted as the crawl says, and so do
// the failures of hosts.
func TestPutBack(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/", "http://b.test/"}})
	j := NewJournal(s.DB, c)
	mustCommit(t, j, &crawler.Batch{Begun: []string{"http://a.test/", "http://b.test/"}})
	before := mustResume(t, s, c.ID)
	if e := before["http://a.test/"]; e.Attempts != 1 || e.Retries != 0 {
		t.Errorf("begun: %+v", e)
	}
	e := before["http://a.test/"]
	e.Attempts, e.Retries = 0, 1
	mustCommit(t, j, &crawler.Batch{Back: []frontier.Entry{e}, Failing: map[string]crawler.HostFailures{
		"a.test": {Strikes: 2}, "b.test": {Strikes: 3, Rests: "failed 3 times"},
	}})
	after := mustResume(t, s, c.ID)
	if !reflect.DeepEqual(after["http://a.test/"], e) || after["http://b.test/"].Attempts != 1 {
		t.Errorf("put back: %+v, want %+v", after, e)
	}
	r, err := Resume(t.Context(), s.DB, c.ID)
	want := map[string]crawler.HostFailures{"a.test": {Strikes: 2}, "b.test": {Strikes: 3, Rests: "failed 3 times"}}
	if err != nil || !maps.Equal(r.Failing, want) {
		t.Errorf("failing %v, %v, want %v", r.Failing, err, want)
	}
	mustCommit(t, j, &crawler.Batch{Failing: map[string]crawler.HostFailures{"a.test": {}}})
	delete(want, "a.test")
	if r, err := Resume(t.Context(), s.DB, c.ID); err != nil || !maps.Equal(r.Failing, want) {
		t.Errorf("failing after an answer %v, %v, want %v", r.Failing, err, want)
	}
}

// TestStrategyErrorsAreKept: how many pages the strategy could not learn from outlives the process.
func TestStrategyErrorsAreKept(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	if v, err := ByID(t.Context(), s.DB, c.ID); err != nil || v.Unlearned != "" {
		t.Errorf("before the first: %q, %v", v.Unlearned, err)
	}
	want := crawler.Totals{Fetched: 9, StrategyErrors: 2, StrategyError: "no minimum found"}
	mustCommit(t, NewJournal(s.DB, c), &crawler.Batch{Totals: want, Fetches: []*crawler.Fetch{{
		N: 1, URL: "http://a.test/", FinalURL: "http://a.test/", Done: []string{"http://a.test/"}, Cost: 1,
		Response: fetch.Response{Outcome: fetch.Status},
	}}})
	if r, err := Resume(t.Context(), s.DB, c.ID); err != nil || r.Totals != want {
		t.Errorf("resumed with %+v, want %+v", r.Totals, want)
	}
	v, err := ByID(t.Context(), s.DB, c.ID)
	if err != nil || v.Unlearned != "The strategy could not learn from 2 pages: no minimum found" {
		t.Errorf("told %q, %v", v.Unlearned, err)
	}
}

// TestUndo: of a fetch that is taken back no find is left, its link waits again as it was, and it counts for nothing,
// also when it was never kept before.
func TestUndo(t *testing.T) {
	for name, together := range map[string]bool{"kept before": false, "in one batch": true} {
		t.Run(name, func(t *testing.T) {
			s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
			j := NewJournal(s.DB, c)
			told := 0
			j.OnFind = func(int64) { told++ }
			link := frontier.Entry{
				URL: "http://b.test/x", Host: "b.test", Priority: strategy.Priority{4, 2}, Seq: 2, Parent: 1, Depth: 1,
				Anchor: "x", Path: []byte{0, 255, 5}, Note: []byte{1, 2},
			}
			mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{{
				N: 1, URL: "http://a.test/", FinalURL: "http://a.test/", Done: []string{"http://a.test/"}, Queued: []frontier.Entry{link},
				Page: &page.Page{}, Response: fetch.Response{Outcome: fetch.OK}, Cost: 1,
			}}})
			want := mustResume(t, s, c.ID)
			portal := &crawler.Fetch{
				N: 2, URL: link.URL, FinalURL: link.URL, ParentN: 1, Done: []string{link.URL}, Page: &page.Page{Text: "log in"},
				Response: fetch.Response{Outcome: fetch.OK, Body: []byte("log in")}, Relevant: true, Cost: 1, TextHash: 7, Simhash: 7,
			}
			read := &crawler.Batch{Fetches: []*crawler.Fetch{portal}, Totals: crawler.Totals{Fetched: 2, Relevant: 1}}
			back := &crawler.Batch{Undone: []int{2}, Back: []frontier.Entry{link}, Totals: crawler.Totals{Fetched: 1}}
			if together {
				back.Fetches = read.Fetches
			} else {
				mustCommit(t, j, read)
			}
			mustCommit(t, j, back)
			if got := mustResume(t, s, c.ID); !reflect.DeepEqual(got, want) {
				t.Errorf("waiting %+v, want %+v", got, want)
			}
			if n := storetest.Count(t, s, "SELECT count(*) FROM finds"); n != 0 {
				t.Errorf("%d finds are left", n)
			}
			if together && told > 0 {
				t.Error("a find was told of that never was one")
			}
			r, err := Resume(t.Context(), s.DB, c.ID)
			if err != nil || len(r.Texts) != 0 || r.Outcomes[fetch.OK] != 1 || r.Hosts["b.test"] != 0 || len(r.Steps) != 1 || len(r.Past) != 1 {
				t.Errorf("%+v, %v", r, err)
			}
			if r.Totals.Fetched != 1 || r.Totals.Relevant != 0 {
				t.Errorf("totals %+v", r.Totals)
			}
		})
	}
}

// TestUndoHeld: links that wait for the next night since an undone page holds them do not wait any more, those that waited before
// do, and a page that holds one later has it wait again.
func TestUndoHeld(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/", "http://b.test/", "http://c.test/"}})
	j := NewJournal(s.DB, c)
	read := func(n int, url string, held ...string) *crawler.Fetch {
		f := &crawler.Fetch{N: n, URL: url, FinalURL: url, Done: []string{url}, Page: &page.Page{}, Response: fetch.Response{Outcome: fetch.OK}, Cost: 1}
		for i, u := range held {
			f.Held = append(f.Held, frontier.Entry{URL: u, Host: "x.test", Priority: strategy.Priority{1}, Seq: int64(10*n + i), Parent: n, Depth: 1})
		}
		return f
	}
	waits := func(want map[string]int) {
		t.Helper()
		got := map[string]int{}
		for url, e := range mustResume(t, s, c.ID) {
			got[url] = e.Parent
		}
		if !maps.Equal(got, want) {
			t.Errorf("waiting %v, want %v", got, want)
		}
	}
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{read(1, "http://a.test/", "http://x.test/1")}})
	portal := read(2, "http://b.test/", "http://x.test/1", "http://x.test/2")
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{portal}})
	waits(map[string]int{"http://c.test/": 0, "http://x.test/1": 1, "http://x.test/2": 2})
	mustCommit(t, j, &crawler.Batch{Undone: []int{2}, Unlinked: portal.Held})
	waits(map[string]int{"http://c.test/": 0, "http://x.test/1": 1})
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{read(3, "http://c.test/", "http://x.test/2", "http://a.test/")}})
	waits(map[string]int{"http://x.test/1": 1, "http://x.test/2": 3})

	// Another page holds the same link, in the batch that takes the first one back.
	portal = read(4, "http://d.test/", "http://x.test/4")
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{portal, read(5, "http://e.test/", "http://x.test/4")}, Undone: []int{4}, Unlinked: portal.Held})
	waits(map[string]int{"http://x.test/1": 1, "http://x.test/2": 3, "http://x.test/4": 5})
	portal = read(6, "http://f.test/", "http://x.test/6")
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{portal}})
	mustCommit(t, j, &crawler.Batch{Fetches: []*crawler.Fetch{read(7, "http://g.test/", "http://x.test/6")}, Undone: []int{6}, Unlinked: portal.Held})
	waits(map[string]int{"http://x.test/1": 1, "http://x.test/2": 3, "http://x.test/4": 5, "http://x.test/6": 7})
}

func mustCommit(tb testing.TB, j *Journal, b *crawler.Batch) {
	tb.Helper()
	storetest.OK(tb, j.Commit(tb.Context(), b))
}

// mustResume lists the links of a crawl that wait, by URL.
func mustResume(tb testing.TB, s *store.Store, id int64) map[string]frontier.Entry {
	tb.Helper()
	r := storetest.Must(Resume(tb.Context(), s.DB, id))(tb)
	all := map[string]frontier.Entry{}
	for _, e := range mustQueued(tb, r) {
		all[e.URL] = e
	}
	return all
}
