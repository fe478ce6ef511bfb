package crawler_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestNetworkOff: when no host answers any more, the crawl waits, probes now and then, and goes on when the network is
// back, as if nothing had happened.
func TestNetworkOff(t *testing.T) {
	for _, hosts := range []int{1, 2, 3, 12} {
		for _, workers := range []int{1, 4} {
			t.Run(fmt.Sprint(hosts, " hosts, ", workers, " workers"), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := newFickle(hosts, 60/hosts+15)
					began := time.Now()
					off, on := began.Add(20*time.Second), began.Add(2*time.Hour)
					w.fail = func(url string, _ int) *fetch.Response {
						if now := time.Now(); now.After(off) && now.Before(on) {
							if strings.Contains(url, "1.test") {
								return robots(url, 0)
							}
							return silent(url)
						}
						return nil
					}
					n := w.mustCrawl(t, crawler.Options{Workers: workers})
					w.mustReadAll(t, n)
					w.mustKeepDelay(t)
					if len(n.pauses) != 2 || !strings.Contains(n.pauses[0], "got no answer") || n.pauses[1] != "" {
						t.Fatalf("pauses %q", n.pauses)
					}
					if late := n.paused[0].Sub(off); late > 3*time.Minute {
						t.Errorf("it noticed after %v", late)
					}
					if late := n.paused[1].Sub(on); late > 16*time.Minute {
						t.Errorf("it went on %v after the network was back", late)
					}
					before, during := 0, 0
					var last time.Time
					for _, r := range w.asked {
						switch {
						case r.at.After(off) && r.at.Before(n.paused[0]):
							before++
						case r.at.After(n.paused[0]) && r.at.Before(on):
							if !last.IsZero() && r.at.Sub(last) > 15*time.Minute+time.Second {
								t.Errorf("%v between two probes", r.at.Sub(last))
							}
							last = r.at
							during++
						}
					}
					if before > 11+workers { // 10 in a row and the one page that was read before
						t.Errorf("%d requests until it noticed", before)
					}
					if during > 2*13 { // 1, 2, 4, 8, 15, 15, ... minutes, two requests each
						t.Errorf("%d requests in the two hours", during)
					}
					if n.result.Spent > 30*time.Minute {
						t.Errorf("the wait cost %v of the running time", n.result.Spent)
					}
				})
			})
		}
	}
}

// TestNeverAnswered: a crawl whose hosts have never answered does not wait for the network; it ends and says so.
func TestNeverAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 5)
		w.fail = func(url string, _ int) *fetch.Response { return silent(url) }
		n := w.mustCrawl(t, crawler.Options{})
		if len(n.pauses) != 0 || n.result.End != crawler.NoLinks || n.result.Outcomes[fetch.Network] != 2 {
			t.Errorf("pauses %q, %+v", n.pauses, n.result)
		}
		if len(w.asked) != 4 {
			t.Errorf("asked %d times, want each page twice", len(w.asked))
		}
	})
}

// TestDeadHosts: dead hosts, however many, are not mistaken for an outage while a page that was read before still answers.
func TestDeadHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(15, 1)
		w.fail = func(url string, asked int) *fetch.Response {
			if asked == 2 && strings.Contains(url, "//h0.") { // not yet
				return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Later}
			}
			if !strings.Contains(url, "//h0.") {
				return silent(url)
			}
			return nil
		}
		n := w.mustCrawl(t, crawler.Options{Workers: 3})
		if len(n.pauses) != 0 || n.result.End != crawler.NoLinks {
			t.Errorf("pauses %q, %+v", n.pauses, n.result)
		}
		if n.result.Outcomes[fetch.Network] != 14 || n.result.Outcomes[fetch.OK] != 1 {
			t.Errorf("outcomes %v", n.result.Outcomes)
		}
		if probes := w.times["http://h0.test/0"] - 1; probes < 1 || probes > 8 {
			t.Errorf("the page that was read was requested %d more times", probes)
		}
	})
}

// TestFlapping: with requests lost at random, by a seed, every page that is not lost twice is read, no page is requested a
// third time, and no outage is suspected.
func TestFlapping(t *testing.T) {
	for seed := range uint64(6) {
		synctest.Test(t, func(t *testing.T) {
			w := newFickle(6, 40)
			random := rand.New(rand.NewPCG(seed, 3))
			lost := map[string]int{}
			w.fail = func(url string, _ int) *fetch.Response {
				w.mu.Lock()
				defer w.mu.Unlock()
				if random.IntN(10) > 0 {
					return nil
				}
				lost[url]++
				if r := silent(url); random.IntN(2) == 0 {
					return r
				}
				return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Timeout, Reason: "timeout"}
			}
			n := w.mustCrawl(t, crawler.Options{Workers: 4})
			twice := 0
			for _, k := range lost {
				if k > 1 {
					twice++
				}
			}
			if got := n.result.Outcomes[fetch.Network] + n.result.Outcomes[fetch.Timeout]; got != twice && n.result.Resting == 0 {
				t.Errorf("seed %d: %d recorded as lost, want %d", seed, got, twice)
			}
			for _, f := range n.fetches {
				if k := w.times[f.URL]; k > 2 && f.Page == nil {
					t.Errorf("seed %d: %s requested %d times", seed, f.URL, k)
				}
			}
			w.mustKeepDelay(t)
		})
	}
}

// TestStopInSilence: a crawl that is stopped while no host answers puts back its attempts, as if they had not been made.
func TestStopInSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(20, 3)
		ctx, stop := context.WithCancelCause(t.Context())
		w.fail = func(url string, asked int) *fetch.Response {
			w.mu.Lock()
			defer w.mu.Unlock()
			if len(w.asked) == 9 {
				stop(crawler.Stop("paused by you"))
			}
			if len(w.asked) <= 4 {
				return nil
			}
			return silent(url)
		}
		j := &returning{begun: map[string]bool{}}
		r, err := crawler.Run(ctx, w, counting{}, crawler.Options{Starts: w.starts(), Live: true, Journal: j})
		if err != nil || r.End != crawler.Stopped || r.Fetched != 4 {
			t.Errorf("%+v, %v", r, err)
		}
		if len(j.begun) > 0 {
			t.Errorf("begun and neither recorded nor put back: %v", j.begun)
		}
		if r.Queued != 16+4*2 {
			t.Errorf("%d links left, want 24", r.Queued)
		}
	})
}

// returning is a journal that tracks fetches that started and have not ended.
type returning struct{ begun map[string]bool }

func (j *returning) Commit(_ context.Context, b *crawler.Batch) error {
	for _, f := range b.Fetches {
		delete(j.begun, f.URL)
	}
	for _, e := range b.Back {
		delete(j.begun, e.URL)
	}
	for _, u := range b.Begun {
		j.begun[u] = true
	}
	return nil
}
