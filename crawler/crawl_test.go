package crawler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

const start = "http://start.test/"

// mustCrawl crawls the small web and returns what was fetched, in order.
func mustCrawl(tb testing.TB, w *web, o crawler.Options) ([]*crawler.Fetch, crawler.Result) {
	tb.Helper()
	if o.Starts == nil && o.Resume == nil {
		o.Starts = []string{start}
	}
	var all []*crawler.Fetch
	seen := o.OnFetch
	o.OnFetch = func(f *crawler.Fetch) {
		all = append(all, f)
		if seen != nil {
			seen(f)
		}
	}
	r, err := crawler.Run(tb.Context(), mustClient(tb, w), counting{}, o)
	if err != nil {
		tb.Fatal(err)
	}
	return all, r
}

func urls(all []*crawler.Fetch) []string {
	var us []string
	for _, f := range all {
		us = append(us, strings.TrimPrefix(f.URL, "http://"))
	}
	return us
}

func byURL(tb testing.TB, all []*crawler.Fetch, url string) *crawler.Fetch {
	tb.Helper()
	for _, f := range all {
		if f.URL == "http://"+url {
			return f
		}
	}
	tb.Fatalf("%s was not fetched", url)
	return nil
}

// TestOrder: links follow in order of their priority, equal ones in order of discovery; frames have the priority of their
// frameset; links on a copy come last; and nothing that must not be followed is fetched.
func TestOrder(t *testing.T) {
	all, r := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{})
	want := []string{
		"start.test/",
		"start.test/dull", "good.test/", // both by the start page (1 good), in its order; good.test/ brings 3
		"good.test/two", "good.test/one", // by good.test/ (3 good); two was known first, from /dull, and was raised
		"good.test/noindex", // by one (4)
		"good.test/copy",
		"start.test/frames", // of start
		"start.test/old", "start.test/gone", "start.test/private/x",
		"frame.test/menu", "frame.test/body", // priority of the frameset, found later
		"start.test/only-from-dull", // 0
		"frame.test/inside",         // 0, found later
		"good.test/from-copy",       // last: by a copy
	}
	if got := urls(all); !slices.Equal(got, want) {
		t.Errorf("order:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.StopReason != "no links left, except 1 page that robots.txt forbids" || r.End != crawler.NoLinks {
		t.Errorf("stopped by %q (%d)", r.StopReason, r.End)
	}
	if r.Fetched != len(want)-1 { // robots.txt's refusal is free
		t.Errorf("fetched %d, want %d", r.Fetched, len(want)-1)
	}
	if r.Relevant != 4 { // one, two, noindex, body; the copy brings no credit
		t.Errorf("relevant %d, want 4", r.Relevant)
	}
	if got, want := r.Outcomes[fetch.Robots], 1; got != want {
		t.Errorf("robots refusals %d, want %d", got, want)
	}
}

func TestCreditAndFinds(t *testing.T) {
	all, _ := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{})
	for _, tt := range []struct {
		url            string
		relevant, find bool
	}{
		{"good.test/one", true, true},
		{"good.test/two", true, true},
		{"frame.test/body", true, true},
		{"good.test/copy", false, false},
		{"good.test/noindex", true, false},
		{"start.test/old", false, false},
		{"start.test/frames", false, false},
	} {
		f := byURL(t, all, tt.url)
		if f.Relevant != tt.relevant || f.Find() != tt.find {
			t.Errorf("%s: relevant %v find %v (%s), want %v %v", tt.url, f.Relevant, f.Find(), f.NoFind, tt.relevant, tt.find)
		}
	}
	if old := byURL(t, all, "start.test/old"); old.Page != nil || old.FinalURL != "http://good.test/" {
		t.Errorf("a redirect to a page that was read: page %v, final %s", old.Page, old.FinalURL)
	}
}

// TestRedirectCountsAsVisit: after a redirect to a page, the page is not fetched under its own URL.
func TestRedirectCountsAsVisit(t *testing.T) {
	w := mustWeb(t, "testdata/web.txtar")
	all, _ := mustCrawl(t, w, crawler.Options{Starts: []string{"http://start.test/old", "http://good.test/"}})
	if n := w.asked["good.test/"]; n != 1 {
		t.Errorf("good.test/ requested %d times, want 1", n)
	}
	first := all[0]
	if !slices.Equal(first.Done, []string{"http://start.test/old", "http://good.test/"}) || first.Page == nil {
		t.Errorf("done %v, page %v", first.Done, first.Page)
	}
}

