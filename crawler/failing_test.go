package crawler_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// TestHostRests: a host that fails three times in a row is left alone, its links cost nothing, and the rest of the web
// is read.
func TestHostRests(t *testing.T) {
	for name, bad := range map[string]func(url string) *fetch.Response{
		"unreachable": silent,
		"timeout": func(url string) *fetch.Response {
			return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Reason: "timeout", Took: 10 * time.Second}
		},
		"500":                    func(url string) *fetch.Response { return status(url, 500) },
		"503":                    func(url string) *fetch.Response { return status(url, 503) },
		"429":                    func(url string) *fetch.Response { return status(url, 429) },
		"robots.txt unreachable": func(url string) *fetch.Response { return robots(url, 0) },
		"robots.txt 500":         func(url string) *fetch.Response { return robots(url, 500) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFickle(3, 30)
				w.fail = func(url string, _ int) *fetch.Response {
					if strings.HasPrefix(url, "http://h1.test/") && url >= "http://h1.test/1" {
						return bad(url)
					}
					return nil
				}
				n := w.mustCrawl(t, crawler.Options{Workers: 2})
				asked := 0
				for u, k := range w.times {
					if strings.HasPrefix(u, "http://h1.test/") && u != "http://h1.test/0" {
						asked += k
					}
				}
				if asked < 2 || asked > 3 {
					t.Errorf("the host was asked %d times after it failed, want at most 3", asked)
				}
				if len(n.pauses) != 0 || n.result.Outcomes[fetch.OK] != 61 {
					t.Errorf("pauses %q, outcomes %v", n.pauses, n.result.Outcomes)
				}
				cost := 0
				for _, f := range n.fetches {
					if f.Page == nil {
						cost += f.Cost
					}
				}
				if name == "500" { // not tried again: it costs what it is
					cost--
				}
				if cost > 2 {
					t.Errorf("%d pages of budget for a host that rests", cost)
				}
				w.mustKeepDelay(t)
			})
		})
	}
}

// robots is the result for a page whose robots.txt could not be read.
func robots(url string, status int) *fetch.Response {
	return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Later, Reason: "robots.txt", Exchanges: []fetch.Exchange{
		{URL: "http://" + weburl.Host(url) + "/robots.txt", Purpose: fetch.ForRobots, Status: status, Reason: "robots.txt"},
	}}
}

// TestComesBack: a page that fails once is read later and costs one page; a host that answers in between does not rest.
func TestComesBack(t *testing.T) {
	for name, bad := range map[string]func(url string) *fetch.Response{
		"unreachable": silent, "503": func(url string) *fetch.Response { return status(url, 503) },
		"429": func(url string) *fetch.Response { return status(url, 429) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFickle(4, 12)
				w.fail = func(url string, asked int) *fetch.Response {
					if asked == 1 && strings.HasSuffix(url, "3") {
						return bad(url)
					}
					return nil
				}
				n := w.mustCrawl(t, crawler.Options{Workers: 2})
				w.mustReadAll(t, n)
				if n.result.Resting != 0 {
					t.Errorf("%d hosts rest", n.result.Resting)
				}
			})
		})
	}
}

// TestRedirectToDeadHost: when a host redirects to one that does not answer, the host that does not answer rests.
func TestRedirectToDeadHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 30)
		w.fail = func(url string, _ int) *fetch.Response {
			if !strings.HasPrefix(url, "http://h1.test/2") {
				return nil
			}
			r := silent(url)
			r.FinalURL = "http://dead.test/"
			r.Exchanges = []fetch.Exchange{{URL: url, Purpose: fetch.ForPage, Status: 302}}
			return r
		}
		n := w.mustCrawl(t, crawler.Options{Workers: 2})
		if n.result.Outcomes[fetch.OK] != 60-11 || n.result.Resting != 1 || n.result.Queued != 0 {
			t.Errorf("%+v", n.result)
		}
	})
}

// TestLater: a link whose host asks for a long silence waits for it, and costs nothing until then.
func TestLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 6)
		until := time.Now().Add(3 * time.Hour)
		w.fail = func(url string, _ int) *fetch.Response {
			if strings.HasPrefix(url, "http://h1.test/") && time.Now().Before(until) {
				w.mu.Lock()
				w.next["h1.test"] = until
				w.mu.Unlock()
				return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Later, Reason: "its host is to be left alone"}
			}
			return nil
		}
		n := w.mustCrawl(t, crawler.Options{Workers: 2})
		w.mustReadAll(t, n)
		if w.times["http://h1.test/0"] != 2 {
			t.Errorf("asked %d times, want 2", w.times["http://h1.test/0"])
		}
	})
}

// TestSleep: fetches in flight that timed out because the machine slept are retried and cost nothing; a clock that is set
// back stops nothing.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(5, 20)
		c := &jumping{}
		w.clock = c
		w.fail = func(url string, asked int) *fetch.Response {
			if strings.HasSuffix(url, "/7") && asked <= 2 {
				if asked == 2 { // a second failure would be the last
					time.AfterFunc(time.Second, func() { c.jump(8 * time.Hour) })
				}
				return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Reason: "timeout", Took: 10 * time.Second}
			}
			if strings.HasSuffix(url, "/15") && asked == 1 {
				c.jump(-9 * time.Hour)
			}
			return nil
		}
		began := time.Now()
		n := w.mustCrawl(t, crawler.Options{Workers: 5, Clock: c})
		w.mustReadAll(t, n)
		w.mustKeepDelay(t)
		if took := time.Since(began); took > 10*time.Minute || len(n.pauses) > 0 || n.result.Resting > 0 {
			t.Errorf("took %v, pauses %q, %d hosts rest", took, n.pauses, n.result.Resting)
		}
		if n.result.Spent > 10*time.Minute {
			t.Errorf("the sleep cost %v of the running time", n.result.Spent)
		}
	})
}

// TestSleepTwice: a page whose request the machine slept through twice is given up. Otherwise a third request could follow,
// and more after crashes.
func TestSleepTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(3, 10)
		c := &jumping{}
		w.clock = c
		const unlucky = "http://h1.test/7"
		w.fail = func(url string, asked int) *fetch.Response {
			if url != unlucky || asked > 2 {
				return nil
			}
			time.AfterFunc(time.Second, func() { c.jump(8 * time.Hour) })
			return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Reason: "timeout", Took: 10 * time.Second,
				Exchanges: []fetch.Exchange{{URL: url, Purpose: fetch.ForPage}}}
		}
		n := w.mustCrawl(t, crawler.Options{Workers: 3, Clock: c})
		if w.times[unlucky] != 2 || n.result.Outcomes[fetch.Canceled] != 1 || n.result.Outcomes[fetch.OK] != 3*10-1 {
			t.Errorf("requested %d times, outcomes %v", w.times[unlucky], n.result.Outcomes)
		}
	})
}

// jumping is a clock that can be set.
type jumping struct{ by atomicDuration }

func (c *jumping) Now() time.Time                       { return time.Now().Add(c.by.load()) }
func (c *jumping) NewTimer(d time.Duration) *time.Timer { return time.NewTimer(d) }
func (c *jumping) jump(d time.Duration)                 { c.by.add(d) }

// atomicDuration is a duration for concurrent use.
type atomicDuration struct{ n atomic.Int64 }

func (d *atomicDuration) load() time.Duration { return time.Duration(d.n.Load()) }
func (d *atomicDuration) add(x time.Duration) { d.n.Add(int64(x)) }
