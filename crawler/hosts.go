package crawler

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

const (
	maxStrikes = 3                // failures in a row after which a host rests until the crawl ends
	maxRetries = 1                // times a link is put back because its host failed
	holdFirst  = 30 * time.Second // how long a host that failed is left alone; it doubles with each failure
	holdShort  = time.Second      // the same when the fetcher does not say until when
	holdUnread = 6 * time.Minute  // the same when its robots.txt could not be read: longer than the fetcher caches that
	holdMost   = 15 * time.Minute

	maxUnseen = 2 // attempts at a host that still counts as hardly seen

	// early is how far ahead of the time when a host may be contacted its next fetch is chosen. The start of the fetch is
	// committed first, which takes about as long, and the fetcher waits for the rest.
	early = 100 * time.Millisecond
)

// hosts tracks the hosts of a crawl: the pages fetched from them, their failures, and until when they are left alone.
type hosts struct {
	frontier *frontier.Frontier
	fetcher  fetch.Fetcher
	recorder *recorder
	meter    *meter
	flights  *flights
	live     bool

	perHost, perSite int            // pages, 0 without limit
	pages            map[string]int // pages of budget used, by host
	sites            map[string]int // the same by site, including fetches in flight
	capped           bool           // a host or site reached its limit
	kept             map[string]int // links that wait for the next crawl of the queue, by host that reached its limit
	tries            map[string]int // attempts, by host

	failing map[string]HostFailures
	slow    map[string]bool // hosts whose last fetch was set aside
	held    map[string]held // hosts that failed; see wait.go
	left    int             // links of resting hosts
	resting int             // number of resting hosts
}

func newHosts(f fetch.Fetcher, o *Options, r *recorder, m *meter) *hosts {
	return &hosts{
		fetcher: f, recorder: r, meter: m, live: o.Live, perHost: o.Budget.PerHost, perSite: o.Budget.PerSite,
		pages: make(map[string]int), sites: make(map[string]int), tries: make(map[string]int),
		failing: make(map[string]HostFailures), slow: make(map[string]bool), held: make(map[string]held),
		kept: make(map[string]int),
	}
}

// reserve counts a page in flight for its site, until release.
func (h *hosts) reserve(url string) { h.sites[weburl.Site(url)]++ }

// release undoes reserve.
func (h *hosts) release(url string) { h.sites[weburl.Site(url)]-- }

// charge counts pages of budget. A negative cost gives them back.
func (h *hosts) charge(host, url string, cost int) {
	h.pages[host] += cost
	h.sites[weburl.Site(url)] += cost
}

// restore sets the pages and failures of hosts from before the crawl was interrupted.
func (h *hosts) restore(pages map[string]int, failing map[string]HostFailures) {
	for host, n := range pages {
		h.charge(host, "http://"+host+"/", n)
		h.tries[host] = n // links that cost nothing are forgotten
	}
	if !h.live {
		return
	}
	for host, f := range failing {
		h.failing[host] = f
		if f.Rests != "" {
			h.rest(host)
		}
	}
}

// full reports whether a host or its site has reached its limit of pages.
func (h *hosts) full(host string) bool {
	return h.perHost > 0 && h.pages[host] >= h.perHost ||
		h.perSite > 0 && h.sites[weburl.Site("http://"+host+"/")] >= h.perSite
}

// unseen ranks hosts that the crawl has hardly seen, the fewest attempts first. ok is false for other hosts.
func (h *hosts) unseen(host string) (rank int, ok bool) {
	n := h.tries[host]
	return n, n <= maxUnseen
}

// closeFull closes a host that is full.
func (h *hosts) closeFull(host string) {
	if h.full(host) {
		h.kept[host] += h.frontier.Close(host)
		h.capped = true
	}
}

// keepsFor counts n links that wait for the next crawl of the queue; links of hosts that rest do not count.
func (h *hosts) keepsFor(host string, n int) {
	if h.failing[host].Rests == "" {
		h.kept[host] += n
	}
}

// allKept counts the links that wait for the next crawl of the queue.
func (h *hosts) allKept() (n int) {
	for _, kept := range h.kept {
		n += kept
	}
	return n
}

