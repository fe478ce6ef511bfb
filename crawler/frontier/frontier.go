// Package frontier holds the links a crawl has not followed yet and says which comes next: the best one whose host
// may be asked now. It keeps one entry for each URL and never hands out a URL twice.
//
// Links wait in one heap a host; hosts wait in two: those that may be asked, by their best link, and those that must
// be left alone for a while, by the time that ends. A push or pop costs O(log n). A Frontier belongs to one goroutine.
package frontier

import (
	"time"

	"nightjar/crawler/strategy"
)

// Change says what Add did.
type Change int

// What Add can do.
const (
	Ignored Change = iota // visited before, no better than the entry there is, worse than all of a full frontier, or of a closed host
	Added
	Raised // a better path: it replaced the entry's priority, parent, state, depth and anchor
)

// Frontier is the set of links not followed yet. Use New.
type Frontier struct {
	max     int
	readyAt func(url string) time.Time

	items   map[string]*item
	visited map[string]struct{}
	hosts   map[string]*host
	closed  map[string]struct{}
	ready   heap[*host] // best link first
	waiting heap[*host] // soonest first
	worst   heap[*item] // worst first
	seq     int64
	dropped []string
	popped  time.Time // what the clock showed at the last Pop
}

// New returns an empty frontier of at most limit entries (0: no limit). readyAt says when a URL's host may next be
// asked, the zero time meaning now; nil means always.
func New(limit int, readyAt func(url string) time.Time) *Frontier {
	if readyAt == nil {
		readyAt = func(string) time.Time { return time.Time{} }
	}
	f := &Frontier{
		max:     limit,
		readyAt: readyAt,
		items:   make(map[string]*item),
		visited: make(map[string]struct{}),
		hosts:   make(map[string]*host),
		closed:  make(map[string]struct{}),
	}
	place := func(h *host, i int) { h.place = i }
	f.ready = heap[*host]{moved: place, before: func(a, b *host) bool {
		return a.queue.top().Before(&b.queue.top().Entry)
	}}
	f.waiting = heap[*host]{moved: place, before: func(a, b *host) bool {
		if !a.at.Equal(b.at) {
			return a.at.Before(b.at)
		}
		return a.name < b.name
	}}
	f.worst = heap[*item]{
		moved:  func(it *item, i int) { it.inWorst = i },
		before: func(a, b *item) bool { return b.Before(&a.Entry) },
	}
	return f
}

// Len is the number of entries.
func (f *Frontier) Len() int { return len(f.items) }

// Entry is the entry that the URL has, if any.
func (f *Frontier) Entry(url string) (Entry, bool) {
	if it, ok := f.items[url]; ok {
		return it.Entry, true
	}
	return Entry{}, false
}

// Visited reports whether the URL was popped or told of by Visit.
func (f *Frontier) Visited(url string) bool {
	_, ok := f.visited[url]
	return ok
}

// Visit notes that a URL needs no fetch any more, and reports whether that is new. Its entry, if any, goes.
func (f *Frontier) Visit(url string) bool {
	if f.Visited(url) {
		return false
	}
	f.visited[url] = struct{}{}
	if it, ok := f.items[url]; ok {
		f.take(it)
	}
	return true
}

// Add puts an entry in, or raises the one that its URL has, when e's priority is the better one. A raised entry keeps
// its place in the order of insertion. When the frontier is full, the worst entry goes; Dropped tells which.
func (f *Frontier) Add(e Entry) Change {
	if _, ok := f.closed[e.Host]; ok || f.Visited(e.URL) {
		return Ignored
	}
	if it, ok := f.items[e.URL]; ok {
		return f.raise(it, e)
	}
	if e.Seq == 0 {
		e.Seq = f.seq + 1
	}
	if f.full() && !e.Before(&f.worst.top().Entry) {
		return Ignored
	}
	f.seq = max(f.seq, e.Seq)
	f.insert(&item{Entry: e})
	if f.max > 0 && len(f.items) > f.max {
		worst := f.worst.top()
		f.take(worst)
		f.dropped = append(f.dropped, worst.URL)
	}
	return Added
}

// Dropped lists the URLs that fell out of the full frontier since it was last asked. A better path may bring them
// back.
func (f *Frontier) Dropped() []string {
	d := f.dropped
	f.dropped = nil
	return d
}

// Reorder gives every entry the priority that value says, and returns how many changed. Entries that a crash cut short
// stay first.
func (f *Frontier) Reorder(value func(*Entry) strategy.Priority) int {
	changed := 0
	for _, it := range f.items {
		if p := value(&it.Entry); p.Compare(it.Priority) != 0 {
			it.Priority = p
			changed++
		}
	}
	if changed == 0 {
		return 0
	}
	for _, h := range f.hosts {
		h.queue.heapify()
	}
	f.worst.heapify()
	f.ready.heapify()
	return changed
}

