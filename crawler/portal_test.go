package crawler_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

const login = "<title>Welcome target</title><p>Accept the terms of the station's network <a href=http://portal.test/terms>terms</a>"

// portals are the ways in which a captive portal answers for every host.
var portals = map[string]func(url string) *fetch.Response{
	"same page": func(url string) *fetch.Response {
		r := ok(url, login)
		return &r
	},
	"page with the address in it": func(url string) *fetch.Response {
		r := ok(url, login+fmt.Sprintf("<form action=/login?to=%s><input name=x></form>", url))
		return &r
	},
	"redirect": func(url string) *fetch.Response {
		r := ok(url, login)
		r.FinalURL = "http://portal.test/login"
		return &r
	},
	"redirect to a page that knows the address": func(url string) *fetch.Response {
		r := ok(url, login)
		r.FinalURL = "http://portal.test/login?to=" + weburl.Host(url)
		return &r
	},
}

// TestPortal: a captive portal is detected within five fetches. Its answers are undone, it leaves no find, and every page is
// read once it has gone.
func TestPortal(t *testing.T) {
	for name, answer := range portals {
		for _, workers := range []int{1, 4} {
			for _, when := range []time.Duration{-time.Second, 20 * time.Second} {
				t.Run(fmt.Sprint(name, ", ", workers, " workers, after ", when), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						testPortal(t, answer, workers, when)
					})
				})
			}
		}
	}
}

func testPortal(t *testing.T, answer func(string) *fetch.Response, workers int, when time.Duration) {
	w := newFickle(6, 14)
	from, to := time.Now().Add(when), time.Now().Add(time.Hour)
	answered := 0
	var noticed time.Time
	w.fail = func(url string, _ int) *fetch.Response {
		w.mu.Lock()
		defer w.mu.Unlock()
		if now := time.Now(); now.Before(from) || now.After(to) {
			return nil
		}
		if noticed.IsZero() {
			answered++
		}
		return answer(url)
	}
	undone := map[int]bool{}
	j := &undoing{fetches: map[int]*crawler.Fetch{}, undone: undone}
	o := crawler.Options{Workers: workers, Starts: w.starts(), Live: true, Journal: j}
	var pauses []string
	o.OnPause = func(why string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if pauses = append(pauses, why); noticed.IsZero() {
			noticed = time.Now()
		}
	}
	r, err := crawler.Run(t.Context(), w, counting{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(pauses) != 2 || !strings.Contains(pauses[0], "same page") || pauses[1] != "" {
		t.Fatalf("pauses %q", pauses)
	}
	if answered > 4+workers { // three, the page that was read before, and what is under way
		t.Errorf("%d fetches until it noticed", answered)
	}
	read := map[string]int{}
	for n, f := range j.fetches {
		if undone[n] {
			continue
		}
		if strings.Contains(string(f.Response.Body), "station") || f.Relevant {
			t.Errorf("the portal's page counts as %s", f.URL)
		}
		read[f.URL]++
	}
	if len(read) != 84 || r.Fetched != 84 || r.Relevant != 0 || r.Outcomes[fetch.OK] != 84 {
		t.Errorf("%d pages read, %+v", len(read), r)
	}
	for u, n := range read {
		if n != 1 {
			t.Errorf("%s recorded %d times", u, n)
		}
	}
}

// undoing is a journal that collects undone fetches, and the links that wait for the next crawl.
type undoing struct {
	fetches map[int]*crawler.Fetch
	undone  map[int]bool
	held    map[string]int // the page that holds a link, by URL
}

func (j *undoing) Commit(_ context.Context, b *crawler.Batch) error {
	for _, f := range b.Fetches {
		j.fetches[f.N] = f
		for _, e := range f.Held {
			if _, ok := j.held[e.URL]; !ok && j.held != nil {
				j.held[e.URL] = e.Parent
			}
		}
	}
	for _, n := range b.Undone {
		j.undone[n] = true
	}
	for _, e := range b.Unlinked {
		if j.held[e.URL] == e.Parent {
			delete(j.held, e.URL)
		}
	}
	return nil
}

// TestPortalHoldsNothing: links to a host that reached its limit that only a portal's page holds do not wait for the next crawl,
// and those that a page holds as well wait as links of that page.
func TestPortalHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(6, 6)
		from, to := time.Now().Add(12*time.Second), time.Now().Add(time.Hour)
		w.fail = func(url string, _ int) *fetch.Response {
			if strings.HasPrefix(url, "http://full.") {
				r := ok(url, "<title>Small</title><p>all of it")
				return &r
			}
			text := "<title>Page</title><p>"
			for i := range 40 {
				text += fmt.Sprintf("%s%d ", url[len("http://"):], i*i)
			}
			links := "<a href=http://full.test/2>2</a>"
			if now := time.Now(); !now.Before(from) && !now.After(to) {
				text, links = login, "<a href=http://full.test/2>2</a><a href=http://full.test/login>log in</a>"
			} else if !now.After(to) {
				links = ""
			}
			real := w.answer(url)
			if text != login {
				text += string(real.Body)
			}
			r := ok(url, text+links)
			return &r
		}
		j := &undoing{fetches: map[int]*crawler.Fetch{}, undone: map[int]bool{}, held: map[string]int{}}
		starts := append([]string{"http://full.test/1"}, w.starts()...)
		r, err := crawler.Run(t.Context(), w, counting{}, crawler.Options{Workers: 1, Starts: starts, Live: true, Journal: j, Budget: crawler.Budget{PerHost: 6},
			Resume: &crawler.Resume{Queued: crawler.StartEntries(starts), Hosts: map[string]int{"full.test": 5}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(j.undone) < 2 {
			t.Errorf("%d pages were taken back: the test proves little", len(j.undone))
		}
		by, waits := j.held["http://full.test/2"]
		if !waits || j.undone[by] || len(j.held) != 1 {
			t.Errorf("waiting: %v; undone: %v", j.held, j.undone)
		}
		if !strings.Contains(r.StopReason, "; 1 link of full.test and 1 of other hosts wait") {
			t.Errorf("the crawl ended with %q", r.StopReason)
		}
	})
}

// TestSamePageElsewhere: sites that show the same page are not mistaken for a portal while a page that was read before is
// unchanged.
func TestSamePageElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(12, 3)
		w.fail = func(url string, _ int) *fetch.Response {
			if strings.HasPrefix(url, "http://h0.") || strings.HasPrefix(url, "http://h1.") {
				return nil
			}
			r := ok(url, "<title>Parked</title><p>This domain is for sale")
			return &r
		}
		n := w.mustCrawl(t, crawler.Options{})
		if len(n.pauses) != 0 || n.result.Fetched != 16 {
			t.Errorf("pauses %q, fetched %d, want 16", n.pauses, n.result.Fetched)
		}
		if extra := len(w.asked) - n.result.Fetched; extra != 1 {
			t.Errorf("%d requests to see whether there is a portal, want 1", extra)
		}
	})
}
