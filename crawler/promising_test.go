package crawler_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
)

// dryWeb is a web of one page that links to good pages and, after them, to many poor ones. The host of slow pages must be left
// alone for an hour after each; nothing else takes time.
type dryWeb struct {
	good, poor, slow int
	more             int // good pages that the last poor page links to
	asked            int // pages of slow.test
}

func (w *dryWeb) ReadyAt(url string) time.Time {
	if strings.Contains(url, "slow") && w.asked > 0 {
		return time.Now().Add(time.Hour)
	}
	return time.Time{}
}

func (w *dryWeb) Fetch(_ context.Context, url string) fetch.Response {
	body := "page " + url
	link := func(n int, host string) {
		for i := range n {
			body += fmt.Sprintf(`<p><a href="http://%s.test/%d">%s</a>`, host, i, host)
		}
	}
	switch {
	case url == "http://start.test/":
		link(w.good, "good")
		link(w.slow, "slow")
		link(w.poor, "poor")
	case url == fmt.Sprintf("http://poor.test/%d", w.poor-1):
		link(w.more, "good.more")
	case strings.Contains(url, "slow"):
		w.asked++
	}
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte(body), Bytes: int64(len(body))}
}

// foresees is a strategy that knows the value of a page from its host. When it is blind, it cannot tell.
type foresees struct{ blind bool }

func worthOf(url string) float64 {
	if strings.Contains(url, "good") || strings.Contains(url, "slow") {
		return .9
	}
	return .01
}

func (foresees) Name() string { return "foresees" }

func (foresees) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j := strategy.Judgement{Useful: worthOf(v.URL), Relevant: worthOf(v.URL) > .5}
	for _, l := range v.Page.Links {
		j.Priorities = append(j.Priorities, strategy.Priority{int32(100 * worthOf(l.URL))})
		j.Notes = append(j.Notes, []byte{1})
	}
	return j, nil
}

func (f foresees) Chance(url string, _ []byte) (float64, bool) { return worthOf(url), !f.blind }

func mustDry(t *testing.T, w *dryWeb, s strategy.Strategy, o crawler.Options) crawler.Result {
	t.Helper()
	if o.Starts == nil {
		o.Starts = []string{"http://start.test/"}
	}
	c, err := crawler.New(w, s, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		r, err := c.Run(t.Context(), crawler.Budget{Pages: 17, Idle: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if r.End != crawler.Turn {
			return r
		}
	}
	t.Fatal("the crawl does not end")
	return crawler.Result{}
}

// TestEndsEarly: a crawl ends when the next pages promise too little, and says so; not before it has read enough, and never
// without a threshold.
func TestEndsEarly(t *testing.T) {
	for name, tt := range map[string]struct {
		s     strategy.Strategy
		below float64
		want  crawler.End
	}{
		"foreseen":        {foresees{}, 1, crawler.Unpromising},
		"harvest alone":   {foresees{blind: true}, 1, crawler.Unpromising},
		"never":           {foresees{}, 0, crawler.NoLinks},
		"a low threshold": {foresees{}, .1, crawler.NoLinks},
	} {
		var told []promise.Estimate
		var promised []*float64
		seen := 0
		r := mustDry(t, &dryWeb{good: 40, poor: 900}, tt.s, crawler.Options{StopBelow: tt.below,
			OnEstimate: func(e promise.Estimate) { told = append(told, e) },
			OnFetch: func(f *crawler.Fetch) {
				seen++
				if (f.Promised != nil) != (seen%10 == 0) {
					t.Errorf("%s: page %d: estimated %v", name, seen, f.Promised)
				}
				if f.Promised != nil {
					promised = append(promised, f.Promised)
				}
			}})
		for i, p := range promised { // many pages are stored at once
			if *p != told[i].Next {
				t.Errorf("%s: estimate %d is %v in the end, and was %v", name, i, *p, told[i].Next)
			}
		}
		if r.End != tt.want || tt.want == crawler.NoLinks && r.Fetched != 941 {
			t.Errorf("%s: end %v after %d pages: %s", name, r.End, r.Fetched, r.StopReason)
			continue
		}
		if r.End != crawler.Unpromising {
			continue
		}
		last := told[len(told)-1]
		if r.Fetched < promise.Early || r.Fetched > 600 || r.Fetched != last.Pages || r.Promise != last || r.StopReason != last.Says(1) || r.Queued != 941-r.Fetched {
			t.Errorf("%s: %+v, the last estimate %+v", name, r, last)
		}
		for _, e := range told[:len(told)-1] {
			if e.Below(1) {
				t.Errorf("%s: went on although %+v", name, e)
			}
		}
	}
}

// TestWhatWaitsCounts: neither good links of a host that must be left alone nor start pages that wait let a crawl end.
func TestWhatWaitsCounts(t *testing.T) {
	short := mustDry(t, &dryWeb{good: 40, poor: 900}, foresees{}, crawler.Options{StopBelow: 1})
	slow := mustDry(t, &dryWeb{good: 40, slow: 90, poor: 900}, foresees{}, crawler.Options{StopBelow: 1, Budget: crawler.Budget{Pages: 930}})
	if short.End != crawler.Unpromising || slow.End != crawler.Used {
		t.Errorf("end %v after %d pages without good links, %v after %d with them", short.End, short.Fetched, slow.End, slow.Fetched)
	}
	// The second start page is on the slow host, whose first page was a start page, too.
	starts := []string{"http://start.test/", "http://slow.test/a", "http://slow.test/b"}
	waits := mustDry(t, &dryWeb{good: 40, poor: 900}, foresees{}, crawler.Options{StopBelow: 1, Starts: starts, Budget: crawler.Budget{Pages: 930}})
	if waits.End != crawler.Used {
		t.Errorf("end %v after %d pages while a start page waits", waits.End, waits.Fetched)
	}
}

// TestKnownPagesBringNothing: a crawl over pages that the person knows ends sooner.
func TestKnownPagesBringNothing(t *testing.T) {
	news := mustDry(t, &dryWeb{good: 400, poor: 900}, foresees{blind: true}, crawler.Options{StopBelow: 1})
	known := mustDry(t, &dryWeb{good: 400, poor: 900}, foresees{blind: true}, crawler.Options{StopBelow: 1,
		Known: func(f *crawler.Fetch) bool { return strings.Contains(f.FinalURL, "good") }})
	if news.Fetched <= 400 || known.End != crawler.Unpromising || known.Fetched != promise.Early {
		t.Errorf("%d pages, %d when all are known", news.Fetched, known.Fetched)
	}
}
