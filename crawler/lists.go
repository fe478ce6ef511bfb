package crawler

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

const (
	listEvery = 2      // pages for which the lists of one host are read
	listHost  = 2_000  // maximum number of addresses queued per list
	listMost  = 20_000 // maximum number of addresses from lists queued per crawl

	listLater = 3           // times that a host without links that must rest is asked again
	listWait  = time.Minute // maximum time that a crawl without links waits for such a host

	// A list is trusted only while it proves right: once at least this many of its addresses led to no page, and twice as many as
	// led to one, the others are left out.
	liesFrom = 5
)

// FeedReason is the Reason in the record of a list that is a feed. That of sitemaps is "".
const FeedReason = "a feed"

// lists reads the lists of pages that hosts publish, alongside the crawl: in turn those of the host with the best waiting link, and
// those of the hosts that are worth another look. Lists help most before the first page of a host is read. They use no budget, and
// their addresses wait in the queue at their values to the strategy.
//
// The fetcher decides which lists are due and asked for again. A host is asked for its lists once a crawl, and once more when a page
// names a new feed.
type lists struct {
	from   fetch.Lister // nil for none
	c      *Crawl
	read   map[string]bool // hosts
	given  map[string]bool // lists whose addresses were queued in this crawl, after their hosts
	urls   map[int]string  // where the lists are, by number
	proved map[int]*proof  // of the lists whose addresses were followed, by number
	since  int             // pages that were begun since the last list
	queued int             // addresses

	planned bool
	again   []string       // pages whose hosts are to be asked for their lists though they may have no waiting link, the best one last
	later   map[string]int // how often a host had to rest first
	turn    bool           // it is the turn of again
}

// proof counts the addresses of a list that were followed, by whether a page was there.
type proof struct{ pages, gone int }

func newLists(f fetch.Fetcher, c *Crawl) *lists {
	l := &lists{
		c: c, since: listEvery, read: make(map[string]bool), given: make(map[string]bool), urls: make(map[int]string),
		proved: make(map[int]*proof), later: make(map[string]int), turn: true,
	}
	if !c.flights.durable { // otherwise others fetch, and this machine does not ask in their place
		l.from, _ = f.(fetch.Lister)
	}
	c.flights.get.lister = l.from
	return l
}

// note records a list that was read in an earlier crawl of the queue.
func (l *lists) note(s *PastStep) {
	if s.Listed {
		l.urls[s.N] = s.URL
	}
}

// has reports whether a number is that of a list.
func (l *lists) has(n int) bool {
	_, ok := l.urls[n]
	return ok
}

// proves counts what an address led to, if it came from a list.
func (l *lists) proves(f *Fetch) {
	n := f.entry.Parent
	if !l.has(n) {
		return
	}
	p := l.proved[n]
	if p == nil {
		p = &proof{}
		l.proved[n] = p
	}
	switch {
	case f.Response.Outcome == fetch.OK:
		p.pages++
	case f.Response.Outcome == fetch.Missing, gone(&f.Response):
		p.gone++
	}
}

// lies reports whether a list must not be trusted.
func (l *lists) lies(n int) bool {
	p := l.proved[n]
	return p != nil && p.gone >= liesFrom && p.gone > 2*p.pages
}

// wants says for which hosts to read the list.
func (l *lists) wants(host string) (rank int, ok bool) {
	return 0, !l.read[host] && !l.c.hosts.full(host)
}

// begin starts to read the lists of a host if it is time for that; idle says that there are no links to follow. It reports whether it
// changed anything.
func (l *lists) begin(now time.Time, idle bool) bool {
	if l.from == nil || l.since < listEvery && !idle || l.queued >= listMost {
		return false
	}
	l.turn = !l.turn
	return l.turn && l.beginAgain(now) || l.beginWaiting(now) || l.beginAgain(now)
}

