package simulate

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// kind is how a host behaves.
type kind int

const (
	plain   kind = iota
	slow         // answers take seconds
	busy         // some pages answer 503 with Retry-After, once
	patient      // robots.txt asks for a Crawl-delay
	silent       // takes requests and does not answer, in some nights
	failing      // some answers are 500, or end early
	moved        // pages redirect to those of the next host, or are copies of them
	kinds
)

// What hosts ask for.
const (
	delay      = 2 * time.Second // between two requests, by the settings
	crawlDelay = 7 * time.Second
	rest       = 40 * time.Second
)

// web is a made-up web whose pages are the same for the same seed. New pages appear night by night. It notes every request.
type web struct {
	seed  uint64
	hosts int
	base  int // pages of a host in the first night

	mu       sync.Mutex
	night    int
	requests []*request
	times    map[string]int // requests for an address
}

// request is a request as a host saw it.
type request struct {
	host, path string
	night      int
	life       int // of the daemon
	at, done   time.Time
	asks       time.Duration // that the host is left alone from then on
	status     int           // 0 while it is open, or without a whole answer
	cut        bool          // the daemon died while it waited for the answer, or just after
	unread     bool          // it ended before it had all that it wants with the page, so that the page may not be stored
	untold     bool          // and died, so that the ledger may not have the request
}

func (r *request) url() string { return "http://" + r.host + r.path }

// page is a page of the web: its host and number there. Number 0 is the front page.
type page struct{ host, n int }

// subject are words of pages about the topic, chatter of others.
var (
	subject = strings.Fields("tide turbine estuary barrage current ebb flood lagoon generator blade moon basin sluice marine energy")
	chatter = strings.Fields("weather bus garden school library market dinner football opening hours contact staff parking ticket hall")
	anyWord = strings.Fields("the a new old small great first last next water house people year day city road work place number part")
)

// word is a word without digits, another one for each n below 70³: a crawl takes numbered names for those of a trap.
func word(n uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	name := ""
	for n = (n*104_729 + 7) % 343_000; len(name) < 6; n /= 70 {
		name += consonants[n%14:n%14+1] + vowels[n%70/14:n%70/14+1]
	}
	return name
}

// name is a word that only a host has.
func (v *web) name(h int) string { return word(v.seed*100+uint64(h)) + word(v.seed*100+uint64(h)+50) }

func (v *web) hostName(h int) string { return v.name(h) + ".test" }

func (v *web) kind(h int) kind {
	if h == 0 {
		return plain
	}
	return kind(h) % kinds
}

// own is a word that only one page has, and what links to it.
func (p page) own(v *web, i int) string {
	return word(v.seed*7919 + uint64(p.host*4000+p.n*50+i) + 20_000)
}

func (p page) path(v *web) string {
	if p.n == 0 {
		return "/"
	}
	return "/" + word(uint64(1000+p.n%3)) + "/" + p.own(v, 0) + "-" + p.own(v, 1)
}

func (p page) url(v *web) string { return "http://" + v.hostName(p.host) + p.path(v) }

// useful reports whether a page is about the topic.
func (p page) useful() bool { return p.n > 0 && (p.host+p.n)%3 == 0 }

// born is how many pages a host has in a night.
func (v *web) born(host, night int) int { return v.base + (night+host)/3 }

// links are the pages that a page links to.
func (v *web) links(p page, night int) (all []page) {
	born := v.born(p.host, night)
	if p.n == 0 {
		for n := 1; n < born; n++ {
			all = append(all, page{p.host, n})
		}
		return append(all, page{(p.host + 1) % v.hosts, 0}, page{(p.host + 3) % v.hosts, 0})
	}
	random := rand.New(rand.NewPCG(v.seed, uint64(p.host<<16|p.n)))
	return append(all, page{p.host, 0}, page{p.host, 1 + random.IntN(v.base-1)}, page{random.IntN(v.hosts), 1 + random.IntN(v.base-1)})
}

// html is a page as it is in a night.
func (v *web) html(p page, night int) string {
	words := chatter
	if p.useful() {
		words = subject
	}
	random := rand.New(rand.NewPCG(v.seed+1, uint64(p.host<<16|p.n)))
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><title>%s</title><h1>%s %s</h1><p>", v.title(p), words[p.n%len(words)], p.own(v, 3))
	for i := range 60 {
		from := anyWord
		if i%3 == 0 {
			from = words
		}
		b.WriteString(from[random.IntN(len(from))] + " ")
	}
	for i := range 40 { // of its own, so that it is no copy of another
		b.WriteString(p.own(v, 5+i) + " ")
	}
	for _, to := range v.links(p, night) {
		fmt.Fprintf(&b, "<p>More: <a href=%q>%s</a>", to.url(v), v.title(to))
	}
	return b.String()
}

