package kills

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// What two hosts ask for beyond delay: the third by Crawl-delay, the fourth by Retry-After when one of its pages is asked for first.
const (
	slowHost, slowDelay    = 3, time.Second
	restingHost, restDelay = 4, 3 * time.Second
)

// delay is what crawls leave a host alone for between two requests. It is longer than the program takes to start, so that
// one that forgets whom it asked is found out.
const delay = 400 * time.Millisecond

// web is a made-up web whose hosts have an address each. It notes every request.
type web struct {
	hosts, pages int
	rules        []string // PATTERN=ADDR:PORT of each host

	takes time.Duration // most that an answer takes, 0 for no time

	mu         sync.Mutex
	requests   []request
	refused    bool           // the page busy was refused once
	open       map[string]int // requests that are being answered, by host
	overlapped int            // requests that came while their host answered another one
}

// request is one request as the web saw it.
type request struct {
	host, path string
	at         time.Time
	asks       time.Duration // what the host asks for from then on until the next request
}

// newWeb serves pages, which can all be reached from page 0.
func newWeb(t *testing.T, hosts, pages int) *web {
	t.Helper()
	return newWebAt(t, hosts, pages, func(i int) string { return fmt.Sprintf("127.4.0.%d", i+1) })
}

// newWebAt is newWeb with hosts at addresses of this machine.
func newWebAt(t *testing.T, hosts, pages int, at func(host int) string) *web {
	t.Helper()
	w := &web{hosts: hosts, pages: pages, refused: pages < 200} // what was refused waits for half a minute
	for i := range hosts {
		l, err := net.Listen("tcp4", at(i)+":0")
		if err != nil { // a system with a single loopback address
			l, err = net.Listen("tcp4", "127.0.0.1:0")
		}
		if err != nil {
			t.Fatal(err)
		}
		w.rules = append(w.rules, hostName(i)+"="+l.Addr().String())
		server := &http.Server{Handler: w}
		go func() { _ = server.Serve(l) }() // until Close
		t.Cleanup(func() { _ = server.Close() })
	}
	return w
}

// flags are the program's flags to crawl this web.
func (w *web) flags() (all []string) {
	for _, rule := range w.rules {
		all = append(all, "--resolve", rule)
	}
	return all
}

// word is a word without digits, different for each n below 70³: a crawl takes numbered names for those of a trap.
func word(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	name := ""
	for n = (n*104_729 + 7) % 343_000; len(name) < 6; n /= 70 {
		name += consonants[n%14:n%14+1] + vowels[n%70/14:n%70/14+1]
	}
	return name
}

func hostName(i int) string { return word(i) + ".test" }

// path is the path of a page.
func path(i int) string {
	if i == 0 {
		return "/"
	}
	return "/" + word(1000+i%5) + "/" + word(2000+i) + "-" + word(5000+i)
}

func (w *web) url(i int) string { return "http://" + hostName(i%w.hosts) + path(i) }

// links are the pages that a page links to.
func (w *web) links(i int) (all []int) {
	random := rand.New(rand.NewPCG(uint64(i), 9))
	for _, to := range []int{2*i + 1, 2*i + 2, random.IntN(w.pages)} {
		if to < w.pages {
			all = append(all, to)
		}
	}
	return all
}

func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	refuse := w.note(r)
	defer w.left(r.Host)
	if w.takes > 0 {
		time.Sleep(rand.N(w.takes))
	}
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path == "/robots.txt" {
		out.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(out, "User-agent: *\nDisallow: /private/\n")
		if r.Host == hostName(slowHost) {
			fmt.Fprintf(out, "Crawl-delay: %d\n", int(slowDelay.Seconds()))
		}
		return
	}
	if hostFile(r.URL.Path) {
		w.list(out, r.URL.Path, r.Host)
		return
	}
	if refuse {
		out.Header().Set("Retry-After", strconv.Itoa(int(restDelay.Seconds())))
		out.WriteHeader(http.StatusTooManyRequests)
		return
	}
	for i := range w.pages {
		if hostName(i%w.hosts) == r.Host && path(i) == r.URL.Path {
			w.write(out, i)
			return
		}
	}
	out.WriteHeader(http.StatusNotFound)
	fmt.Fprint(out, "<title>Not found</title><p>There is no such page")
}

