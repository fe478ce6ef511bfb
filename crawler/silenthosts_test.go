package crawler_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// crawlBehindSilent crawls 20 good hosts of 50 pages that come after silent ones, whose requests fail after the time given. No host answers
// before on. Workers elsewhere fetch, many pages at once, if away says so. It returns the web and the outcome after hours of crawling.
func crawlBehindSilent(t *testing.T, silentOnes int, fails time.Duration, on time.Duration, hours int, away bool) (w *fickle, n *night, began time.Time) {
	t.Helper()
	const good, pages = 20, 50
	w = newFickle(silentOnes+good, pages)
	dead := map[string]bool{}
	for h := range silentOnes {
		dead[weburl.Host(w.url(h, 0))] = true
	}
	synctest.Test(t, func(t *testing.T) {
		began = time.Now()
		ctx, cancel := context.WithDeadline(t.Context(), began.Add(time.Duration(hours)*time.Hour))
		defer cancel()
		w.fail = func(url string, _ int) *fetch.Response {
			if !dead[weburl.Host(url)] && time.Since(began) >= on {
				return nil
			}
			r := silent(url)
			r.Took = fails
			return r
		}
		n = &night{}
		o := crawler.Options{Workers: 8, Live: true, OnFetch: func(f *crawler.Fetch) { n.fetches = append(n.fetches, f) }}
		o.OnPause = func(why string) { n.pauses, n.paused = append(n.pauses, why), append(n.paused, time.Now()) }
		for i := range 3 { // the silent hosts come first
			for h := range silentOnes {
				o.Starts = append(o.Starts, w.url(h, i))
			}
		}
		o.Starts = append(o.Starts, w.starts()[silentOnes:]...)
		if away {
			d := newDesk(w, 64)
			o.Dispatch, o.Journal = d, newBook(d, o.Starts)
		}
		var err error
		if n.result, err = crawler.Run(ctx, w, counting{}, o); err != nil {
			t.Fatal(err)
		}
		w.mustKeepDelay(t)
		if got := len(n.read()); got != good*pages {
			t.Errorf("%d pages of good hosts were read, not %d; ended by %v %q; pauses %q", got, good*pages, n.result.End, n.result.StopReason, n.pauses)
		}
	})
	return w, n, began
}

// TestSilentHostsFirst: a crawl whose first 200 hosts never answer comes to the good ones soon, however long requests take to fail.
func TestSilentHostsFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, fails := range []time.Duration{time.Millisecond, 30 * time.Second} {
		t.Run(fails.String(), func(t *testing.T) { silentHostsFirst(t, fails, false) })
		t.Run(fails.String()+", with workers", func(t *testing.T) { silentHostsFirst(t, fails, true) })
	}
}

func silentHostsFirst(t *testing.T, fails time.Duration, away bool) {
	t.Helper()
	w, n, began := crawlBehindSilent(t, 200, fails, 0, 2, away)
	if len(n.fetches) == 0 || len(n.paused) != 2 {
		t.Fatalf("%d pages, pauses %q", len(n.fetches), n.pauses)
	}
	after := n.paused[1].Sub(began)
	t.Logf("the first answer came after %v; %d requests in all", after.Round(time.Second), len(w.asked))
	if after > 10*time.Minute {
		t.Errorf("the first host answered after %v", after)
	}
	read := n.read()
	for url, times := range w.times {
		if _, found := slices.BinarySearch(read, url); !found && times > 4 { // one that was read may have been requested as a probe
			t.Errorf("%s was requested %d times", url, times)
		}
	}
}

// TestNetworkOffAtStart: when the network is off at the start of a crawl, the crawl waits, gives up no page, and asks no host often;
// silent hosts do not keep it from the others when the network is back.
func TestNetworkOffAtStart(t *testing.T) {
	const on = 2 * time.Hour
	for _, dead := range []int{0, 200} {
		w, n, began := crawlBehindSilent(t, dead, time.Millisecond, on, 8, false)
		if len(n.paused) != 2 || !strings.Contains(n.pauses[0], "got no answer") || n.pauses[1] != "" {
			t.Fatalf("%d silent hosts: pauses %q", dead, n.pauses)
		}
		if late := n.paused[0].Sub(began); late > 3*time.Minute {
			t.Errorf("%d silent hosts: the outage was noticed after %v", dead, late)
		}
		if late := n.paused[1].Sub(began.Add(on)); late > 46*time.Minute { // three probes
			t.Errorf("%d silent hosts: the crawl went on %v after the network was back", dead, late)
		}
		off := map[string]int{} // requests in the outage, by host
		all := 0
		for _, r := range w.asked {
			if r.at.Before(began.Add(on)) {
				off[weburl.Host(r.url)]++
				all++
			}
		}
		t.Logf("%d silent hosts: %d requests to %d hosts in the outage of %v", dead, all, len(off), on)
		for host, times := range off {
			if times > 16 { // 1, 2, 4, 8, 15, 15, … minutes
				t.Errorf("%d silent hosts: %s was asked %d times in the outage", dead, host, times)
			}
		}
		if all > 10*100+18 { // 10 probes; before, 10 in a row and 8 in flight
			t.Errorf("%d silent hosts: %d requests in the outage", dead, all)
		}
	}
}