func (v *web) title(p page) string {
	words := chatter
	if p.useful() {
		words = subject
	}
	return p.own(v, 2) + " " + words[(p.n+p.host)%len(words)] + " " + p.own(v, 3)
}

// target reports whether another page may redirect to a page.
func (v *web) target(p page) bool {
	return p.n%3 == 1 && v.kind((p.host+v.hosts-1)%v.hosts) == moved
}

// pages are the pages that there are in a night.
func (v *web) pages(night int) (all []page) {
	for h := range v.hosts {
		for n := range v.born(h, night) {
			all = append(all, page{h, n})
		}
	}
	return all
}

// find returns the page at a path of a host.
func (v *web) find(host, path string, night int) (page, bool) {
	for h := range v.hosts {
		if v.hostName(h) != host {
			continue
		}
		for n := range v.born(h, night) {
			if p := (page{h, n}); p.path(v) == path {
				return p, true
			}
		}
		return page{host: h}, false
	}
	return page{host: -1}, false
}

// arrives notes a request.
func (v *web) arrives(host, path string, life int) (r *request, times int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r = &request{host: host, path: path, night: v.night, life: life, at: time.Now(), asks: delay}
	v.requests = append(v.requests, r)
	v.times[r.url()]++
	return r, v.times[r.url()]
}

// answered notes the end of a request that got its whole answer.
func (v *web) answered(r *request, status int, asks time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r.done, r.status, r.asks = time.Now(), status, max(asks, r.asks)
}

// ends notes that a life of the daemon ended, by its death or in order: what it asked for last, it may not know.
func (v *web) ends(life int, died bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	last := map[string]*request{}
	for _, r := range v.requests {
		if r.life == life {
			r.cut = r.cut || died && (r.done.IsZero() || time.Since(r.done) < stale)
			last[r.host] = r
		}
	}
	for _, r := range last {
		r.unread = r.done.IsZero() || time.Since(r.done) < unprobed
		r.untold = r.unread && died
	}
}

const (
	stale    = 5 * time.Second // for which the result of a request may be in memory alone
	unprobed = time.Minute     // for which a page may wait until its host may be asked for one that cannot exist
)

// serve answers for the web; life is the number of the daemon that asks.
func (v *web) serve(life func() int) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, q *http.Request) {
		host, _, err := net.SplitHostPort(q.Host)
		if err != nil {
			host = q.Host
		}
		r, times := v.arrives(host, q.URL.Path, life())
		p, ok := v.find(host, q.URL.Path, r.night)
		luck := rand.New(rand.NewPCG(v.seed^uint64(times), uint64(p.host<<16|p.n))).IntN(100)
		status, body, asks := http.StatusOK, "", time.Duration(0)
		out.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch k := v.kind(p.host); {
		case p.host < 0:
			status, body = http.StatusMisdirectedRequest, "no such host"
		case k == silent && (r.night+p.host)%3 == 0:
			<-q.Context().Done()
			return
		case q.URL.Path == "/robots.txt":
			out.Header().Set("Content-Type", "text/plain")
			body = "User-agent: *\nDisallow: /private/\n"
			if k == patient {
				body += fmt.Sprintf("Crawl-delay: %d\n", int(crawlDelay.Seconds()))
			}
		case !ok:
			status, body = http.StatusNotFound, "<title>Not found</title><p>There is no such page"
		case k == moved && p.n%3 == 1:
			to := page{(p.host + 1) % v.hosts, p.n}
			out.Header().Set("Location", to.url(v))
			status = http.StatusMovedPermanently
		case k == moved && p.n%3 == 2:
			body = v.html(page{(p.host + 1) % v.hosts, p.n}, r.night)
		case k == busy && times == 1 && luck < 20:
			out.Header().Set("Retry-After", strconv.Itoa(int(rest.Seconds())))
			status, body, asks = http.StatusServiceUnavailable, "busy", rest
		case k == failing && luck < 15:
			status, body = http.StatusInternalServerError, "it failed"
		case k == failing && luck < 30:
			_, _ = io.WriteString(out, v.html(p, r.night)[:100]) // the client may have gone
			panic(http.ErrAbortHandler)
		default:
			if body = v.html(p, r.night); k == slow {
				time.Sleep(time.Duration(luck*40) * time.Millisecond)
			}
		}
		if v.kind(p.host) == patient {
			asks = crawlDelay
		}
		out.Header().Set("Content-Length", strconv.Itoa(len(body)))
		out.WriteHeader(status)
		if _, err := io.WriteString(out, body); err == nil {
			v.answered(r, status, asks)
		}
	})
}
