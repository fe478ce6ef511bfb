package crawler

import (
	"fmt"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
)

// When a crawl takes the network for gone, and how it looks for it.
const (
	silentMany  = 10 // attempts without an answer in a row
	silentHosts = 3  // at so many hosts
	silentAlone = 3  // attempts, when no other host has links
	probeFirst  = time.Minute
	probeLast   = 15 * time.Minute
	maxKnown    = 8 // pages remembered to ask whether the network is back
)

// network is what a crawl knows of its network: who has not answered since anybody did. When nobody answers for too long,
// or many hosts say the same, a page that was read before is asked for. When that does not come either, the crawl waits.
type network struct {
	fetcher fetch.Fetcher
	hosts   *hosts
	flights *flights
	meter   *meter
	then    consequences
	onPause func(why string)

	heard  bool            // somebody has answered in this crawl
	silent []fetched       // attempts that nobody answered since, not recorded yet
	mute   map[string]bool // their hosts
	known  []sample        // pages read last, the newest at the end

	doubt string        // why the network is doubted, "" while it is not
	why   string        // why the crawl waits, "" while it does not
	next  time.Time     // when it is looked for next
	wait  time.Duration // and then again

	portal *sample   // what answered in place of the pages, nil when nothing did
	caught []fetched // attempts that it answered, not recorded yet
	recent []recent  // pages recorded last
	benign []sample  // what many hosts show and is no portal
}

// consequences is what becomes of an attempt once the network says what it means. intake has them.
type consequences interface {
	assessHost(r fetched)                // the attempt says something of its host
	putBack(r fetched, e frontier.Entry) // it says nothing: its link is tried again
	undo(f *Fetch)                       // what was recorded was not the page
}

func newNetwork(c *Crawl, f fetch.Fetcher, then consequences) *network {
	n := &network{fetcher: f, hosts: c.hosts, flights: c.flights, meter: c.meter, then: then, onPause: c.o.OnPause}
	if n.onPause == nil {
		n.onPause = func(string) {}
	}
	return n
}

// restore takes in pages that were read before the crawl was interrupted, by which to see whether there is a network.
func (n *network) restore(steps []PastStep) {
	n.heard = len(steps) > 0
	for _, s := range steps[max(0, len(steps)-maxKnown):] {
		n.known = append(n.known, sample{url: s.URL, site: weburl.Site(s.URL)})
	}
}

// waits reports whether the crawl waits for the network.
func (n *network) waits() bool { return n.why != "" }

// checks reports whether nothing but probes may be asked.
func (n *network) checks() bool { return n.doubt != "" }

// settled reports whether all attempts were taken in.
func (n *network) settled() bool { return len(n.silent) == 0 && n.doubt == "" }

// setBack makes the next probe come no later than it would have, when the clock is set back to now.
func (n *network) setBack(now time.Time) {
	if latest := now.Add(n.wait); n.next.After(latest) {
		n.next = latest
	}
}

// hear takes in an attempt on the live web.
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

// unanswered takes in an attempt that nobody answered. What it means is seen when somebody answers, or nobody.
func (n *network) unanswered(r fetched) {
	if n.waits() {
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
	n.doubtThat(fmt.Sprintf("nobody answered %s in a row to %s", count(len(n.silent), "request"), count(len(n.mute), "host")))
}

// alone is called when no links are left but those that nobody answered.
func (n *network) alone() {
	if n.heard {
		n.doubtAnswers()
	} else {
		n.settle()
	}
}

// nobodyElse reports whether the hosts that did not answer are all that have links or are being asked.
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

// settle takes the attempts that nobody answered for what they are: failures of their hosts.
func (n *network) settle() {
	silent := n.silent
	n.silent, n.mute = nil, nil
	for _, r := range silent {
		n.then.assessHost(r)
	}
}

// doubtThat begins to look whether the network is there.
func (n *network) doubtThat(why string) {
	n.doubt, n.next = why, time.Time{}
}

// probe looks for the network when it is time: it names a page that was read before and is to be asked for, "" for none,
// and once the crawl waits also says that a link is to be tried. wait is how long it is until then.
func (n *network) probe() (url string, link bool, wait time.Duration) {
	if n.flights.len() > 0 {
		return "", false, longest // those in flight may tell
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
		n.hosts.wake()
	}
	return known.url, link, 0
}

// ask chooses a page that was read before and whose host may be asked soon, of another host than those that are silent
// when there is one.
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

// probed takes in the answer to a probe.
func (n *network) probed(r fetched) {
	portal := n.portal != nil && r.page != nil && sampleOf(&r).same(n.portal)
	switch {
	case n.doubt == "" || r.response.Outcome == fetch.Canceled:
	case r.response.Outcome == fetch.Later && len(r.response.Exchanges) == 0 && !n.waits():
		soon := min(n.fetcher.ReadyAt(r.entry.URL).Sub(n.meter.looked), probeFirst)
		n.next = n.meter.looked.Add(max(soon, longest)) // nothing was asked yet
	case soundOf(&r.response) == answer && !portal:
		n.back()
	case !n.waits():
		n.pause()
	}
}

// pause begins to wait. What nobody answered goes back as if it had never been tried, and so do the pages that were
// something else.
func (n *network) pause() {
	n.why, n.wait = n.doubt, probeFirst
	n.next = n.meter.looked.Add(n.wait)
	for _, r := range n.silent {
		n.then.putBack(r, r.entry)
	}
	n.takeBack()
	n.silent, n.mute, n.caught, n.recent = nil, nil, nil, nil
	n.onPause(n.why)
}

// letGo puts back what is not decided yet when the crawl is stopped, as if it had not been tried, and reports whether
// there was anything.
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

// back ends a doubt: somebody answered. What was silent so far is a failure of its host; after a pause nothing is.
func (n *network) back() {
	waited, caught := n.waits(), n.caught
	if n.portal != nil && !waited {
		n.benign = append(n.benign, *n.portal)
	}
	n.doubt, n.why, n.portal, n.caught = "", "", nil, nil
	if waited {
		n.hosts.wake()
		n.onPause("")
	}
	n.settle()
	for _, r := range caught {
		n.then.assessHost(r)
	}
}
