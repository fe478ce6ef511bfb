package fetch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/revisit"
)

// mustStill is a web without a network, and a fetcher for it: in a bubble of synctest, a network would keep the time from passing.
func mustStill(t *testing.T, pages map[string]http.HandlerFunc, o LiveOptions) (*web, *Live) {
	t.Helper()
	w := &web{pages: pages}
	o.Sitemaps, o.Resolve = true, []Resolve{{"*.test", "127.0.0.1:1"}, {"*.example", "127.0.0.1:1"}}
	l := NewLive(o)
	l.limiter.lookup = nil
	l.transport.RegisterProtocol("http", w)
	t.Cleanup(func() { l.Close() })
	return w, l
}

// RoundTrip answers in memory.
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.RequestURI = r.URL.RequestURI()
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec.Result(), r.Context().Err()
}

// urlset is a sitemap of addresses.
func urlset(paths ...string) http.HandlerFunc { return xml(tagged("urlset", "url", paths)) }

// index is a sitemap of sitemaps.
func index(paths ...string) http.HandlerFunc { return xml(tagged("sitemapindex", "sitemap", paths)) }

func tagged(all, one string, paths []string) string {
	var b strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&b, "<%s><loc>%s</loc></%[1]s>", one, p)
	}
	return fmt.Sprintf("<%s>%s</%[1]s>", all, &b)
}

// numbered are the paths /name/0, /name/1, …
func numbered(name string, n int) (paths []string) {
	for i := range n {
		paths = append(paths, fmt.Sprintf("/%s/%d", name, i))
	}
	return paths
}

// busyOnce answers the first request with a 503 that asks to wait.
func busyOnce(wait time.Duration, then http.HandlerFunc) http.HandlerFunc {
	n := atomic.Int32{}
	return func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Retry-After", fmt.Sprint(int(wait.Seconds())))
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		then(w, r)
	}
}

// TestListWaits lists hosts that must rest in the middle: their lists go on later, with what is left.
func TestListWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		pages map[string]http.HandlerFunc
		rest  time.Duration // that a call of List does not wait for
		later int           // how often it says so
		want  string        // paths
		asks  string        // in order
	}{
		{"robots.txt is busy", map[string]http.HandlerFunc{
			"a.test/robots.txt": busyOnce(time.Hour, say("Sitemap: /m.xml")), "a.test/m.xml": urlset("/1"),
		}, time.Hour, 1, "/1", "/robots.txt /robots.txt /m.xml"},
		{"a sitemap is busy", map[string]http.HandlerFunc{
			"a.test/sitemap.xml": index("/1.xml", "/2.xml", "/3.xml"), "a.test/1.xml": urlset("/1"), "a.test/2.xml": urlset("/2", "/1"), "a.test/3.xml": busyOnce(2*time.Hour, nil),
		}, 2 * time.Hour, 1, "/1 /2", "/robots.txt /sitemap.xml /1.xml /3.xml /2.xml"}, // every second entry without a date comes first
		{"a sitemap is busy for a day", map[string]http.HandlerFunc{ // what was read is too old then
			"a.test/sitemap.xml": index("/1.xml", "/2.xml"), "a.test/1.xml": busyOnce(24*time.Hour, urlset("/1")), "a.test/2.xml": urlset("/2"),
		}, 24 * time.Hour, 1, "/1 /2", "/robots.txt /sitemap.xml /1.xml /robots.txt /sitemap.xml /1.xml /2.xml"},
		{"a pause that List waits for", map[string]http.HandlerFunc{
			"a.test/robots.txt": say("User-agent: *\nCrawl-delay: 50"), "a.test/sitemap.xml": index("/1.xml", "/2.xml"), "a.test/1.xml": urlset("/1"), "a.test/2.xml": urlset("/2"),
		}, 50 * time.Second, 0, "/1 /2", "/robots.txt /sitemap.xml /1.xml /2.xml"},
		{"a pause that it does not wait for", map[string]http.HandlerFunc{
			"a.test/robots.txt": say("User-agent: *\nCrawl-delay: 300"), "a.test/sitemap.xml": index("/1.xml", "/2.xml"), "a.test/1.xml": urlset("/1"), "a.test/2.xml": urlset("/2"),
		}, 5 * time.Minute, 3, "/1 /2", "/robots.txt /sitemap.xml /1.xml /2.xml"},
		{"a redirect with such a pause", map[string]http.HandlerFunc{
			"a.test/robots.txt": say("User-agent: *\nCrawl-delay: 300"), "a.test/sitemap.xml": to("/there.xml", 301), "a.test/there.xml": to("/m.xml", 302), "a.test/m.xml": urlset("/1"),
		}, 5 * time.Minute, 3, "/1", "/robots.txt /sitemap.xml /there.xml /m.xml"},
		{"redirects in a circle with such a pause", map[string]http.HandlerFunc{
			"a.test/robots.txt": say("User-agent: *\nCrawl-delay: 300"), "a.test/sitemap.xml": to("/there.xml", 301), "a.test/there.xml": to("/sitemap.xml", 302),
		}, 5 * time.Minute, 2, "", "/robots.txt /sitemap.xml /there.xml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, l := mustStill(t, c.pages, LiveOptions{Delay: time.Second})
				began, later := time.Now(), 0
				res := l.List(t.Context(), "http://a.test/")
				for ; res.Outcome == Later && later < 10; later++ {
					if rest := time.Until(l.ReadyAt("http://a.test/")); res.Reason == "" || res.Lists != nil || rest <= 0 || rest > c.rest {
						t.Fatalf("it must rest for %v: %+v", rest, res)
					}
					time.Sleep(time.Until(l.ReadyAt("http://a.test/")))
					res = l.List(t.Context(), "http://a.test/")
				}
				if took := time.Since(began); res.Outcome != OK || later != c.later || took < c.rest*time.Duration(max(later, 1)) {
					t.Errorf("%s after %d calls and %v", res.Outcome, 1+later, took)
				}
				_, urls := flat(res)
				got := strings.ReplaceAll(strings.Join(urls, " "), "http://a.test", "")
				if asks := strings.ReplaceAll(strings.Join(w.all(), " "), "a.test", ""); got != c.want || asks != c.asks {
					t.Errorf("listed %q, asked for %q", got, asks)
				}
			})
		})
	}
}

