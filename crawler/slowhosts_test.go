package crawler_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// slowCrawl is how long the crawls of TestSlowHosts last.
const slowCrawl = 2 * time.Minute

// besideSlow is a fickle web whose first hosts are slow; it counts the pages that the others answered and the fetches in
// flight.
type besideSlow struct {
	*fickle
	slow      map[string]bool
	ends      time.Time
	good      int // pages answered before ends
	now, most int // fetches in flight
}

func (w *besideSlow) Fetch(ctx context.Context, url string) fetch.Response {
	w.mu.Lock()
	w.now++
	w.most = max(w.most, w.now)
	w.mu.Unlock()
	r := w.fickle.Fetch(ctx, url)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now--
	if !w.slow[weburl.Host(url)] && time.Now().Before(w.ends) {
		w.good++
	}
	return r
}

// crawlBesideSlow crawls 20 good hosts, and as many slow ones as given, for slowCrawl. answer returns what a slow host answers.
func crawlBesideSlow(t *testing.T, slow int, answer func(w *fickle, url string) fetch.Response) *besideSlow {
	t.Helper()
	w := &besideSlow{fickle: newFickle(slow+20, 100), slow: map[string]bool{}}
	synctest.Test(t, func(t *testing.T) {
		w.ends = time.Now().Add(slowCrawl)
		ctx, cancel := context.WithDeadline(t.Context(), w.ends)
		defer cancel()
		o := crawler.Options{Workers: 8, Live: true}
		for h := range slow {
			w.slow[weburl.Host(w.url(h, 0))] = true
		}
		for i := range 20 { // the slow hosts come first, and do not run out of links
			for h := range slow {
				o.Starts = append(o.Starts, w.url(h, i))
			}
			if i == 0 {
				o.Starts = append(o.Starts, w.starts()[slow:]...)
			}
		}
		w.fail = func(url string, _ int) *fetch.Response {
			if !w.slow[weburl.Host(url)] {
				return nil
			}
			r := answer(w.fickle, url)
			return &r
		}
		r, err := crawler.Run(ctx, w, counting{}, o)
		if err != nil || r.End != crawler.Stopped {
			t.Errorf("ended by %v, %q: %v", r.End, r.StopReason, err)
		}
		w.mustKeepDelay(t)
	})
	return w
}

// TestSlowHosts: beside 50 slow hosts, 20 good ones keep at least 80 % of their rate, and the fetches in flight stay bounded.
func TestSlowHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	alone := crawlBesideSlow(t, 0, nil)
	if alone.good < 20*50 {
		t.Errorf("20 good hosts alone answered %d pages", alone.good)
	}
	for _, tt := range []struct {
		name   string
		answer func(w *fickle, url string) fetch.Response
	}{
		{"the body drips", func(_ *fickle, url string) fetch.Response {
			return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Status: 200, Reason: "too slow", Took: 10 * time.Second}
		}},
		{"no header", func(_ *fickle, url string) fetch.Response {
			return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Reason: "timed out", Took: 10 * time.Second}
		}},
		{"pages take long", func(w *fickle, url string) fetch.Response {
			r := w.answer(url)
			r.Took = 25 * time.Second
			return r
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := crawlBesideSlow(t, 50, tt.answer)
			t.Logf("good hosts answered %d pages alone, %d beside 50 slow ones; at most %d fetches in flight", alone.good, w.good, w.most)
			if w.good*100 < alone.good*80 {
				t.Errorf("20 good hosts answered %d pages beside 50 slow ones, %d alone", w.good, alone.good)
			}
			if w.most > 8+6*8 {
				t.Errorf("%d fetches in flight", w.most)
			}
		})
	}
}