// Pop takes out the best entry whose host may be asked at now; its URL counts as visited, and its host gives no other
// entry before Release. When ok is false, next is when a waiting host becomes ready, the zero time when none waits. When
// the clock was set back since the last Pop, every host is asked about anew.
func (f *Frontier) Pop(now time.Time) (e Entry, next time.Time, ok bool) {
	back := now.Before(f.popped)
	f.popped = now
	for back && f.waiting.len() > 0 {
		f.move(f.waiting.top(), ready)
	}
	for f.waiting.len() > 0 && !f.waiting.top().at.After(now) {
		f.move(f.waiting.top(), ready)
	}
	for f.ready.len() > 0 {
		h := f.ready.top()
		best := h.queue.top()
		if at := f.readyAt(best.URL); at.After(now) {
			h.at = at
			f.move(h, waiting)
			continue
		}
		f.move(h, busy)
		f.visited[best.URL] = struct{}{}
		f.take(best)
		return best.Entry, time.Time{}, true
	}
	if f.waiting.len() > 0 {
		return Entry{}, f.waiting.top().at, false
	}
	return Entry{}, time.Time{}, false
}

// Return puts back an entry that was popped, as it is now, and reports whether it waits again: not when its host was
// closed. Its URL counts as not visited. The limit does not hold for it.
func (f *Frontier) Return(e Entry) bool {
	delete(f.visited, e.URL)
	if _, closed := f.closed[e.Host]; closed {
		return false
	}
	if _, ok := f.items[e.URL]; !ok {
		f.insert(&item{Entry: e})
	}
	return true
}

// Remove takes out a URL's entry, if any. A better path may bring it back.
func (f *Frontier) Remove(url string) {
	if it, ok := f.items[url]; ok {
		f.take(it)
	}
}

// Holds reports whether a host has entries or a fetch in flight.
func (f *Frontier) Holds(host string) bool {
	_, ok := f.hosts[host]
	return ok
}

// Hosts is how many hosts have entries or a fetch in flight.
func (f *Frontier) Hosts() int { return len(f.hosts) }

// Wake looks anew at every host that waits: the clock was set back, or what they waited for is over.
func (f *Frontier) Wake() {
	for f.waiting.len() > 0 {
		f.move(f.waiting.top(), ready)
	}
}

// Release says that the fetch from the host ended, so that its next entry may be popped.
func (f *Frontier) Release(name string) {
	if h, ok := f.hosts[name]; ok && h.state == busy {
		f.settle(h)
	}
}

// Close takes out a host's entries, how many it returns, and ignores its links from now on.
func (f *Frontier) Close(name string) int {
	f.closed[name] = struct{}{}
	h, ok := f.hosts[name]
	if !ok {
		return 0
	}
	n := h.queue.len()
	for h.queue.len() > 0 {
		f.take(h.queue.items[h.queue.len()-1])
	}
	return n
}

func (f *Frontier) full() bool { return f.max > 0 && len(f.items) >= f.max }

func (f *Frontier) raise(it *item, e Entry) Change {
	if e.Priority.Compare(it.Priority) <= 0 {
		return Ignored
	}
	it.Priority, it.Parent, it.Depth, it.Anchor, it.State, it.Note = e.Priority, e.Parent, e.Depth, e.Anchor, e.State, e.Note
	h := f.hosts[it.Host]
	h.queue.fix(it.inHost)
	f.worst.fix(it.inWorst)
	if h.state == ready {
		f.ready.fix(h.place)
	}
	return Raised
}

func (f *Frontier) insert(it *item) {
	h, ok := f.hosts[it.Host]
	if !ok {
		h = &host{name: it.Host, queue: heap[*item]{
			moved:  func(it *item, i int) { it.inHost = i },
			before: func(a, b *item) bool { return a.Before(&b.Entry) },
		}}
		f.hosts[it.Host] = h
	}
	f.items[it.URL] = it
	h.queue.push(it)
	f.worst.push(it)
	switch h.state {
	case idle:
		f.move(h, ready)
	case ready:
		f.ready.fix(h.place)
	}
}

// take removes an entry from every heap.
func (f *Frontier) take(it *item) {
	h := f.hosts[it.Host]
	// The host leaves its heap first: without links it has no place in the order of hosts.
	if h.queue.len() == 1 && h.state != busy {
		f.move(h, idle)
	}
	h.queue.remove(it.inHost)
	f.worst.remove(it.inWorst)
	delete(f.items, it.URL)
	switch {
	case h.state == ready:
		f.ready.fix(h.place)
	case h.state == idle:
		delete(f.hosts, h.name)
	}
}

// settle gives a host that is no longer busy its place.
func (f *Frontier) settle(h *host) {
	if h.queue.len() == 0 {
		delete(f.hosts, h.name)
		return
	}
	f.move(h, ready)
}

// move takes a host from the heap it is in to that of another state.
func (f *Frontier) move(h *host, to hostState) {
	switch h.state {
	case ready:
		f.ready.remove(h.place)
	case waiting:
		f.waiting.remove(h.place)
	}
	h.state = to
	switch to {
	case ready:
		f.ready.push(h)
	case waiting:
		f.waiting.push(h)
	}
}
