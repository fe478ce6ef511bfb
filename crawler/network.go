package crawler

import (
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// When a crawl suspects an outage, and how often it probes.
const (
	silentMany  = 10 // attempts in a row without an answer
	silentHosts = 3  // hosts that those attempts went to
	silentAlone = 3  // attempts in a row, when no other host has links
	probeFirst  = time.Minute
	probeLast   = 15 * time.Minute
	maxKnown    = 8 // pages remembered as probes

	// tryMost is the number of links that a waiting crawl tries with each probe if it has read no page that it could request: hosts that
	// never answer may come before good ones.
	tryMost = 100
)

// network detects outages. It withholds attempts that got no answer. When there are too many of them, or many hosts send
// the same page, it probes: it requests a page that was read before. When the probe fails too, the crawl waits.
type network struct {
	fetcher fetch.Fetcher
	hosts   *hosts
	flights *flights
	meter   *meter
	then    consequences
	onPause func(why string)

	heard  bool            // any host has answered in this crawl
	silent []fetched       // attempts without an answer since the last answer, not recorded yet
	mute   map[string]bool // their hosts
	known  []sample        // the pages read last, the newest at the end

	doubt string        // why an outage is suspected, "" when none is
	why   string        // why the crawl waits, "" when it does not
	next  time.Time     // of the next probe
	wait  time.Duration // between two probes

	tried  map[string]bool // while it waits: hosts that did not answer; the others are tried first
	trying int             // links that are to be tried before the next probe

	portal *sample   // the page of a suspected captive portal, nil without one
	caught []fetched // attempts that it answered, not recorded yet
	recent []recent  // the pages recorded last
	benign []sample  // pages that many hosts show and that are no portal
}

// consequences decides what happens to an attempt once it is known whether the network worked. intake implements it.
type consequences interface {
	assessHost(r fetched)                // the network worked: the attempt counts for its host
	putBack(r fetched, e frontier.Entry) // it did not: retry the link
	undo(f *Fetch)                       // the recorded answer was not the page
}

func newNetwork(c *Crawl, f fetch.Fetcher, then consequences) *network {
	n := &network{fetcher: f, hosts: c.hosts, flights: c.flights, meter: c.meter, then: then, onPause: c.o.OnPause}
	if n.onPause == nil {
		n.onPause = func(string) {}
	}
	return n
}

// restore takes the last pages read before the crawl was interrupted as probes.
func (n *network) restore(steps []PastStep) {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s PastStep) bool { return s.Visited || s.Listed })
	n.heard = len(steps) > 0
	for _, s := range steps[max(0, len(steps)-maxKnown):] {
		if s.Look == nil || !s.Look.Gone {
			n.known = append(n.known, sample{url: s.URL, site: weburl.Site(s.URL)})
		}
	}
}

// waits reports whether the crawl waits for the network.
func (n *network) waits() bool { return n.why != "" }

// checks reports whether an outage is suspected, so that only probes may start.
func (n *network) checks() bool { return n.doubt != "" }

// settled reports whether no attempt is withheld.
func (n *network) settled() bool { return len(n.silent) == 0 && n.doubt == "" }

// setBack keeps the next probe from being delayed when the clock is set back to now.
func (n *network) setBack(now time.Time) {
	if latest := now.Add(n.wait); n.next.After(latest) {
		n.next = latest
	}
}

// hear processes an attempt on the live web.
func (n *network) hear(r fetched) {
	s := soundOf(&r.response)
	switch {
	case s == silence:
		n.unanswered(r)
		return
	case s == answer && n.portalled(r):
		return
	case s == answer:
		n.heard = true
		n.back()
	}
	n.then.assessHost(r)
}

// unanswered withholds an attempt without an answer. The attempts that follow show whether its host or the network failed.
func (n *network) unanswered(r fetched) {
	if n.waits() {
		n.tried[r.entry.Host] = true
		n.hosts.holdHost(r.entry.Host, n.wait, "it did not answer")
		n.then.putBack(r, r.entry)
		return
	}
	n.hosts.hold(&r)
	n.silent = append(n.silent, r)
	if n.mute == nil {
		n.mute = map[string]bool{}
	}
	n.mute[r.entry.Host] = true
	if n.doubt != "" {
		return
	}
	switch many := len(n.silent); {
	case many >= silentMany && len(n.mute) >= silentHosts, many >= silentAlone && n.heard && n.nobodyElse():
		n.doubtAnswers()
	case many >= silentMany:
		n.settle()
	}
}

func (n *network) doubtAnswers() {
	n.doubtThat(fmt.Sprintf("%s in a row to %s got no answer", texts.Plural(len(n.silent), "request"), texts.Plural(len(n.mute), "host")))
}

// alone is called when only withheld attempts remain, or other links that are due too late. The pages that were read may then
// be on hosts that must not be asked yet, which says nothing about the network.
func (n *network) alone(late bool) {
	_, known := n.ask()
	if n.heard && (known || !late) {
		n.doubtAnswers()
	} else {
		n.settle()
	}
}