// TestTrail: pages keep the way from the start page with anchors and states; a frameset page is no step of it.
func TestTrail(t *testing.T) {
	all, _ := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{})
	for _, tt := range []struct {
		url   string
		trail []string
	}{
		{"good.test/one", []string{"http://start.test/  1", "http://good.test/ the good site 2", "http://good.test/one one 3"}},
		{"frame.test/body", []string{"http://start.test/  1", "http://frame.test/body framed 2"}},
		{"frame.test/inside", []string{"http://start.test/  1", "http://frame.test/menu framed 2", "http://frame.test/inside inside 3"}},
		// good.test/two was found on /dull first; the better path through good.test/ replaced that.
		{"good.test/two", []string{"http://start.test/  1", "http://good.test/ the good site 2", "http://good.test/two two 3"}},
	} {
		f := byURL(t, all, tt.url)
		var got []string
		for _, s := range trailOf(all, f) {
			got = append(got, fmt.Sprintf("%s %s %.0f", s.FinalURL, s.Anchor, s.Judgement.States[0]))
		}
		if !slices.Equal(got, tt.trail) {
			t.Errorf("%s:\n%q\nwant\n%q", tt.url, got, tt.trail)
		}
		if f.Depth != len(tt.trail)-1 {
			t.Errorf("%s: depth %d, want %d", tt.url, f.Depth, len(tt.trail)-1)
		}
	}
}

// trailOf lists the fetches on the way from the start page to a page, both included.
func trailOf(all []*crawler.Fetch, f *crawler.Fetch) (trail []*crawler.Fetch) {
	for n := f.N; n != 0; n = trail[0].ParentN {
		trail = slices.Insert(trail, 0, all[slices.IndexFunc(all, func(f *crawler.Fetch) bool { return f.N == n })])
	}
	return trail
}

func TestBudgets(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		o       crawler.Options
		fetched int
		reason  string
	}{
		{"pages", crawler.Options{Budget: crawler.Budget{Pages: 4}}, 4, "budget of 4 pages used"},
		{"one page", crawler.Options{Budget: crawler.Budget{Pages: 1}}, 1, "budget of 1 page used"},
		{"bytes", crawler.Options{Budget: crawler.Budget{Bytes: 100}}, 1, "budget of 100 bytes used"},
		{"time", crawler.Options{Budget: crawler.Budget{Time: time.Minute}}, 6, "budget of 1 minute used"},
		{"pages a host", crawler.Options{Budget: crawler.Budget{PerHost: 1}}, 2,
			"no links left within the limits of pages per host and site; 5 links of start.test and 3 of other hosts wait for the next crawl"},
		{"pages a site", crawler.Options{Budget: crawler.Budget{PerSite: 2}}, 4,
			"no links left within the limits of pages per host and site; 5 links of start.test and 2 of other hosts wait for the next crawl"},
		{"pages, four at a time", crawler.Options{Budget: crawler.Budget{Pages: 5}, Workers: 4}, 5, "budget of 5 pages used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var fetched atomic.Int64 // workers read the clock, too
			tt.o.Clock = clock.Func(func() time.Time { return day.Add(time.Duration(fetched.Load()) * 10 * time.Second) })
			tt.o.OnFetch = func(*crawler.Fetch) { fetched.Add(1) }
			_, r := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), tt.o)
			if r.Fetched != tt.fetched || r.StopReason != tt.reason {
				t.Errorf("fetched %d, %q; want %d, %q", r.Fetched, r.StopReason, tt.fetched, tt.reason)
			}
		})
	}
}

// TestWorkersSameWeb: with any number of workers, every page of the web is read once.
func TestWorkersSameWeb(t *testing.T) {
	one, _ := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{})
	want := slices.Sorted(slices.Values(urls(one)))
	for workers := 2; workers <= 8; workers *= 2 {
		w := mustWeb(t, "testdata/web.txtar")
		all, _ := mustCrawl(t, w, crawler.Options{Workers: workers})
		if got := slices.Sorted(slices.Values(urls(all))); !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, want %v", workers, got, want)
		}
	}
}

// TestTurns: a crawl in turns does what it does in one go.
func TestTurns(t *testing.T) {
	want, _ := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{})
	var all []*crawler.Fetch
	c, err := crawler.New(mustClient(t, mustWeb(t, "testdata/web.txtar")), counting{}, crawler.Options{
		Starts: []string{start}, OnFetch: func(f *crawler.Fetch) { all = append(all, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for end := crawler.Turn; end == crawler.Turn; turns++ {
		r, err := c.Run(t.Context(), crawler.Budget{Pages: 2})
		if err != nil {
			t.Fatal(err)
		}
		if end = r.End; end == crawler.Turn && r.StopReason != "" {
			t.Errorf("a turn ended with %q", r.StopReason)
		}
	}
	if !slices.Equal(urls(all), urls(want)) || turns < len(want)/2 {
		t.Errorf("in %d turns: %v", turns, urls(all))
	}
}

// lacking answers Missing for every page but the start page, as a replay does.
type lacking struct{ *client }

func (l lacking) Fetch(ctx context.Context, url string) fetch.Response {
	if url != start {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Missing}
	}
	return l.client.Fetch(ctx, url)
}

func TestMissingPages(t *testing.T) {
	for _, tt := range []struct {
		costs   bool
		fetched int
	}{{false, 1}, {true, 7}} {
		f := lacking{mustClient(t, mustWeb(t, "testdata/web.txtar"))}
		r, err := crawler.Run(t.Context(), f, counting{}, crawler.Options{Starts: []string{start}, MissingCosts: tt.costs})
		if err != nil || r.Fetched != tt.fetched || r.Outcomes[fetch.Missing] != 6 {
			t.Errorf("costs %v: fetched %d, missing %d, %v; want %d, 6", tt.costs, r.Fetched, r.Outcomes[fetch.Missing], err, tt.fetched)
		}
	}
}

// memory answers with a page that links to a second, and never answers for that one before its context ends.
type memory struct{ stalled chan struct{} }

func (m memory) ReadyAt(string) time.Time { return time.Time{} }

func (m memory) Fetch(ctx context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Body: []byte(`<a href="/second">second</a>`)}
	if url != start {
		close(m.stalled)
		<-ctx.Done()
		r.Outcome, r.Body = fetch.Canceled, nil
	}
	return r
}

// TestStop: the reason of a stop is the context's cause. A fetch in flight has two seconds to finish; otherwise it is not
// recorded.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(t.Context())
		f := memory{make(chan struct{})}
		var stopped time.Time
		go func() {
			<-f.stalled
			stopped = time.Now()
			stop(crawler.Stop("window closed at 06:00"))
		}()
		var all []*crawler.Fetch
		r, err := crawler.Run(ctx, f, counting{}, crawler.Options{
			Starts: []string{start}, OnFetch: func(f *crawler.Fetch) { all = append(all, f) },
		})
		if err != nil || r.StopReason != "window closed at 06:00" || r.End != crawler.Stopped {
			t.Errorf("%q, %d, %v", r.StopReason, r.End, err)
		}
		if got, want := urls(all), []string{"start.test/"}; !slices.Equal(got, want) {
			t.Errorf("recorded %v, want %v", got, want)
		}
		if took := time.Since(stopped); took != 2*time.Second {
			t.Errorf("ended %v after the stop, want 2s", took)
		}
	})
}