// wait is the time until a host can be asked for its lists, 0 when none is ready soon. It is called when there are no links to follow.
func (l *lists) wait(now time.Time) (soonest time.Duration) {
	for _, url := range l.again {
		wait := l.c.hosts.readyAt(url).Sub(now)
		if wait > 0 && wait <= listWait && (soonest == 0 || wait < soonest) {
			soonest = wait
		}
	}
	return soonest
}

// beginWaiting begins with the host of the best waiting link.
func (l *lists) beginWaiting(now time.Time) bool {
	e, ok := l.c.frontier.PopHost(l.c.picks.turn(), now, l.wants)
	switch {
	case !ok:
		return false
	case !l.c.intake.admit(e):
		l.c.frontier.Release(e.Host)
		return true
	}
	l.c.frontier.Return(e)
	l.ask(e.URL)
	return true
}

// beginAgain begins with a host that is worth another look.
func (l *lists) beginAgain(now time.Time) bool {
	l.plan()
	for i := len(l.again) - 1; i >= 0; i-- {
		url := l.again[i]
		host := weburl.Host(url)
		_, wants := l.wants(host)
		closed := l.c.intake.refuses(url) || l.c.looks.closed(url, l.c.visited)
		if !wants || closed || l.c.hosts.failing[host].Rests != "" {
			l.again = slices.Delete(l.again, i, i+1)
			continue
		}
		if l.c.hosts.readyAt(url).After(now) || !l.c.frontier.Claim(host) { // with links, its turn comes with them
			continue
		}
		l.again = slices.Delete(l.again, i, i+1)
		l.ask(url)
		return true
	}
	return false
}

// plan puts the hosts of the pages that may be looked at again in order, once: the more useful pages they brought, the earlier.
func (l *lists) plan() {
	if l.planned {
		return
	}
	l.planned = true
	useful, page := map[string]float64{}, map[string]string{}
	for _, p := range l.c.looks.pages {
		if !p.brings() || l.c.looks.closed(p.url, l.c.visited) {
			continue
		}
		host := weburl.Host(p.url)
		useful[host] += p.brought.useful
		if p.seen.Relevant {
			useful[host]++
		}
		if page[host] == "" || p.url < page[host] {
			page[host] = p.url
		}
	}
	hosts := slices.SortedFunc(maps.Keys(page), func(a, b string) int {
		return cmp.Or(cmp.Compare(useful[a], useful[b]), cmp.Compare(b, a))
	})
	for _, host := range hosts {
		l.again = append(l.again, page[host])
	}
}

// names has the host of a page be asked for its lists once more if the page named a new feed.
func (l *lists) names(r *fetched) {
	if r.named {
		delete(l.read, weburl.Host(r.response.FinalURL))
		l.again = append(l.again, r.response.FinalURL)
	}
}

// ask reads the lists of the host of a page, which is busy.
func (l *lists) ask(url string) {
	l.since = 0
	host := weburl.Host(url)
	l.c.flights.list(l.from, frontier.Entry{URL: weburl.Origin(url) + "/robots.txt", Host: host}, l.c.hosts.slow[host])
}

// list reads the list of the host of an entry.
func (f *flights) list(from fetch.Lister, e frontier.Entry, slow bool) {
	f.take(e.URL, slow)
	ctx, one := f.running, f.of[e.URL]
	one.entry, one.began, one.at = e, f.now(), f.get.clock.Now()
	go func() {
		r := fetched{entry: e, at: one.at, list: true, response: from.List(ctx, e.URL)}
		f.get.keep(context.WithoutCancel(ctx), &r)
		one.ended.Store(int64(f.now()))
		f.results <- r
	}()
}

