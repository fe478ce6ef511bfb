package crawler_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// mustWaits crawls a web and returns what the crawl said that it waits for.
func (w *fickle) mustWaits(t *testing.T, o crawler.Options) (waits []crawler.Wait, n *night) {
	t.Helper()
	o.OnWait = func(wait crawler.Wait) { waits = append(waits, wait) }
	n = w.mustCrawl(t, o)
	return waits, n
}

// silence lets a host rest for a time, as its Retry-After asks.
func (w *fickle) silence(host string, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next[host] = time.Now().Add(d)
}

// TestWaitIsSaid: a crawl whose only host must not be asked says for whom it waits, until when and why, and that it goes on.
func TestWaitIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(1, 8)
		w.fail = func(url string, asked int) *fetch.Response {
			if url == w.url(0, 0) && asked == 1 {
				return robots(url, 0)
			}
			return nil
		}
		began := time.Now()
		waits, n := w.mustWaits(t, crawler.Options{})
		w.mustReadAll(t, n)
		if len(waits) != 2 || waits[1] != (crawler.Wait{}) {
			t.Fatalf("waits %+v", waits)
		}
		until := waits[0].Until.Sub(began)
		waits[0].Until = time.Time{}
		if want := (crawler.Wait{Host: "h0.test", Why: "its robots.txt did not answer"}); waits[0] != want || until < time.Minute || until > 2*time.Minute {
			t.Errorf("waits for %+v, for %v", waits[0], until)
		}
	})
}

// TestNothingDueInTime: a crawl ends when none of its links may be followed in time, and not before it has read what may be.
func TestNothingDueInTime(t *testing.T) {
	for name, tooLate := range map[string]func(time.Time) func(time.Time) string{
		"within a time": func(time.Time) func(time.Time) string { return crawler.Within(2*time.Minute, time.Now) },
		"within a window": func(began time.Time) func(time.Time) string {
			return func(at time.Time) string {
				if at.Before(began.Add(5 * time.Hour)) {
					return ""
				}
				return "before the window closes at 06:00"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFickle(3, 9)
				w.fail = func(url string, _ int) *fetch.Response {
					if host := weburl.Host(url); host != "h0.test" && url[len(url)-1] == '2' {
						w.silence(host, 24*time.Hour)
						return status(url, 429)
					}
					return nil
				}
				began := time.Now()
				waits, n := w.mustWaits(t, crawler.Options{TooLate: tooLate(began)})
				if n.result.End != crawler.Late || n.result.Queued < 2 || !n.result.Waits.Far {
					t.Errorf("%+v", n.result)
				}
				if want := "nothing can be fetched " + tooLate(began)(began.Add(24*time.Hour)) + ": 2 hosts with links must not be asked before"; n.result.StopReason != want {
					t.Errorf("%q, want %q", n.result.StopReason, want)
				}
				if took := time.Since(began); took > 5*time.Minute {
					t.Errorf("it ended after %v; it waited for %+v", took, waits)
				}
				for i := range w.pages {
					if !slices.Contains(n.read(), w.url(0, i)) {
						t.Errorf("%s was not read", w.url(0, i))
					}
				}
			})
		})
	}
}

// TestLateWithDoubt: attempts whose fault is not known yet do not keep a crawl from ending in which nothing is due in time, when no
// page may be requested to see whether the network works.
func TestLateWithDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 9)
		w.fail = func(url string, _ int) *fetch.Response {
			switch {
			case weburl.Host(url) == "h1.test":
				return robots(url, 0)
			case url == w.url(0, 2):
				w.silence("h0.test", 24*time.Hour)
				return status(url, 429)
			}
			return nil
		}
		began := time.Now()
		waits, n := w.mustWaits(t, crawler.Options{TooLate: crawler.Within(2*time.Minute, time.Now)})
		if n.result.End != crawler.Late || len(n.pauses) != 0 || time.Since(began) > 10*time.Minute {
			t.Errorf("after %v, with pauses %q and waits %+v: %+v", time.Since(began), n.pauses, waits, n.result)
		}
	})
}

func TestWaitInWords(t *testing.T) {
	until := time.Date(2026, 11, 21, 3, 11, 5, 0, time.UTC)
	for want, w := range map[string]crawler.Wait{
		"": {},
		"waits for www.example.org until 03:12 (its robots.txt did not answer)":   {Host: "www.example.org", Until: until, Why: "its robots.txt did not answer"},
		"waits for a.test until 03:12 (it asked for a pause) and for 1 more host": {Host: "a.test", Until: until, Why: "it asked for a pause", More: 1},
		"waits for a.test until 03:11 and for 12 more hosts":                      {Host: "a.test", Until: until.Add(-5 * time.Second), More: 12},
		"waits for a.test until 03:12 on 21 November":                             {Host: "a.test", Until: until, Far: true},
	} {
		if got := w.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