// list lists the pages of a host: of every third one in a sitemap, and of every third one in a feed.
func (w *web) list(out io.Writer, path, host string) {
	for i := range w.pages {
		switch h := i % w.hosts; {
		case hostName(h) != host:
		case path == "/sitemap.xml" && h%3 == 0:
			fmt.Fprintln(out, w.url(i))
		case path == feed && h%3 == 1:
			fmt.Fprintf(out, "<item><title>%s</title><link>%s</link></item>\n", word(9000+i), w.url(i))
		}
	}
}

// feed is the path of the feed of a host.
const feed = "/feed.xml"

// hostFile reports whether a path is that of a file about a host. A kill may cut it short, and then it is asked for again.
func hostFile(path string) bool {
	return path == "/robots.txt" || path == "/sitemap.xml" || path == feed
}

// busy is a page of restingHost without links, "" in a web without one.
func (w *web) busy() string {
	for i := w.pages * 5 / 8; i >= 0; i-- {
		if i%w.hosts == restingHost {
			return path(i)
		}
	}
	return ""
}

// note notes a request and reports whether it is refused for now.
func (w *web) note(r *http.Request) (refuse bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one := request{r.Host, r.URL.Path, time.Now(), delay}
	switch r.Host {
	case hostName(slowHost):
		one.asks = slowDelay
	case hostName(restingHost):
		if refuse = !w.refused && r.URL.Path == w.busy(); refuse {
			w.refused, one.asks = true, restDelay
		}
	}
	w.requests = append(w.requests, one)
	if w.open == nil {
		w.open = map[string]int{}
	}
	if w.open[r.Host]++; w.open[r.Host] > 1 {
		w.overlapped++
	}
	return refuse
}

// left is called when a request was answered.
func (w *web) left(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[host]--
}

func (w *web) write(out http.ResponseWriter, i int) {
	words := chatter
	if i%4 == 3 {
		words = subject
	}
	if i%w.hosts%3 == 1 {
		fmt.Fprintf(out, "<link rel=alternate type=application/rss+xml href=%s>", feed)
	}
	fmt.Fprintf(out, "<title>%s %s %s</title><h1>%s</h1><p>%s", word(9000+i), words[i%len(words)], word(7000+i), words[i%len(words)], prose(i+50_000, words))
	for k := range 40 { // of its own, so that it is no copy of another
		fmt.Fprintf(out, "%s ", word(i*40+k+20_000))
	}
	for _, to := range w.links(i) {
		fmt.Fprintf(out, "<p>More: <a href=%q>%s %s</a>", w.url(to), word(9000+to), words[to%len(words)])
	}
}

// asked counts the requests for each page, and for each file about a host.
func (w *web) asked() (pages, files map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	pages, files = map[string]int{}, map[string]int{}
	for _, r := range w.requests {
		if hostFile(r.path) {
			files[r.host+r.path]++
		} else {
			pages["http://"+r.host+r.path]++
		}
	}
	return pages, files
}

// polite checks that no host was asked sooner than it wants, over all starts of the program. What a host asks for holds from when
// the program has its answer, which a kill may cut short.
func (w *web) polite(t *testing.T, cut map[string]bool) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	last := map[string]request{}
	var soon []string
	shortest := time.Hour
	for _, r := range w.requests {
		if before, ok := last[r.host]; ok {
			gap := r.at.Sub(before.at)
			if hostFile(r.path) || cut["http://"+before.host+before.path] {
				before.asks = min(before.asks, delay)
			}
			shortest = min(shortest, gap)
			if gap < before.asks {
				soon = append(soon, fmt.Sprintf("%s %v after %s", r.host+r.path, gap.Round(time.Millisecond), before.path))
			}
		}
		last[r.host] = r
	}
	t.Logf("%d requests to %d hosts, the shortest gap %v", len(w.requests), len(last), shortest.Round(time.Millisecond))
	if len(soon) > 0 {
		t.Errorf("%d of %d requests came too soon: %s", len(soon), len(w.requests), strings.Join(soon[:min(5, len(soon))], "; "))
	}
}

// reached are the addresses of the pages that a crawl reads if it never gets the lost ones, sorted.
func (w *web) reached(lost map[string]bool) (all []string) {
	seen, due := map[int]bool{0: true}, []int{0}
	for len(due) > 0 {
		at := due[0]
		due = due[1:]
		if lost[w.url(at)] {
			continue
		}
		all = append(all, w.url(at))
		for _, to := range w.links(at) {
			if !seen[to] {
				seen[to] = true
				due = append(due, to)
			}
		}
	}
	slices.Sort(all)
	return all
}
