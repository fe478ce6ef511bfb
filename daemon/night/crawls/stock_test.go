package crawls

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestFullFrontierLosesNothing: links for which a crawl has no room in memory wait in the store and come back, so that nights read
// the whole web once, also when each ends and the next begins with more links than it can hold, or reads the stored pages again.
func TestFullFrontierLosesNothing(t *testing.T) {
	effort.Long(t)
	whole := newNights(t, "test")
	whole.crawl(whole.open(), crawler.Budget{})
	want := whole.done()
	for name := range crawlStrategies {
		for _, tt := range []struct {
			most, pages int
			reread      bool
		}{{10, 0, false}, {10, 40, false}, {25, 40, true}, {1, 60, false}} {
			t.Run(fmt.Sprint(name, tt), func(t *testing.T) {
				n := newNights(t, name)
				for night := 0; ; night++ {
					c := n.open()
					if tt.reread {
						storetest.Change(t, n.s, `UPDATE crawls SET valued = 0 WHERE id = ? AND ?`, c.ID, night > 0)
					}
					r := mustRunCrawl(n, n.s, c.ID, crawler.Budget{Pages: 9}, crawlStrategies[name](), crawlClient{n.url}, crawler.Options{
						Budget: crawler.Budget{Pages: tt.pages}, MaxQueued: tt.most,
					})
					storetest.OK(t, End(t.Context(), n.s.DB, c.ID, r.StopReason))
					if r.StopReason == "no links left" || night > 20 {
						break
					}
				}
				if got := n.done(); !slices.Equal(got, want) {
					t.Errorf("%d addresses are done, want the %d of one crawl with room for all links", len(got), len(want))
				}
				n.onlyOnce()
			})
		}
	}
}

// done lists the addresses that are done, those of redirects, too.
func (n *nights) done() []string {
	n.Helper()
	all, err := db.Query(n.Context(), n.s.Readers, db.ScanText, `SELECT url FROM frontier JOIN topics ON queue = crawl_id WHERE status = 'done' ORDER BY url`)
	if err != nil {
		n.Fatal(err)
	}
	return all
}

// nothing is a Fetcher that notes what it is asked for and has no page.
type nothing struct{ asked []string }

func (*nothing) ReadyAt(string) time.Time { return time.Time{} }

func (f *nothing) Fetch(_ context.Context, url string) fetch.Response {
	f.asked = append(f.asked, url)
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Status, Status: 404}
}

// TestLongQueueInOrder: a queue that memory does not hold is followed in its order, those first whose fetches were interrupted.
func TestLongQueueInOrder(t *testing.T) {
	n := newNights(t, "test")
	first := n.open()
	random := rand.New(rand.NewPCG(1, 2))
	extreme := []int32{math.MinInt32, math.MinInt32 + 1, -1, 0, 1, math.MaxInt32 - 1, math.MaxInt32}
	var want []frontier.Entry
	for i := range 400 {
		e := frontier.Entry{URL: fmt.Sprintf("http://h%d.test/%d", i%3, random.Uint32()), Seq: int64(100 + i), Depth: 1}
		for range random.IntN(3) {
			e.Priority = append(e.Priority, extreme[random.IntN(len(extreme))])
		}
		want = append(want, e)
	}
	mustPutLinks(t, n.s, first.Queue, want)
	storetest.Change(t, n.s, `UPDATE frontier SET attempts = 1 WHERE seq = 333`)
	want[333-100].Attempts = 1
	slices.SortFunc(want, func(a, b frontier.Entry) int {
		if a.Before(&b) {
			return -1
		}
		return 1
	})
	f := &nothing{}
	mustRunCrawl(t, n.s, first.ID, crawler.Budget{Pages: 9}, crawlStrategy{}, f, crawler.Options{MaxQueued: 40, Workers: 1})
	got := slices.DeleteFunc(f.asked, func(u string) bool { return u == crawlURL(0) })
	for i, e := range want {
		if i >= len(got) || got[i] != e.URL {
			t.Fatalf("link %d of %d was %v, want %s of priority %v", i, len(got), got[i:min(i+1, len(got))], e.URL, e.Priority)
		}
	}
}

func mustPutLinks(tb testing.TB, s *store.Store, queue int64, entries []frontier.Entry) {
	tb.Helper()
	storetest.OK(tb, s.Write(tb.Context(), func(tx *sql.Tx) error { return putEntries(tb.Context(), tx, queue, entries) }))
}

// TestFoundAgain: a link that waits in the store only and is found again keeps what it is worth there, unless it is now worth more.
// One that the crawl holds becomes what the crawl says.
func TestFoundAgain(t *testing.T) {
	for _, tt := range []struct {
		before, now strategy.Priority
		known, want bool
	}{
		{strategy.Priority{5}, strategy.Priority{4}, false, false},
		{strategy.Priority{5}, strategy.Priority{5}, false, false},
		{strategy.Priority{5}, strategy.Priority{5, 1}, false, true},
		{strategy.Priority{-5}, strategy.Priority{}, false, true},
		{strategy.Priority{}, strategy.Priority{-1}, false, false},
		{strategy.Priority{5}, strategy.Priority{4}, true, true},
	} {
		s, c := mustStoreWithCrawl(t, Options{})
		e := frontier.Entry{URL: "http://h.test/a", Seq: 7, Depth: 3, Priority: tt.before, Anchor: "first", Note: []byte("note")}
		mustPutLinks(t, s, c.Queue, []frontier.Entry{e})
		again := frontier.Entry{URL: e.URL, Seq: 9, Depth: 2, Priority: tt.now, Anchor: "again"}
		if tt.known {
			again.Seq = e.Seq
		}
		mustPutLinks(t, s, c.Queue, []frontier.Entry{again})
		got := mustResume(t, s, c.ID)
		if len(got) != 1 || (got[e.URL].Anchor == "again") != tt.want {
			t.Errorf("%v, then %v, known %v: %+v", tt.before, tt.now, tt.known, got)
		}
	}
}

// TestBestIsSought: each step through a long queue begins where the last one ended.
func TestBestIsSought(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{})
	for text, want := range map[string]string{sameQueued: "status=? AND <expr>=? AND (seq,url)>(?,?))", worseQueued: "status=? AND <expr>>?)"} {
		var id, parent, unused int
		var plan string
		args := []any{c.Queue, 1, 1, "", 9}
		storetest.OK(t, s.Readers.QueryRow("EXPLAIN QUERY PLAN "+text, args[:strings.Count(text, "?")]...).Scan(&id, &parent, &unused, &plan))
		if !strings.HasSuffix(plan, want) {
			t.Error(plan)
		}
	}
}