// finish processes the lists of a host. Each that brings something is recorded.
func (l *lists) finish(r *fetched) {
	in := l.c.intake
	host := r.entry.Host
	switch r.response.Outcome {
	case fetch.Later:
		if l.later[host]++; l.later[host] <= listLater {
			l.again = append(l.again, r.entry.URL)
		}
		fallthrough
	case fetch.Canceled:
		in.ledger(r)
		return
	}
	l.read[host] = true
	for _, list := range r.response.Lists {
		key := host + " " + list.URL
		if l.given[key] || l.queued >= listMost {
			continue
		}
		l.given[key] = true
		for i := range list.Pages {
			l.c.looks.claim(list.Pages[i].URL, list.Pages[i].Changed)
		}
		if links := l.fresh(list.Pages); len(links) > 0 {
			l.record(r, &list, links)
		}
	}
	in.ledger(r) // what no record has
}

// record records a list and queues addresses of it. The first record of an answer has its requests.
func (l *lists) record(r *fetched, list *fetch.List, links []page.Link) {
	in, answer := l.c.intake, r.response
	answer.FinalURL, answer.Outcome, answer.Reason, answer.Lists = list.URL, fetch.Listed, "", nil
	if list.Feed {
		answer.Reason = FeedReason
	}
	in.meter.totals.Bytes += answer.Bytes
	r.response.Exchanges, r.response.Bytes = nil, 0
	in.lastN++
	f := in.newFetch(in.lastN, frontier.Entry{URL: list.URL, Host: r.entry.Host}, answer)
	f.At, f.Links, f.Chance = r.at, len(list.Pages), -1
	in.urls[f.N] = f.FinalURL
	l.urls[f.N] = f.FinalURL
	l.queue(f, links)
	f.Totals = in.meter.totals
	in.changes(f)
	l.queued += len(f.Queued)
	in.recorder.batch.Fetches = append(in.recorder.batch.Fetches, f)
}

// fresh are the addresses of a list that may be followed and were never in the queue, those that changed last first.
func (l *lists) fresh(pages []fetch.ListedPage) (links []page.Link) {
	in := l.c.intake
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b fetch.ListedPage) int { return b.Changed.Compare(a.Changed) })
	for _, p := range pages {
		if !in.frontier.Visited(p.URL) && !in.frontier.Has(p.URL) && !in.holds(p.URL) && follow(p.URL) {
			links = append(links, page.Link{URL: p.URL, Anchor: p.Title, Path: fromList})
		}
	}
	return links
}

// queue queues the best addresses of a list; of equally good ones, the first.
func (l *lists) queue(f *Fetch, links []page.Link) {
	all := l.value(f.N, links)
	slices.SortStableFunc(all, func(a, b frontier.Entry) int { return b.Priority.Compare(a.Priority) })
	for _, e := range all[:min(len(all), listHost, listMost-l.queued)] {
		l.c.intake.queue(f, e)
	}
}

// value turns the addresses of a list into entries with the strategy's values; they come last of all if it cannot value them.
func (l *lists) value(n int, links []page.Link) []frontier.Entry {
	var j strategy.Judgement
	lister, ok := l.c.intake.s.(strategy.Lister)
	if ok {
		j = lister.List(l.urls[n], links)
	}
	all := make([]frontier.Entry, len(links))
	for i, link := range links {
		e := frontier.Entry{URL: link.URL, Host: weburl.Host(link.URL), Parent: n, Depth: 1, Anchor: texts.First(link.Anchor, maxAnchor), Priority: strategy.LastPriority()}
		if ok {
			e.Priority, e.Note = j.Priorities[i], j.Notes[i]
		}
		all[i] = e
	}
	return all
}

// revalued is a queued address of a list with its current values; ok is false for other links.
func (l *lists) revalued(e frontier.Entry) (now frontier.Entry, ok bool) {
	if !l.has(e.Parent) {
		return e, false
	}
	now = l.value(e.Parent, []page.Link{{URL: e.URL, Anchor: e.Anchor, Path: fromList}})[0]
	now.Seq, now.Attempts, now.Retries = e.Seq, e.Attempts, e.Retries
	return now, true
}