// waiting says in words which links wait for the next crawl, "" for none.
func (h *hosts) waiting() string {
	most, all := "", h.allKept()
	for _, host := range slices.Sorted(maps.Keys(h.kept)) {
		if h.kept[host] > h.kept[most] {
			most = host
		}
	}
	switch n := h.kept[most]; {
	case all == 0:
		return ""
	case all == 1:
		return fmt.Sprintf("; 1 link of %s waits for the next crawl", most)
	case n == all:
		return fmt.Sprintf("; %s of %s wait for the next crawl", texts.Plural(n, "link"), most)
	default:
		return fmt.Sprintf("; %s of %s and %d of other hosts wait for the next crawl", texts.Plural(n, "link"), most, all-n)
	}
}

// noLinks says in words why no link is left. forbidden is the number of pages that robots.txt forbade.
func (h *hosts) noLinks(forbidden int) string {
	why := "no links left"
	if h.capped && h.left == 0 {
		why += " within the limits of pages per host and site" + h.waiting()
	}
	var but []string
	if h.left > 0 {
		but = append(but, fmt.Sprintf("%s of %s that failed", texts.Plural(h.left, "link"), texts.Plural(h.resting, "host")))
	}
	if forbidden > 0 {
		but = append(but, texts.Plural(forbidden, "page")+" that robots.txt forbids")
	}
	if len(but) == 0 {
		return why
	}
	return why + ", except " + strings.Join(but, " and ")
}

// strike counts a failure of a host, lets the host rest after the third in a row, and returns its failures.
func (h *hosts) strike(host, why string) HostFailures {
	f := h.failing[host]
	f.Strikes++
	if f.Strikes == maxStrikes {
		f.Rests = fmt.Sprintf("failed %d times in a row; the last time: %s", maxStrikes, why)
		h.rest(host)
	}
	h.failing[host] = f
	h.recorder.batch.fails(host, f)
	return f
}

// rest leaves a host alone until the crawl ends. Its links stay in the stored frontier, where the person can see them.
func (h *hosts) rest(host string) {
	h.left += h.frontier.Close(host)
	h.resting++
}

// putBack queues an entry again. Entries of a host that is closed only count: as left when it rests, otherwise as waiting for the
// next crawl.
func (h *hosts) putBack(e frontier.Entry) {
	switch {
	case h.frontier.Return(e):
	case h.failing[e.Host].Rests != "":
		h.left++
	default:
		h.kept[e.Host]++
	}
}

// forgive clears the failures of a host that answers.
func (h *hosts) forgive(r *fetched) {
	host := r.entry.Host
	if soundOf(&r.response) != answer || h.failing[host].Rests != "" {
		return
	}
	delete(h.held, host)
	if _, ok := h.failing[host]; ok {
		delete(h.failing, host)
		h.recorder.batch.fails(host, HostFailures{})
	}
}

// timed notes whether a fetch was slow. A fetch that requested no page, or during which the machine slept, does not count.
func (h *hosts) timed(r *fetched, took time.Duration, slept bool) {
	switch {
	case h.flights.most == 0 || slept || !pageAsked(&r.response):
	case took >= setAside:
		h.slow[r.entry.Host] = true
	default:
		delete(h.slow, r.entry.Host)
	}
}

// wake ends the waiting of every host: the clock was set back, or the network may be back.
func (h *hosts) wake() {
	clear(h.held)
	h.frontier.Wake()
}

// readyAt returns when a fetch from the URL's host may start: the fetcher's delay and the host's failures decide.
// A slow host waits while no more fetches may be set aside.
func (h *hosts) readyAt(url string) time.Time {
	at := h.fetcher.ReadyAt(url)
	if h.live && !at.IsZero() {
		at = at.Add(-early)
	}
	if len(h.held) > 0 {
		if until := h.held[weburl.Host(url)].until; until.After(at) {
			at = until
		}
	}
	if len(h.slow) > 0 && h.slow[weburl.Host(url)] && h.flights.crowded() {
		if until := h.meter.looked.Add(holdShort); until.After(at) {
			return until
		}
	}
	return at
}