// nobodyElse reports whether only hosts that did not answer have links, and no fetch is in flight.
func (n *network) nobodyElse() bool {
	if n.flights.len() > 0 {
		return false
	}
	others := n.hosts.frontier.Hosts()
	for host := range n.mute {
		if n.hosts.frontier.Holds(host) {
			others--
		}
	}
	return others == 0
}

// settle counts the withheld attempts as failures of their hosts.
func (n *network) settle() {
	silent := n.silent
	n.silent, n.mute = nil, nil
	for _, r := range silent {
		n.then.assessHost(r)
	}
}

// doubtThat starts to probe the network.
func (n *network) doubtThat(why string) {
	n.doubt, n.next = why, time.Time{}
}

// probe returns what to request when it is time to probe: the URL of a page that was read before, "" for none, and whether
// to try a link as well, as it does once the crawl waits. wait is the time until the next probe, 0 when it is now.
func (n *network) probe() (url string, link bool, wait time.Duration) {
	if n.flights.len() > 0 {
		return "", false, longest // the fetches in flight may settle it
	}
	if wait := n.next.Sub(n.meter.looked); wait > 0 {
		return "", false, wait
	}
	known, ok := n.ask()
	if !ok && !n.waits() {
		n.pause()
		return "", false, n.wait
	}
	if link = n.waits(); link {
		n.wait = min(2*n.wait, probeLast)
		n.next = n.meter.looked.Add(n.wait)
		n.wakeUntried()
		if n.trying = 1; !ok && n.portal == nil {
			n.trying = tryMost
		}
	}
	return known.url, link, 0
}

// wakeUntried lets every host be asked except those that have not answered since the crawl began to wait.
func (n *network) wakeUntried() {
	n.hosts.wake()
	for host := range n.tried {
		n.hosts.holdHost(host, n.wait, "it did not answer")
	}
}

// tryAgain is called when every host was tried: all may be tried again. It reports whether there are any.
func (n *network) tryAgain() bool {
	if len(n.tried) == 0 {
		return false
	}
	clear(n.tried)
	n.hosts.wake()
	return true
}

// ask chooses a page that was read before and whose host may be contacted soon; it prefers hosts that are not silent.
func (n *network) ask() (best sample, ok bool) {
	for _, s := range slices.Backward(n.known) {
		if n.portal != nil && s.same(n.portal) || n.fetcher.ReadyAt(s.url).Sub(n.meter.looked) > probeFirst {
			continue
		}
		if !n.mute[weburl.Host(s.url)] {
			return s, true
		}
		if !ok {
			best, ok = s, true
		}
	}
	return best, ok
}

// probed processes the result of a probe.
func (n *network) probed(r fetched) {
	portal := n.portal != nil && r.page != nil && sampleOf(&r).same(n.portal)
	switch {
	case n.doubt == "" || r.response.Outcome == fetch.Canceled:
	case r.response.Outcome == fetch.Later && len(r.response.Exchanges) == 0 && !n.waits():
		soon := min(n.fetcher.ReadyAt(r.entry.URL).Sub(n.meter.looked), probeFirst)
		n.next = n.meter.looked.Add(max(soon, longest)) // nothing was requested yet
	case soundOf(&r.response) == answer && !portal:
		n.back()
	case !n.waits():
		n.pause()
	}
}

// pause makes the crawl wait. Attempts without an answer are put back as if never made, and so are the pages that a portal
// answered.
func (n *network) pause() {
	n.why, n.wait = n.doubt, probeFirst
	n.next = n.meter.looked.Add(n.wait)
	n.tried, n.trying = n.mute, 0
	if n.tried == nil { // a portal answered
		n.tried = map[string]bool{}
	}
	for _, r := range n.silent {
		n.then.putBack(r, r.entry)
	}
	n.takeBack()
	n.silent, n.mute, n.caught, n.recent = nil, nil, nil, nil
	n.onPause(n.why)
}

// letGo puts back all withheld attempts when the crawl is stopped, as if never made, and reports whether there were any.
func (n *network) letGo() bool {
	undecided := slices.Concat(n.silent, n.caught)
	for _, r := range undecided {
		n.then.putBack(r, r.entry)
	}
	n.silent, n.mute, n.caught = nil, nil, nil
	if !n.waits() {
		n.doubt, n.portal = "", nil
	}
	return len(undecided) > 0
}

// back is called when a host answers: the network works. Withheld attempts count as failures of their hosts; after a pause
// there are none.
func (n *network) back() {
	waited, caught := n.waits(), n.caught
	if n.portal != nil && !waited {
		n.benign = append(n.benign, *n.portal)
	}
	n.doubt, n.why, n.portal, n.caught = "", "", nil, nil
	n.tried, n.trying = nil, 0
	if waited {
		n.hosts.wake()
		n.onPause("")
	}
	n.settle()
	for _, r := range caught {
		n.then.assessHost(r)
	}
}