// TestListOtherHostRests: when the file is on another host that must rest, it is left out. ReadyAt does not know when that is ready.
func TestListOtherHostRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, l := mustStill(t, map[string]http.HandlerFunc{
			"www.site.example/robots.txt": say("Sitemap: http://maps.site.example/m.xml\nSitemap: http://new.site.example/m.xml\nSitemap: /m.xml"),
			"www.site.example/m.xml":      urlset("/1"), "maps.site.example/robots.txt": say(""),
		}, LiveOptions{Delay: time.Second, Hosts: []HostState{{Host: "new.site.example", Set: time.Now(), NotBefore: time.Now().Add(time.Hour)}}})
		l.ReadRobots(t.Context(), "http://maps.site.example/") // that is known, and not that of the new host
		l.limiter.obey("maps.site.example", time.Hour)
		res := l.List(t.Context(), "http://www.site.example/")
		if asks := strings.Join(w.all(), " "); res.Outcome != OK || len(res.Lists) != 1 || asks != "maps.site.example/robots.txt www.site.example/robots.txt www.site.example/m.xml" {
			t.Errorf("%+v; asked for %s", res, asks)
		}
	})
}

// TestListMemory: lists that are not due need no request: after the first reading for most of a day, and longer when nothing was new.
// Older ones are read again, and so is one from the future. What an earlier version stored counts as not known.
func TestListMemory(t *testing.T) {
	const first, still = 21 * time.Hour, 30 * time.Hour
	for _, c := range []struct {
		age   time.Duration
		looks revisit.History
		again bool
	}{
		{1, nil, false}, {first, nil, false}, {-30 * time.Second, nil, false}, {first + time.Hour, nil, true}, {2400 * time.Hour, nil, true}, {-time.Hour, nil, true},
		{first + time.Hour, revisit.History{-1}, false}, {still, revisit.History{-1}, true}, {listRest - 1, revisit.History{.1, .1, .1, .1, .1, .1}, false},
		{listRest, revisit.History{.1, .1, .1, .1, .1, .1}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			memory := newNoted()
			old := HostList{Host: "a.test", At: time.Now().Add(-c.age), Looks: c.looks, Files: []ListFile{
				{URL: "http://a.test/gone.xml", Read: true}, {URL: "http://a.test/old.xml", Read: true, Pages: []ListedPage{{URL: "http://a.test/old"}}},
			}}
			memory.lists["a.test"] = old
			from, urls := "http://a.test/old.xml", []string{"http://a.test/old"}
			if c.again {
				from, urls = "http://a.test/sitemap.xml", []string{"http://a.test/new"}
			}
			w, l := mustStill(t, map[string]http.HandlerFunc{"a.test/sitemap.xml": urlset("/new")}, LiveOptions{Memory: memory})
			for range 2 {
				res := l.List(t.Context(), "http://a.test/page")
				if at, got := flat(res); res.Outcome != OK || res.URL != "http://a.test/page" || at != from || !slices.Equal(got, urls) {
					t.Errorf("%v old, %v: %+v", c.age, c.looks, res)
				}
			}
			if n := len(w.all()); n != map[bool]int{true: 2}[c.again] {
				t.Errorf("%v old, %v: asked for %v", c.age, c.looks, w.all())
			}
			h := memory.lists["a.test"]
			if at, _ := flat(Response{Lists: h.lists()}); h.Host != "a.test" || at != from || c.again != h.At.Equal(time.Now()) || c.again != (len(h.Looks) == len(c.looks)+1) {
				t.Errorf("%v old, %v: stored %+v", c.age, c.looks, h)
			}
		})
	}
	if h := (HostList{At: time.Now()}); !h.due(time.Now()) {
		t.Error("a list without files is not due")
	}
}

