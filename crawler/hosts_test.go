package crawler

import (
	"testing"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
)

// anytime is a fetcher whose hosts may be contacted at any time.
type anytime struct{ fetch.Fetcher }

func (anytime) ReadyAt(string) time.Time { return time.Time{} }

func newTestHosts(o Options) *hosts {
	o.Live = true
	m := &meter{clock: clock.Func(func() time.Time { return time.Unix(1_800_000_000, 0) })}
	m.begin(Budget{}, 0)
	h := newHosts(anytime{}, &o, newRecorder(&o), m)
	h.frontier = frontier.New(0, h.readyAt)
	return h
}

func answered(url string, status int) *fetched {
	return &fetched{
		entry:    frontier.Entry{URL: url, Host: "a.test"},
		response: fetch.Response{FinalURL: url, Status: status, Exchanges: []fetch.Exchange{{URL: url, Purpose: fetch.ForPage, Status: status}}},
	}
}

// TestHostsFull: pages in flight count for the limit of a site; only pages read count for that of a host.
func TestHostsFull(t *testing.T) {
	h := newTestHosts(Options{Budget: Budget{PerHost: 2, PerSite: 3}})
	h.charge("a.example.org", "http://a.example.org/", 1)
	h.reserve("http://b.example.org/1")
	if h.full("a.example.org") {
		t.Error("full with 2 of 3 pages of the site")
	}
	h.reserve("http://b.example.org/2")
	if !h.full("c.example.org") {
		t.Error("the site has its 3 pages, two in flight")
	}
	h.release("http://b.example.org/1")
	h.charge("a.example.org", "http://a.example.org/", 1)
	h.release("http://b.example.org/2")
	if !h.full("a.example.org") || h.full("b.example.org") {
		t.Error("one host is full, its site is not")
	}
	h.closeFull("b.example.org")
	if h.capped {
		t.Error("closed a host that is not full")
	}
	h.closeFull("a.example.org")
	if !h.capped || h.frontier.Add(frontier.Entry{URL: "http://a.example.org/x", Host: "a.example.org"}) != frontier.Closed {
		t.Error("a full host takes links")
	}
}

// TestHostsRest: a host rests after three failures in a row, an answer in between clears them, and each change is recorded.
func TestHostsRest(t *testing.T) {
	h := newTestHosts(Options{})
	for i := range 3 {
		h.frontier.Add(frontier.Entry{URL: "http://a.test/" + string(rune('a'+i)), Host: "a.test"})
	}
	h.strike("a.test", "it answered 500")
	h.strike("a.test", "it answered 500")
	h.hold(answered("http://a.test/a", 500))
	if until := h.readyAt("http://a.test/a").Sub(h.meter.looked); until != 4*holdFirst {
		t.Errorf("left alone for %v after two failures", until)
	}
	h.forgive(answered("http://a.test/a", 200))
	if _, ok := h.recorder.batch.Failing["a.test"]; !ok || len(h.failing) != 0 || !h.readyAt("http://a.test/a").IsZero() {
		t.Errorf("an answer forgives: %v, ready %v", h.failing, h.readyAt("http://a.test/a"))
	}
	for range 3 {
		h.strike("a.test", "it answered 502")
	}
	if f := h.recorder.batch.Failing["a.test"]; f.Rests != "failed 3 times in a row; the last time: it answered 502" {
		t.Errorf("recorded %+v", f)
	}
	h.putBack(frontier.Entry{URL: "http://a.test/d", Host: "a.test"})
	if h.resting != 1 || h.left != 4 || h.frontier.Len() != 0 {
		t.Errorf("%d hosts rest with %d links, %d are queued", h.resting, h.left, h.frontier.Len())
	}
}

// TestNoLinks: what is said when no link is left, with what waits for the next crawl.
func TestNoLinks(t *testing.T) {
	const limits = "no links left within the limits of pages per host and site"
	for _, tt := range []struct {
		kept      map[string]int
		forbidden int
		want      string
	}{
		{nil, 0, limits},
		{map[string]int{"a.test": 1}, 0, limits + "; 1 link of a.test waits for the next crawl"},
		{map[string]int{"a.test": 2, "b.test": 0}, 0, limits + "; 2 links of a.test wait for the next crawl"},
		{map[string]int{"a.test": 1, "b.test": 4}, 1, limits + "; 4 links of b.test and 1 of other hosts wait for the next crawl, except 1 page that robots.txt forbids"},
	} {
		h := newTestHosts(Options{})
		h.capped, h.kept = true, tt.kept
		if got := h.noLinks(tt.forbidden); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
