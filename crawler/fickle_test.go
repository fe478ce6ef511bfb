package crawler_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// fickle is a web of hosts whose pages are a ring: each links to the next two of its host and, at the first page, to the
// first of the next host. fail decides which requests fail. It keeps a delay per host.
type fickle struct {
	hosts, pages int
	delay, took  time.Duration
	clock        clock.Clock                                 // the crawl's; nil is the machine's
	fail         func(url string, asked int) *fetch.Response // nil: the page is answered

	mu    sync.Mutex
	next  map[string]time.Time
	asked []request
	times map[string]int
	turns sync.Map // one request at a time a host
}

type request struct {
	url string
	at  time.Time
}

func newFickle(hosts, pages int) *fickle {
	return &fickle{hosts: hosts, pages: pages, delay: 2 * time.Second, took: 100 * time.Millisecond, next: map[string]time.Time{}, times: map[string]int{}}
}

func (w *fickle) url(host, i int) string { return fmt.Sprintf("http://h%d.test/%d", host, i) }

func (w *fickle) starts() (all []string) {
	for h := range w.hosts {
		all = append(all, w.url(h, 0))
	}
	return all
}

func (w *fickle) ReadyAt(url string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	next, ok := w.next[weburl.Host(url)]
	if !ok {
		return time.Time{}
	}
	return clock.Or(w.clock).Now().Add(time.Until(next)) // however the clock jumps
}

func (w *fickle) Fetch(ctx context.Context, url string) fetch.Response {
	host := weburl.Host(url)
	turn, _ := w.turns.LoadOrStore(host, make(chan struct{}, 1))
	turn.(chan struct{}) <- struct{}{}
	defer func() { <-turn.(chan struct{}) }()
	w.mu.Lock()
	wait := time.Until(w.next[host])
	w.mu.Unlock()
	time.Sleep(wait)
	w.mu.Lock()
	at := time.Now()
	w.asked = append(w.asked, request{url, at})
	w.times[url]++
	times := w.times[url]
	w.mu.Unlock()
	r := w.answer(url)
	if w.fail != nil {
		if bad := w.fail(url, times); bad != nil {
			r = *bad
		}
	}
	if r.Outcome == fetch.Later {
		w.rest(host)
		return r
	}
	x := fetch.Exchange{URL: url, Purpose: fetch.ForPage, At: at, Status: r.Status, Reason: r.Reason, Bytes: r.Bytes}
	r.Exchanges = append(r.Exchanges, x)
	time.Sleep(cmp.Or(r.Took, w.took))
	w.rest(host)
	return r
}

func (w *fickle) rest(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if next := time.Now().Add(w.delay); next.After(w.next[host]) {
		w.next[host] = next
	}
}

func (w *fickle) answer(url string) fetch.Response {
	var h, i int
	if _, err := fmt.Sscanf(url, "http://h%d.test/%d", &h, &i); err != nil {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Status, Status: 404, Reason: "404"}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%d of %d</title><p>", i, h)
	for k := range 40 { // words of its own
		fmt.Fprintf(&b, "w%dx%dy%d ", h, i, k*k)
	}
	for n := 1; n <= 2 && i+n < w.pages; n++ {
		fmt.Fprintf(&b, "<a href=%q>next</a>", w.url(h, i+n))
	}
	return ok(url, b.String())
}

func ok(url, body string) fetch.Response {
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte(body), Bytes: int64(len(body))}
}

func silent(url string) *fetch.Response {
	return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Network, Reason: "network is unreachable"}
}

func status(url string, code int) *fetch.Response {
	return &fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Status, Status: code, Reason: http.StatusText(code)}
}

// night is the outcome of a crawl of a fickle web.
type night struct {
	fetches []*crawler.Fetch
	pauses  []string // what OnPause told, in order
	paused  []time.Time
	result  crawler.Result
}

func (w *fickle) mustCrawl(t *testing.T, o crawler.Options) *night {
	t.Helper()
	n := &night{}
	if o.Starts == nil && o.Resume == nil {
		o.Starts = w.starts()
	}
	o.Live = true
	o.OnFetch = func(f *crawler.Fetch) { n.fetches = append(n.fetches, f) }
	o.OnPause = func(why string) { n.pauses, n.paused = append(n.pauses, why), append(n.paused, time.Now()) }
	var err error
	if n.result, err = crawler.Run(t.Context(), w, counting{}, o); err != nil {
		t.Fatal(err)
	}
	return n
}

// read lists the URLs of the pages that count, sorted.
func (n *night) read() []string {
	var all []string
	for _, f := range n.fetches {
		if f.Page != nil && f.Cost > 0 {
			all = append(all, f.URL)
		}
	}
	slices.Sort(all)
	return all
}

// mustReadAll checks that every page of the web was recorded as read, once.
func (w *fickle) mustReadAll(t *testing.T, n *night) {
	t.Helper()
	var want []string
	for h := range w.hosts {
		for i := range w.pages {
			want = append(want, w.url(h, i))
		}
	}
	slices.Sort(want)
	if got := n.read(); !slices.Equal(got, want) {
		t.Errorf("read %d pages, want %d; outcomes %v", len(got), len(want), n.result.Outcomes)
	}
	if n.result.Fetched != len(want) || !maps.Equal(n.result.Outcomes, map[fetch.Outcome]int{fetch.OK: len(want)}) {
		t.Errorf("fetched %d, outcomes %v, want %d ok", n.result.Fetched, n.result.Outcomes, len(want))
	}
}

// mustKeepDelay checks that no host was contacted too soon.
func (w *fickle) mustKeepDelay(t *testing.T) {
	t.Helper()
	last := map[string]time.Time{}
	for _, r := range w.asked {
		host := weburl.Host(r.url)
		if before, ok := last[host]; ok && r.at.Sub(before) < w.delay {
			t.Errorf("%s contacted %v after the last request to its host", r.url, r.at.Sub(before))
		}
		last[host] = r.at
	}
}