// TestListUnstored: when it cannot be stored that a host will be asked, it is not asked, and nothing is stored as its list.
func TestListUnstored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := newNoted()
		memory.fails = true
		w, l := mustStill(t, map[string]http.HandlerFunc{"a.test/sitemap.xml": urlset("/1")}, LiveOptions{Memory: memory})
		if res := l.List(t.Context(), "http://a.test/"); res.Outcome != Canceled || len(w.all()) != 0 || len(memory.lists) != 0 {
			t.Errorf("%+v; asked for %v", res, w.all())
		}
		memory.fails = false
		if res := l.List(t.Context(), "http://a.test/"); res.Outcome != OK || len(res.Lists) != 1 {
			t.Errorf("%+v", res)
		}
	})
}

// TestListCanceled ends the context of a list at each of its requests: before it, and in its answer. What was read is not lost.
func TestListCanceled(t *testing.T) {
	for _, at := range slices.Concat(listAsks, []string{""}) {
		for _, why := range []error{context.Canceled, context.DeadlineExceeded} {
			for _, body := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %v %v", at, why, body), func(t *testing.T) { cancelList(t, at, &ended{t.Context(), make(chan struct{}), why}, body) })
			}
		}
	}
}

// listAsks are the requests of TestListCanceled, in order.
var listAsks = []string{"www.site.example/robots.txt", "www.site.example/i.xml", "maps.site.example/robots.txt", "maps.site.example/2.xml", "www.site.example/1.xml"}

// ended is a context that ends when its channel is closed.
type ended struct {
	context.Context
	done chan struct{}
	why  error
}

func (c *ended) Done() <-chan struct{} { return c.done }

func (c *ended) Err() error {
	select {
	case <-c.done:
		return c.why
	default:
		return nil
	}
}

// cancelList ends the context when the page at is requested, before or after the answer has begun; "" is before any request.
func cancelList(t *testing.T, at string, ctx *ended, body bool) {
	pages := map[string]http.HandlerFunc{
		"www.site.example/robots.txt": say("Sitemap: /i.xml\nSitemap: http://maps.site.example/2.xml"),
		"www.site.example/i.xml":      index("/1.xml"), "www.site.example/1.xml": urlset("/1"), "maps.site.example/2.xml": urlset("/2"), "maps.site.example/robots.txt": code(404),
	}
	begun := atomic.Bool{}
	if then := pages[at]; then != nil {
		pages[at] = func(w http.ResponseWriter, r *http.Request) {
			if begun.Swap(true) {
				then(w, r)
				return
			}
			if body {
				w.Header().Set("Content-Length", "1000")
				w.(http.Flusher).Flush()
				time.Sleep(5 * time.Millisecond) // until the header has arrived, on most machines
			}
			close(ctx.done)
			<-r.Context().Done()
		}
	} else {
		close(ctx.done)
	}
	memory := newNoted()
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{Sitemaps: true, Memory: memory, Resolve: []Resolve{{"*.example", w.addr()}}})
	if res := l.List(ctx, "http://www.site.example/"); res.Outcome != Canceled || res.Reason != "the crawl was stopped" || res.Lists != nil || len(memory.lists) != 0 {
		t.Errorf("%+v; stored %+v", res, memory.lists)
	}
	before := w.all()
	res := l.List(t.Context(), "http://www.site.example/")
	if _, urls := flat(res); res.Outcome != OK || !slices.Equal(urls, []string{"http://maps.site.example/2", "http://www.site.example/1"}) || len(memory.lists) != 1 {
		t.Errorf("afterwards: %+v", res)
	}
	first := max(slices.Index(listAsks, at), 0)
	if again := w.all()[len(before):]; !slices.Equal(before, listAsks[:len(before)]) || !slices.Equal(again, listAsks[first:]) {
		t.Errorf("asked for %q, then for %q", before, again)
	}
}

