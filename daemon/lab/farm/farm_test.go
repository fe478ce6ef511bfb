package farm

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

func mustOpen(tb testing.TB, o Options) *Farm {
	tb.Helper()
	f, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := f.Close(); err != nil {
			tb.Error(err)
		}
	})
	return f
}

// mustAsk sends a GET to a farm's host over a new connection.
func mustAsk(tb testing.TB, f *Farm, url string) (*http.Response, []byte) {
	tb.Helper()
	answer, body, err := ask(f, url)
	if err != nil {
		tb.Fatal(err)
	}
	return answer, body
}

func ask(f *Farm, url string) (*http.Response, []byte, error) {
	name, path := split(url)
	req, err := http.NewRequest(http.MethodGet, "http://"+f.addrs[f.byName[name].number]+path, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Host = name
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer, body, err
}

// crawled crawls a whole farm and returns the addresses of the pages that were read.
func crawled(tb testing.TB, f *Farm) []string {
	tb.Helper()
	live := fetch.NewLive(fetch.LiveOptions{Resolve: f.Resolve(), UserAgent: "Nightjar/test"})
	defer live.Close()
	var urls []string
	_, err := crawler.Run(tb.Context(), live, inOrder{}, crawler.Options{Starts: f.Starts(), Workers: 8, OnFetch: func(f *crawler.Fetch) {
		if f.Response.Outcome == fetch.OK {
			urls = append(urls, f.FinalURL)
		} else {
			tb.Errorf("%s: %s %s", f.URL, f.Response.Outcome, f.Response.Reason)
		}
	}})
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(urls)
	return urls
}

// settled waits until the farm has counted the requests whose responses the client has already read.
func settled(f *Farm) Stats {
	for _, h := range f.hosts {
		for open := 1; open > 0; {
			h.mu.Lock()
			open = h.open
			h.mu.Unlock()
			runtime.Gosched()
		}
	}
	return f.Stats()
}

// inOrder follows all links in their order.
type inOrder struct{}

func (inOrder) Name() string { return "in order" }
func (inOrder) Read(_ context.Context, _ strategy.Visit) (j strategy.Judgement, err error) {
	return j, nil
}

// TestEveryPageIsReached crawls a made-up farm with the real fetcher: it must read every page, and the farm must count what
// it did.
func TestEveryPageIsReached(t *testing.T) {
	f := mustOpen(t, Options{Hosts: 12, Pages: 150, Seed: 3})
	want := slices.Sorted(slices.Values(f.Pages()))
	if got := crawled(t, f); !slices.Equal(got, want) || len(want) != 150 {
		t.Errorf("crawled %d pages of %d", len(got), len(want))
	}
	s := settled(f)
	if s.Pages != 150 || s.Robots != 12 || s.Hosts != 12 || s.Requests != 162 || s.Overlapped != 0 {
		t.Errorf("the farm counted %+v", s)
	}
	addrs := make(map[string]bool)
	for _, r := range f.Resolve() {
		addrs[r.Addr] = true
	}
	if len(addrs) != 12 {
		t.Errorf("12 hosts have %d addresses", len(addrs))
	}
}

// TestPagesAreLikeRealOnes checks size and number of links of made-up pages, and that their addresses are canonical.
func TestPagesAreLikeRealOnes(t *testing.T) {
	o := Options{Hosts: 200, Pages: 4000, Seed: 1}
	w := newWritten(&o)
	relevant := 0
	urls := w.urls()
	for i, url := range urls {
		if c, err := weburl.Canonical(url); c != url || err != nil {
			t.Fatalf("%s is not canonical: %s, %v", url, c, err)
		}
		if w.relevant(url) {
			relevant++
		}
		if i%40 != 0 {
			continue
		}
		_, path := split(url)
		d, ok := w.get(i/20, path)
		if !ok {
			t.Fatalf("%s is not there", url)
		}
		html := d.html()
		p, err := page.Parse(url, "text/html; charset=utf-8", html)
		if err != nil {
			t.Fatal(err)
		}
		if len(html) < 20_000 || len(html) > 80_000 || len(p.Links) < 100 {
			t.Errorf("%s has %d bytes and %d links", url, len(html), len(p.Links))
		}
	}
	if relevant < 100 || relevant > 1000 {
		t.Errorf("%d of %d pages are about %s", relevant, len(urls), w.topic())
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	o := Options{Hosts: 5, Pages: 20, Seed: 7}
	a, b := mustOpen(t, o), mustOpen(t, o)
	o.Seed = 8
	c := mustOpen(t, o)
	for _, url := range a.Pages() {
		if x := a.HTML(url); x == nil || !bytes.Equal(x, b.HTML(url)) || bytes.Equal(x, c.HTML(url)) {
			t.Errorf("%s: %d bytes, the same in both: %v", url, len(x), bytes.Equal(x, b.HTML(url)))
		}
	}
	if a.HTML("http://"+hostName(0)+"/nowhere") != nil || a.HTML("http://other.test/") != nil {
		t.Error("pages that do not exist have content")
	}
}

func TestAnswers(t *testing.T) {
	f := mustOpen(t, Options{Hosts: 2, Pages: 4})
	front := f.Starts()[0]
	answer, body := mustAsk(t, f, front)
	if answer.StatusCode != 200 || !bytes.Equal(body, f.HTML(front)) {
		t.Errorf("the front page: status %d, %d bytes", answer.StatusCode, len(body))
	}
	if answer, body = mustAsk(t, f, front+"nowhere"); answer.StatusCode != 404 || string(body) != notFound {
		t.Errorf("nowhere: %d %s", answer.StatusCode, body)
	}
	if answer, body = mustAsk(t, f, front+"robots.txt"); answer.StatusCode != 200 || string(body) != robotsTxt {
		t.Errorf("robots.txt: %d %s", answer.StatusCode, body)
	}
	if s := f.HostStats()[hostName(0)]; s.Requests != 3 || s.Pages != 1 || s.NotFound != 1 || s.Robots != 1 {
		t.Errorf("the host counted %+v", s)
	}
	f.Reset()
	if s := settled(f); s != (Stats{}) {
		t.Errorf("after Reset there is %+v", s)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{{Hosts: -1}, {Hosts: MaxHosts + 1}, {Pages: -1}, {Recordings: []string{"no-such-file"}}} {
		if f, err := Open(o); err == nil {
			f.Close()
			t.Errorf("%+v was opened", o)
		} else if !strings.HasPrefix(err.Error(), "open farm: ") {
			t.Error(err)
		}
	}
}

// TestBreaches sends two requests at once, then an early and a late one by the farm's clock.
func TestBreaches(t *testing.T) {
	clock := &shownClock{now: time.Date(2026, 11, 5, 1, 0, 0, 0, time.UTC)}
	f := mustOpen(t, Options{Hosts: 1, Pages: 1, Delay: time.Second, Clock: clock})
	front := f.Starts()[0]
	for _, after := range []time.Duration{0, time.Second, 999 * time.Millisecond, time.Hour} {
		clock.now = clock.now.Add(after)
		mustAsk(t, f, front)
	}
	if s := settled(f); s.Sooner != 1 || s.MinGap != 999*time.Millisecond || s.Overlapped != 0 {
		t.Errorf("counted %+v", s)
	}
	h := f.hosts[0]
	_, first, _ := h.arrive(clock.now, &f.options)
	_, second, _ := h.arrive(clock.now, &f.options)
	h.leave(first, false)
	h.leave(second, false)
	if s := settled(f); s.Overlapped != 1 || s.Sooner != 3 || s.Resets != 2 {
		t.Errorf("counted %+v", s)
	}
}

// shownClock shows a time that the test sets between requests.
type shownClock struct{ now time.Time }

func (c *shownClock) Now() time.Time                       { return c.now }
func (c *shownClock) NewTimer(d time.Duration) *time.Timer { return time.NewTimer(d) }

// TestHostNames checks that names are canonical, and different even when digits are ignored.
func TestHostNames(t *testing.T) {
	seen := make(map[string]bool)
	for i := range MaxHosts {
		name := hostName(i)
		if seen[name] || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz.") != "" {
			t.Fatalf("host %d is %s", i, name)
		}
		seen[name] = true
	}
}