// TestResume: a crawl goes on from its recorded state. A fetch interrupted once comes first, one interrupted twice
// is given up, and texts and URLs known before bring no credit.
func TestResume(t *testing.T) {
	queued := crawler.StartEntries([]string{"http://good.test/one", "http://good.test/two", "http://frame.test/body"})
	queued[1].Attempts, queued[2].Attempts = 1, 2
	resume := &crawler.Resume{
		Queued: queued, Done: []string{"http://good.test/noindex", start}, LastN: 7, LastSeq: 40,
		Steps:  []crawler.PastStep{{N: 3, URL: start}},
		Totals: crawler.Totals{Fetched: 5, Relevant: 1, Bytes: 100, Spent: time.Minute},
		Hosts:  map[string]int{"good.test": 1},
	}
	resume.Queued[1].Parent, resume.Queued[1].Depth = 3, 1
	resume.Queued[1].Path = []byte{1}
	all, r := mustCrawl(t, mustWeb(t, "testdata/web.txtar"), crawler.Options{Resume: resume})
	if got, want := urls(all), []string{"frame.test/body", "good.test/two", "good.test/one"}; !slices.Equal(got, want) {
		t.Fatalf("fetched %v, want %v", got, want)
	}
	if f := all[0]; f.Response.Outcome != fetch.Canceled || f.Response.Reason != "given up: interrupted twice" || f.N != 8 {
		t.Errorf("interrupted twice: %d %s %q", f.N, f.Response.Outcome, f.Response.Reason)
	}
	if all[1].Parent != start || all[1].ParentN != 3 {
		t.Errorf("its parent is %d, %q", all[1].ParentN, all[1].Parent)
	}
	if r.Fetched != 8 || r.Relevant != 3 {
		t.Errorf("fetched %d, relevant %d; want 8, 3", r.Fetched, r.Relevant)
	}
}

func TestNoStart(t *testing.T) {
	for _, starts := range [][]string{nil, {"http://start.test/?access_token=8f3a9c1d7e5b2a6f4c8d"}} {
		_, err := crawler.Run(t.Context(), mustClient(t, mustWeb(t, "testdata/web.txtar")), counting{}, crawler.Options{Starts: starts})
		if !errors.Is(err, crawler.ErrNoStart) {
			t.Errorf("%v: %v, want ErrNoStart", starts, err)
		}
	}
}

// TestLinksNotFollowed reads each URL through a page that links to it.
func TestLinksNotFollowed(t *testing.T) {
	links := []string{
		"/logout", "/account/sign-out", "/list/unsubscribe?u=1", "/item/7/delete", "/page?action=delete",
		"/x?sessionid_token=abcdef0123456789abcdef", "http://user:pw@start.test/", "mailto:a@b.test", "javascript:void(0)",
		"/a/a/a/a/b", "/" + strings.Repeat("x/", 25), "/" + strings.Repeat("y", 2100),
		"/how-to-delete-stains", "/a/a/b/a", // these two are fine
	}
	w := &web{pages: map[string]string{"start.test/": "<title>x</title>"}, asked: map[string]int{}}
	for _, l := range links {
		w.pages["start.test/"] += fmt.Sprintf("<a href=%q>x</a>", l)
	}
	all, _ := mustCrawl(t, w, crawler.Options{})
	want := []string{"start.test/", "start.test/how-to-delete-stains", "start.test/a/a/b/a"}
	if got := urls(all); !slices.Equal(got, want) {
		t.Errorf("fetched %v, want %v", got, want)
	}
}
