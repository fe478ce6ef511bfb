package crawler

import (
	"context"
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

// probeKey stands for a probe among the fetches in flight.
const probeKey = ""

// outage is what a crawl knows of its network: who has not answered since anybody did. When nobody answers for too long,
// or many hosts say the same, a page that was read before is asked for. When that does not come either, the crawl waits.
type outage struct {
	heard  bool            // somebody has answered in this crawl
	silent []fetched       // attempts that nobody answered since, not recorded yet
	hosts  map[string]bool // their hosts
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

// waits reports whether the crawl waits for the network.
func (o *outage) waits() bool { return o.why != "" }

// checks reports whether nothing but probes may be asked.
func (o *outage) checks() bool { return o.doubt != "" }

// settled reports whether all attempts were taken in.
func (o *outage) settled() bool { return len(o.silent) == 0 && o.doubt == "" }

// setBack makes the next probe come no later than it would have, when the clock is set back to now.
func (o *outage) setBack(now time.Time) {
	if latest := now.Add(o.wait); o.next.After(latest) {
		o.next = latest
	}
}

// heard takes in an attempt on the live web.
func (c *Crawl) heard(r fetched) {
	o := &c.outage
	s := soundOf(&r.response)
	switch {
	case s == silence:
		c.unanswered(r)
		return
	case s == answer && c.portalled(r):
		return
	case s == answer:
		o.heard = true
		c.back()
	}
	c.judgeHost(r)
}

// unanswered takes in an attempt that nobody answered. What it means is seen when somebody answers, or nobody.
func (c *Crawl) unanswered(r fetched) {
	o := &c.outage
	if o.waits() {
		c.putBack(r, r.entry)
		return
	}
	c.hold(r)
	o.silent = append(o.silent, r)
	if o.hosts == nil {
		o.hosts = map[string]bool{}
	}
	o.hosts[r.entry.Host] = true
	if o.doubt != "" {
		return
	}
	switch many := len(o.silent); {
	case many >= silentMany && len(o.hosts) >= silentHosts, many >= silentAlone && o.heard && c.nobodyElse():
		c.doubtAnswers()
	case many >= silentMany:
		c.settle()
	}
}

func (c *Crawl) doubtAnswers() {
	o := &c.outage
	c.doubt(fmt.Sprintf("nobody answered %s in a row to %s", count(len(o.silent), "request"), count(len(o.hosts), "host")))
}

// alone is called when no links are left but those that nobody answered.
func (c *Crawl) alone() {
	if c.outage.heard {
		c.doubtAnswers()
	} else {
		c.settle()
	}
}

// nobodyElse reports whether the hosts that did not answer are all that have links or are being asked.
func (c *Crawl) nobodyElse() bool {
	if len(c.flying) > 0 {
		return false
	}
	others := c.frontier.Hosts()
	for host := range c.outage.hosts {
		if c.frontier.Holds(host) {
			others--
		}
	}
	return others == 0
}

// settle takes the attempts that nobody answered for what they are: failures of their hosts.
func (c *Crawl) settle() {
	o := &c.outage
	silent := o.silent
	o.silent, o.hosts = nil, nil
	for _, r := range silent {
		c.judgeHost(r)
	}
}

// doubt begins to look whether the network is there.
func (c *Crawl) doubt(why string) {
	c.outage.doubt, c.outage.next = why, time.Time{}
}

// probe looks for the network when it is time: it asks for a page that was read before and, once the crawl waits, for a
// link as well. It returns how long it is until then.
func (c *Crawl) probe() (wait time.Duration) {
	o := &c.outage
	if len(c.flying) > 0 {
		return longest // those in flight may tell
	}
	if wait := o.next.Sub(c.looked); wait > 0 {
		return wait
	}
	known, ok := c.ask()
	if !ok && !o.waits() {
		c.pause()
		return o.wait
	}
	if o.waits() {
		o.wait = min(2*o.wait, probeLast)
		o.next = c.looked.Add(o.wait)
		clear(c.held)
		c.frontier.Wake()
		c.begin()
	}
	if ok {
		c.flying[probeKey] = flight{at: c.looked}
		c.probes = append(c.probes, known.url)
	}
	return 0
}

// ask chooses a page that was read before and whose host may be asked soon, of another host than those that are silent
// when there is one.
func (c *Crawl) ask() (best sample, ok bool) {
	o := &c.outage
	for _, s := range slices.Backward(o.known) {
		if o.portal != nil && s.same(o.portal) || c.f.ReadyAt(s.url).Sub(c.looked) > probeFirst {
			continue
		}
		if !o.hosts[weburl.Host(s.url)] {
			return s, true
		}
		if !ok {
			best, ok = s, true
		}
	}
	return best, ok
}

// lookFor asks for a page only to see whether an answer comes; the ledger says so.
func (c *Crawl) lookFor(ctx context.Context, url string) fetched {
	r := c.get(ctx, frontier.Entry{URL: url, Host: weburl.Host(url)})
	r.probe = true
	for i := range r.response.Exchanges {
		if x := &r.response.Exchanges[i]; x.Purpose == fetch.ForPage {
			x.Purpose = fetch.ForProbe
		}
	}
	return r
}

// probed takes in the answer to a probe.
func (c *Crawl) probed(r fetched) {
	o := &c.outage
	c.batch.Exchanges = append(c.batch.Exchanges, r.response.Exchanges...)
	c.totals.Bytes += r.response.Bytes
	portal := o.portal != nil && r.page != nil && sampleOf(&r).same(o.portal)
	switch {
	case o.doubt == "" || r.response.Outcome == fetch.Canceled:
	case r.response.Outcome == fetch.Later && len(r.response.Exchanges) == 0 && !o.waits():
		soon := min(c.f.ReadyAt(r.entry.URL).Sub(c.looked), probeFirst)
		o.next = c.looked.Add(max(soon, longest)) // nothing was asked yet
	case soundOf(&r.response) == answer && !portal:
		c.back()
	case !o.waits():
		c.pause()
	}
}

// pause begins to wait. What nobody answered goes back as if it had never been tried, and so do the pages that were
// something else.
func (c *Crawl) pause() {
	o := &c.outage
	o.why, o.wait = o.doubt, probeFirst
	o.next = c.looked.Add(o.wait)
	for _, r := range o.silent {
		c.putBack(r, r.entry)
	}
	c.takeBack()
	o.silent, o.hosts, o.caught, o.recent = nil, nil, nil, nil
	if c.o.OnPause != nil {
		c.o.OnPause(o.why)
	}
}

// letGo puts back what is not decided yet when the crawl is stopped, as if it had not been tried, and reports whether
// there was anything.
func (c *Crawl) letGo() bool {
	o := &c.outage
	undecided := slices.Concat(o.silent, o.caught)
	for _, r := range undecided {
		c.putBack(r, r.entry)
	}
	o.silent, o.hosts, o.caught = nil, nil, nil
	if !o.waits() {
		o.doubt, o.portal = "", nil
	}
	return len(undecided) > 0
}

// back ends a doubt: somebody answered. What was silent so far is a failure of its host; after a pause nothing is.
func (c *Crawl) back() {
	o := &c.outage
	waited, caught := o.waits(), o.caught
	if o.portal != nil && !waited {
		o.benign = append(o.benign, *o.portal)
	}
	o.doubt, o.why, o.portal, o.caught = "", "", nil, nil
	if waited {
		clear(c.held)
		c.frontier.Wake()
		if c.o.OnPause != nil {
			c.o.OnPause("")
		}
	}
	c.settle()
	for _, r := range caught {
		c.judgeHost(r)
	}
}