// TestListCanceledBetween ends the context of a list after a file was read.
func TestListCanceledBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		w, l := mustStill(t, map[string]http.HandlerFunc{"a.test/sitemap.xml": index("/1.xml", "/2.xml"), "a.test/1.xml": urlset("/1"), "a.test/2.xml": urlset("/2")},
			LiveOptions{Refuse: func(url string) bool {
				if url == "http://a.test/1" {
					stop()
				}
				return false
			}})
		if res := l.List(ctx, "http://a.test/"); res.Outcome != Canceled || res.Reason == "" || res.Lists != nil {
			t.Errorf("%+v", res)
		}
		res := l.List(t.Context(), "http://a.test/")
		if asks := strings.Join(w.asked(), " "); len(res.Lists) != 1 || len(res.Lists[0].Pages) != 2 || asks != "a.test/sitemap.xml a.test/1.xml a.test/2.xml" {
			t.Errorf("%+v; asked for %s", res, asks)
		}
	})
}

// TestListLimit lists hosts with more addresses than are taken: each file has its share, and none is left out.
func TestListLimit(t *testing.T) {
	one := numbered("x", maxListed+1000)
	w := mustWeb(t, map[string]http.HandlerFunc{
		"one.test/sitemap.xml":  urlset(one...),
		"five.test/robots.txt":  say("Sitemap: /1.xml\nSitemap: /2.xml\nSitemap: /3.xml\nSitemap: /4.xml\nSitemap: /5.xml\nSitemap: /6.xml"),
		"five.test/1.xml":       urlset(numbered("1", 9000)...),
		"five.test/2.xml":       urlset(numbered("2", 9000)...),
		"five.test/3.xml":       urlset(numbered("3", 10)...),
		"five.test/4.xml":       urlset(numbered("4", 9000)...),
		"five.test/5.xml":       urlset(numbered("5", 9000)...),
		"five.test/6.xml":       urlset(numbered("6", 9000)...),
		"index.test/robots.txt": say("Sitemap: /i.xml"), "index.test/i.xml": index("/1.xml", "/2.xml", "/3.xml", "/4.xml", "/5.xml", "/6.xml"),
	})
	l := w.mustLive(t, LiveOptions{Sitemaps: true})
	for host, want := range map[string]map[string]int{
		"one.test": {"x": maxListed}, "five.test": {"1": 4000, "2": 4000, "3": 10, "4": 5995, "5": 5995}, "index.test": {},
	} {
		got := l.List(t.Context(), "http://"+host+"/")
		n, seen := map[string]int{}, map[string]bool{}
		_, urls := flat(got)
		for _, url := range urls {
			n[strings.Split(url, "/")[3]]++
			if seen[url] {
				t.Errorf("%s is listed twice", url)
			}
			seen[url] = true
		}
		if fmt.Sprint(n) != fmt.Sprint(want) || len(urls) > maxListed {
			t.Errorf("%s: %v of %d addresses; want %v", host, n, len(urls), want)
		}
	}
	if n := len(w.asked()); n != 1+2*maxSitemapFiles {
		t.Errorf("%d files were requested: %q", n, w.asked())
	}
}

// TestPickerProperty picks from large files in any order: the newest entries and, of equally new ones, the first.
func TestPickerProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 11))
	newest := func(a, b listEntry) int { return b.mod.Compare(a.mod) }
	orders := map[string]func([]listEntry){
		"descending": func(all []listEntry) { slices.SortStableFunc(all, newest) },
		"ascending": func(all []listEntry) {
			slices.SortStableFunc(all, func(a, b listEntry) int { return a.mod.Compare(b.mod) })
		},
		"random": func([]listEntry) {},
	}
	for name, order := range orders {
		for _, times := range []int{2, 1000, 1_000_000} { // with few of them, many entries are equally new
			all := make([]listEntry, 2*maxListed)
			for i := range all {
				all[i] = listEntry{loc: fmt.Sprint("/", i), mod: sitemapNow.Add(-time.Duration(rng.IntN(times)) * time.Minute), index: rng.IntN(4) == 0}
			}
			order(all)
			sorted := map[bool][]listEntry{}
			for _, index := range []bool{false, true} {
				sorted[index] = slices.DeleteFunc(slices.Clone(all), func(e listEntry) bool { return e.index != index })
				slices.SortStableFunc(sorted[index], newest)
			}
			for _, most := range []int{1, 999, maxListed} {
				p := newPicker(most, sitemapNow, func(string) bool { return true })
				for i, e := range all {
					p.add(e)
					if i%10_000 == 7 { // to look does not change what is picked
						p.picked(i%20_000 == 7)
					}
				}
				for index, want := range sorted {
					want = want[:min(len(want), 2*most)]
					if got := p.picked(index); !slices.Equal(got, want) {
						t.Errorf("%s, %d times, %d wanted, index %v: %d entries, not the %d newest", name, times, most, index, len(got), len(want))
					}
				}
			}
		}
	}
}
