package crawler

import (
	"context"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

const (
	listEvery = 2      // pages for which one list is read
	listHost  = 2_000  // maximum number of addresses queued per list
	listMost  = 20_000 // maximum number of addresses from lists queued per crawl

	// A list is trusted only while it proves right: once at least this many of its addresses led to no page, and twice as many as
	// led to one, the others are left out.
	liesFrom = 5
)

// lists reads the lists of pages that hosts publish, alongside the crawl: first that of the host with the best waiting link.
// A list helps most before the first page of its host is read. It uses no budget, and its addresses wait in the queue at their values to the strategies.
type lists struct {
	from   fetch.Lister // nil for none
	c      *Crawl
	read   map[string]bool // hosts
	urls   map[int]string  // where the lists are, by number
	proved map[int]*proof  // of the lists whose addresses were followed, by number
	since  int             // pages that were begun since the last list
	queued int             // addresses
}

// proof counts the addresses of a list that were followed, by whether a page was there.
type proof struct{ pages, gone int }

func newLists(f fetch.Fetcher, c *Crawl) *lists {
	l := &lists{c: c, since: listEvery, read: make(map[string]bool), urls: make(map[int]string), proved: make(map[int]*proof)}
	if !c.flights.durable { // otherwise others fetch, and this machine does not ask in their place
		l.from, _ = f.(fetch.Lister)
	}
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

// begin starts to read a list if it is time for one. It reports whether it changed anything.
func (l *lists) begin(now time.Time, second bool) bool {
	if l.from == nil || l.since < listEvery || l.queued >= listMost {
		return false
	}
	pop := l.c.frontier.PopHost
	if second {
		pop = l.c.frontier.PopHostSecond
	}
	e, ok := pop(now, l.wants)
	switch {
	case !ok:
		return false
	case !l.c.intake.admit(e):
		l.c.frontier.Release(e.Host)
		return true
	}
	l.c.frontier.Return(e)
	l.since = 0
	l.c.flights.list(l.from, frontier.Entry{URL: weburl.Origin(e.URL) + "/robots.txt", Host: e.Host}, l.c.hosts.slow[e.Host])
	return true
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

// finish processes a list.
func (l *lists) finish(r *fetched) {
	in := l.c.intake
	if o := r.response.Outcome; o == fetch.Canceled || o == fetch.Later {
		in.ledger(r)
		return
	}
	l.read[r.entry.Host] = true
	links := l.fresh(r.response.Listed)
	if len(links) == 0 {
		in.ledger(r)
		return
	}
	r.response.Outcome = fetch.Listed
	in.lastN++
	f := in.newFetch(in.lastN, frontier.Entry{URL: r.response.FinalURL, Host: r.entry.Host}, r.response)
	f.At, f.Links, f.Chance = r.at, len(r.response.Listed), -1
	in.paths.add(f.N, 0, Step{URL: f.FinalURL, Cluster: -1})
	l.urls[f.N] = f.FinalURL
	l.queue(f, links)
	in.meter.totals.Bytes += r.response.Bytes
	f.Totals = in.meter.totals
	in.changes(f)
	l.queued += len(f.Queued)
	in.recorder.batch.Fetches = append(in.recorder.batch.Fetches, f)
}

// fresh are the addresses of a list that may be followed and were never in the queue.
func (l *lists) fresh(urls []string) (links []page.Link) {
	in := l.c.intake
	for _, url := range urls {
		if !in.frontier.Visited(url) && !in.frontier.Has(url) && !in.holds(url) && follow(url) {
			links = append(links, page.Link{URL: url, Path: fromList})
		}
	}
	return links
}

// queue queues the best addresses of a list.
func (l *lists) queue(f *Fetch, links []page.Link) {
	all := l.value(f.N, links)
	slices.SortStableFunc(all, func(a, b frontier.Entry) int { return b.Priority.Compare(a.Priority) })
	for _, e := range all[:min(len(all), listHost, listMost-l.queued)] {
		l.c.intake.queue(f, e)
	}
}

// value turns the addresses of a list into entries with the strategies' values; they come last of all if a strategy cannot
// value them.
func (l *lists) value(n int, links []page.Link) []frontier.Entry {
	by := func(s strategy.Strategy) (j strategy.Judgement, last bool) {
		lister, ok := s.(strategy.Lister)
		if ok {
			j = lister.List(l.urls[n], links)
		}
		return j, !ok
	}
	in := l.c.intake
	j, last := by(in.s)
	var beside strategy.Judgement
	besideLast := true
	if in.second != nil {
		beside, besideLast = by(in.second.s)
	}
	all := make([]frontier.Entry, len(links))
	for i, link := range links {
		e := frontier.Entry{URL: link.URL, Host: weburl.Host(link.URL), Parent: n, Depth: 1, Priority: lastPriority()}
		if !last {
			e.Priority, e.Note = j.Priorities[i], j.Notes[i]
		}
		in.view(&e, i, &beside, besideLast)
		all[i] = e
	}
	return all
}

// revalued is a queued address of a list with its current values; ok is false for other links.
func (l *lists) revalued(e frontier.Entry) (now frontier.Entry, ok bool) {
	if !l.has(e.Parent) {
		return e, false
	}
	now = l.value(e.Parent, []page.Link{{URL: e.URL, Path: fromList}})[0]
	now.Seq, now.Attempts, now.Retries = e.Seq, e.Attempts, e.Retries
	return now, true
}
