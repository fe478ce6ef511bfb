//go:build measure

package restarts

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// What the hosts of the web ask for.
const (
	delay     = time.Second // of the settings, for hosts that ask for nothing
	slowDelay = 3 * time.Second
	rest      = 5 * time.Second
)

// web is four hosts with pages that link to each other: slow.test has a Crawl-delay, busy.test answers every tenth page with 503
// and Retry-After, soft.test shows a page for addresses that do not exist. It notes what comes too soon.
type web struct {
	mu     sync.Mutex
	robots map[string]int
	probes map[string]int
	pages  map[string]int
	ended  map[string]time.Time // the last answer of a host
	rests  map[string]time.Time // until when it asked not to be asked
	rested int
	soon   []string
	least  map[string]time.Duration // the shortest pause before a page
}

func newWeb() *web {
	return &web{robots: map[string]int{}, probes: map[string]int{}, pages: map[string]int{}, ended: map[string]time.Time{},
		rests: map[string]time.Time{}, least: map[string]time.Duration{}}
}

var hosts = []string{"calm.test", "slow.test", "busy.test", "soft.test"}

func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	w.arrives(host, r.URL.Path)
	defer w.ends(host)
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &n); err != nil && r.URL.Path != "/" {
		w.other(out, host, r.URL.Path)
		return
	}
	if host == "busy.test" && n%10 == 9 {
		w.mu.Lock()
		w.rested++
		w.rests[host] = time.Now().Add(rest)
		w.mu.Unlock()
		out.Header().Set("Retry-After", fmt.Sprint(rest.Seconds()))
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	out.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(out, "<title>%s %d</title><p>tides turbines number %x of %s", host, n, n*7919, host)
	for i := 1; i <= 4; i++ {
		fmt.Fprintf(out, `<a href="/p%d">more of the tides %d</a>`, n*2+i, i)
	}
	for _, other := range hosts {
		fmt.Fprintf(out, `<a href="http://%s/">tides of %[1]s</a>`, other)
	}
}

// other answers what is no page: robots.txt, a sitemap, an address that does not exist.
func (w *web) other(out http.ResponseWriter, host, path string) {
	switch {
	case path == "/robots.txt" && host == "slow.test":
		fmt.Fprintf(out, "User-agent: *\nCrawl-delay: %v\n", slowDelay.Seconds())
	case path == "/robots.txt":
		io.WriteString(out, "User-agent: *\nDisallow: /private\n")
	case host == "soft.test":
		out.Header().Set("Content-Type", "text/html")
		io.WriteString(out, "<title>Nothing</title><p>There is nothing here, look elsewhere")
	default:
		out.WriteHeader(http.StatusNotFound)
	}
}

// arrives notes a request and whether it came too soon.
func (w *web) arrives(host, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	want := delay
	switch {
	case path == "/robots.txt":
		w.robots[host]++
	case path != "/" && !strings.HasPrefix(path, "/p"):
		w.probes[host]++
		fallthrough
	default:
		w.pages[host]++
		if host == "slow.test" {
			want = slowDelay
		}
	}
	if last, ok := w.ended[host]; ok {
		gap := now.Sub(last)
		if gap < want {
			w.soon = append(w.soon, fmt.Sprintf("%s%s came %v after the last request; it allows one in %v", host, path, gap, want))
		}
		if least, ok := w.least[host]; path != "/robots.txt" && (!ok || gap < least) {
			w.least[host] = gap
		}
	}
	if early := w.rests[host].Sub(now); early > 0 {
		w.soon = append(w.soon, fmt.Sprintf("%s%s came %v before its rest was over", host, path, early))
	}
}

func (w *web) ends(host string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[host] = time.Now()
}
