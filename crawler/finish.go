package crawler

import (
	"cmp"
	"hash/maphash"
	"slices"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// Longest anchor text, title and error text that are stored, in runes.
const (
	maxAnchor = 200
	maxTitle  = 300
	maxReason = 300
)

// finish processes the result of one attempt: it is recorded, put back, or withheld until it is clear whether the network
// works.
func (c *Crawl) finish(r fetched) {
	in := c.intake
	in.troubled(r.trouble)
	if r.probe {
		c.flights.land(probeKey)
		in.ledger(&r)
		c.network.probed(r)
		return
	}
	took, slept := c.flights.land(r.entry.URL)
	if r.list {
		c.lists.finish(&r)
		c.frontier.Release(r.entry.Host)
		c.recorder.finished()
		return
	}
	c.lists.names(&r)
	c.hosts.timed(&r, took, slept)
	c.hosts.release(r.entry.URL)
	c.look()
	switch o := r.response.Outcome; {
	case o == fetch.Canceled && (in.durable || r.entry.Attempts < maxBegun):
		in.cutShort(r)
	case o == fetch.Later && (!c.o.Live || len(r.response.Exchanges) == 0):
		in.later(r)
	case !c.o.Live:
		in.record(r)
	case slept && (o == fetch.Timeout || o == fetch.Network):
		in.cutShort(r)
	default:
		c.network.hear(r) // calls assessHost once the network is known to work
	}
	c.hosts.closeFull(r.entry.Host)
	c.frontier.Release(r.entry.Host)
	c.recorder.finished()
}

// intake records an attempt as a Fetch, or puts its link back. Of a Fetch, it has the page judged and queues the links.
type intake struct {
	s         strategy.Strategy
	picks     picks
	o         *Options
	frontier  *frontier.Frontier
	hosts     *hosts
	network   *network
	learning  *learning
	promising *promising
	recorder  *recorder
	meter     *meter
	stock     *stock
	looks     *looks
	visited   *visited
	lists     *lists

	urls     map[int]string     // final, of the pages read, by number
	texts    map[int64]struct{} // hashes of the texts of all pages read
	missing  map[string]bool    // hosts whose page for an address that does not exist was looked for
	outcomes map[fetch.Outcome]int
	refused  map[string]int      // links that the guard refused when popped, by reason
	held     map[uint64]struct{} // hashes of the links in Fetch.Held
	choices  map[string]Choice   // how links were chosen whose attempts are not recorded yet, by URL
	lastN    int
	seq      int64
	durable  bool  // the dispatcher stores its tasks
	trouble  error // the first of the archive or the renderer
}

func newIntake(s strategy.Strategy, c *Crawl) *intake {
	in := &intake{
		s: s, durable: c.flights.durable, picks: c.picks, o: &c.o, frontier: c.frontier, hosts: c.hosts, learning: c.learning, recorder: c.recorder, meter: c.meter,
		urls: make(map[int]string), texts: make(map[int64]struct{}), missing: make(map[string]bool),
		outcomes: make(map[fetch.Outcome]int), refused: make(map[string]int), choices: make(map[string]Choice), held: make(map[uint64]struct{}),
	}
	in.looks, in.visited, in.lists = newLooks(&c.o, in.urls), newVisited(&c.o), c.lists
	return in
}

// assessHost processes an attempt made while the network worked. A link whose host failed is put back once; a host that
// fails three times in a row rests.
func (in *intake) assessHost(r fetched) {
	host, why := weburl.Host(r.response.FinalURL), failed(&r.response) // a redirect may have led to another host
	if host != r.entry.Host {
		in.hosts.forgive(&r)
	}
	later := r.response.Outcome == fetch.Later // the page itself was not requested
	switch {
	case why == "" && later:
		in.hosts.forgive(&r)
		in.later(r)
		return
	case why == "":
		in.hosts.forgive(&r)
		in.record(r)
		return
	}
	failures := in.hosts.strike(host, why)
	switch again := r.entry; {
	case later && host == r.entry.Host:
		in.hosts.hold(&r)
		in.putBack(r, again)
	case failures.Rests != "" && failures.Strikes == maxStrikes, !passes(&r.response), again.Retries >= maxRetries:
		in.record(r)
	default:
		again.Retries++
		in.meter.totals.Bytes += r.response.Bytes
		in.hosts.hold(&r)
		in.putBack(r, again)
	}
}

// record turns an attempt into a Fetch and processes its page.
func (in *intake) record(r fetched) {
	f := in.account(r)
	if f.Page != nil {
		in.read(f, r)
	} else {
		in.missed(f, &r)
		in.lost(f)
	}
	if f.Page != nil || f.Look == nil && f.Response.Outcome == fetch.OK {
		in.looks.add(f.step())
	}
	if in.o.Live && r.page != nil {
		in.network.remember(&r, f)
	}
	in.lists.proves(f)
	in.chosen(f)
	f.Totals = in.meter.totals
	in.changes(f)
	in.promising.add(f)
	in.recorder.batch.Fetches = append(in.recorder.batch.Fetches, f)
}

// chosen sets how the link of an attempt was chosen, and the reasons of that moment.
func (in *intake) chosen(f *Fetch) {
	choice, ok := in.choices[f.URL]
	if !ok {
		return
	}
	delete(in.choices, f.URL)
	f.Choice = &choice
	if choice.Compared > 0 {
		f.Judgement.Why = choice.Why
	}
}

// missed reports an attempt that gave no new page.
func (in *intake) missed(f *Fetch, r *fetched) {
	if r.page == nil { // and not a page that was read before
		learned, err := in.learning.missed(&r.entry, f.Cost)
		if learned {
			f.Learned = in.learning.learned(in.lastN)
		}
		in.unlearned(f, err)
	}
	if f.Cost > 0 && !gone(&f.Response) {
		in.o.Trap.Missed(f.URL)
	}
}

// account numbers the fetch, charges the budget and marks the URLs that must not be fetched again.
func (in *intake) account(r fetched) *Fetch {
	e, resp := r.entry, r.response
	in.usedUp(&r)
	in.lastN++
	f := in.newFetch(in.lastN, e, resp)
	f.Pick = in.picks.recorded(e.URL, in.cost(resp.Outcome))
	f.At, f.Cost, f.Worker, f.Page, f.Rendered, f.Place, f.Chance = r.at, in.cost(resp.Outcome), r.worker, r.page, r.rendered, r.place, in.promising.chance(&e)
	in.looks.mark(f)
	in.meter.totals.Fetched += f.Cost
	in.meter.totals.Bytes += resp.Bytes
	in.outcomes[resp.Outcome]++
	in.hosts.charge(e.Host, e.URL, f.Cost)
	f.Done = []string{e.URL}
	switch resp.Outcome {
	case fetch.OK, fetch.Status, fetch.Type, fetch.TooLarge:
		for _, u := range resp.Redirects {
			if in.visit(u) {
				f.Done = append(f.Done, u)
			}
		}
		if resp.FinalURL == e.URL {
			break
		}
		if in.visit(resp.FinalURL) {
			f.Done = append(f.Done, resp.FinalURL)
		} else if !slices.Contains(f.Done, resp.FinalURL) {
			f.Page = nil // it has been visited, or is being fetched, under its own URL
		}
	}
	return f
}

// cost returns the pages of budget that an attempt uses.
func (in *intake) cost(o fetch.Outcome) int {
	if o.Free() || o == fetch.Missing && !in.o.MissingCosts {
		return 0
	}
	return 1
}

// read has the strategy judge a page and queues the page's links.
func (in *intake) read(f *Fetch, r fetched) {
	p, e := f.Page, r.entry
	f.Title = texts.First(p.Title, maxTitle)
	if in.readFrameset(f, e) {
		return
	}
	p.Links = in.linksOf(f)
	visit := strategy.Visit{Page: p, Body: r.response.Body, URL: e.URL, Note: e.Note, Start: e.Depth == 0 || f.Look != nil || in.lists.has(e.Parent), Parent: e.Path, Prepared: r.prepared}
	if f.visited() {
		visit.Visited, visit.Start = true, len(e.Path) == 0
	}
	in.consult(f, visit)
	if f.Judgement.Reorder {
		f.Learned = in.learning.learned(in.lastN)
	}
	j := &f.Judgement
	in.urls[f.N] = f.FinalURL
	copied := in.credit(f, r)
	if f.Relevant {
		in.meter.totals.Relevant++
	}
	if p.NoFollow {
		return
	}
	var fresh []string
	for i, l := range p.Links {
		child := frontier.Entry{URL: l.URL, Parent: f.N, Depth: f.Depth + 1, Anchor: texts.First(l.Anchor, maxAnchor), Path: j.Path}
		switch {
		case copied:
			child.Priority = strategy.LastPriority()
		case i < len(j.Priorities):
			child.Priority = j.Priorities[i]
		}
		if !copied && i < len(j.Notes) {
			child.Note = j.Notes[i]
		}
		if !l.NoFollow {
			f.Links++
			if in.queue(f, child) {
				fresh = append(fresh, child.URL)
			}
		}
	}
	in.news(f, fresh)
}

// consult has the strategy read a page. Errors are counted, and the crawl goes on.
func (in *intake) consult(f *Fetch, v strategy.Visit) {
	var err error
	f.Judgement, err = strategy.Read(in.learning.ctx, in.s, v, strategy.MaxPath)
	in.unlearned(f, err)
}

// unlearned counts an error of the strategy, if there was one.
func (in *intake) unlearned(f *Fetch, err error) {
	if err == nil {
		return
	}
	f.StrategyError = err
	in.meter.totals.StrategyErrors++
	in.meter.totals.StrategyError = texts.First(err.Error(), maxReason)
}

// credit sets what a page counts for and reports whether it is a copy or a near-duplicate of a page read before.
func (in *intake) credit(f *Fetch, r fetched) (copied bool) {
	if p := in.looks.of(f.FinalURL); f.Look != nil && p != nil && !in.creditLook(f, r, p) {
		in.texts[f.TextHash] = struct{}{}
		in.o.Trap.Recall(trap.Past{URL: f.FinalURL, Title: f.Title, Simhash: f.Simhash, Again: true})
		return false
	}
	f.TextHash = r.text
	_, copied = in.texts[f.TextHash]
	copied = copied && f.TextHash != 0
	in.texts[f.TextHash] = struct{}{}
	in.missingPage(f, &r)
	v := in.o.Trap.Page(trap.Read{URL: f.FinalURL, Parent: f.Parent, Page: f.Page, Sketch: r.sketch, Kind: r.kind, Relevant: f.Judgement.Relevant && !copied})
	copied = copied || v.Near
	f.Simhash, f.Credit = cmp.Or(v.Simhash, r.simhash), v.Credit && !copied
	if f.Relevant = f.Judgement.Relevant && !copied && !f.visited(); f.Relevant {
		f.NoFind = v.NoFind
	}
	return copied
}

// missingPage gives the trap guard, once per host, the page that the host shows for an address that does not exist.
func (in *intake) missingPage(f *Fetch, r *fetched) {
	host := weburl.Host(f.FinalURL)
	if in.o.Trap == nil || in.missing[host] && r.missing == nil {
		return
	}
	missing := r.missing
	if missing == nil && in.o.MissingPage != nil {
		if html := in.o.MissingPage(host); html != nil {
			missing, _ = page.Parse(f.FinalURL, page.ContentUTF8, html) // nil on an error
		}
	}
	in.missing[host] = true
	in.o.Trap.NotFound(f.FinalURL, missing)
}

// queue puts a link into the frontier, unless it must not be followed, and reports whether the frontier did not know it.
func (in *intake) queue(f *Fetch, e frontier.Entry) (fresh bool) {
	if in.frontier.Visited(e.URL) || in.refuses(e.URL) || !in.frontier.Has(e.URL) && !follow(e.URL) || // queued links were checked before
		in.o.Trap != nil && in.o.Trap.Admit(e.URL) != "" {
		return false
	}
	e.Host, e.Seq = weburl.Host(e.URL), in.seq+1
	if in.frontier.Has(e.URL) {
		var raise bool
		if e, raise = in.merged(e); !raise {
			return false
		}
	}
	switch in.frontier.Add(e) {
	case frontier.Added:
		fresh = true
	case frontier.Raised:
		f.Queued = append(f.Queued, e)
	case frontier.Closed:
		return in.hold(f, e)
	case frontier.NoRoom:
		fresh = in.stock.keeps(e.URL)
	}
	if fresh {
		in.seq++
		f.Queued = append(f.Queued, e)
	}
	return fresh
}

// hold keeps a link for the next crawl of the queue, and reports whether it was not kept before.
func (in *intake) hold(f *Fetch, e frontier.Entry) bool {
	if in.holds(e.URL) {
		return false
	}
	in.held[urlKey(e.URL)] = struct{}{}
	in.seq++
	in.hosts.keepsFor(e.Host, 1)
	f.Held = append(f.Held, e)
	return true
}

// holds reports whether a link is kept for the next crawl of the queue.
func (in *intake) holds(url string) bool {
	_, held := in.held[urlKey(url)]
	return held
}

// visit marks a URL as visited and reports whether the mark is new. The URL then no longer waits for the next crawl.
func (in *intake) visit(url string) bool {
	if in.holds(url) || in.frontier.Shut(url) {
		delete(in.held, urlKey(url))
		in.hosts.keepsFor(weburl.Host(url), -1)
	}
	return in.frontier.Visit(url)
}

func urlKey(url string) uint64 { return maphash.String(bodySeed, url) }
