// Package frontier holds the links a crawl has not followed yet and says which comes next: the best one whose host
// may be asked now. It keeps one entry for each URL and never hands out a URL twice.
//
// Links wait in one heap a host; hosts wait in two: those that may be asked, by their best link, and those that must
// be left alone for a while, by the time that ends. A push or pop costs O(log n). A Frontier belongs to one goroutine.
package frontier

import (
	"hash/maphash"
	"time"
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

	// Everything there is one of for each URL is kept without pointers; see item.
	of          map[uint64]uint32 // by the hash of the URL: visited, or the number of its item and 1
	seed        maphash.Seed
	items       [][]item
	made        uint32
	freeItems   []uint32
	text        arena
	origins     []origin
	pages       map[int]uint32 // the newest origin of each page, by its number
	freeOrigins []uint32
	queued      int

	hosts   map[string]*host
	byID    []*host
	freeIDs []uint32
	closed  map[string]struct{}
	ready   heap[*host]  // best link first
	waiting heap[*host]  // soonest first
	worst   heap[uint32] // worst first; only of a frontier with a limit
	cursor  uint32       // of ReorderSome
	seq     int64
	dropped []string
	popped  time.Time // what the clock showed at the last Pop
}

const visited = 0

// New returns an empty frontier of at most limit entries (0: no limit). readyAt says when a URL's host may next be
// asked, the zero time meaning now; nil means always.
func New(limit int, readyAt func(url string) time.Time) *Frontier {
	if readyAt == nil {
		readyAt = func(string) time.Time { return time.Time{} }
	}
	f := &Frontier{
		max:     limit,
		readyAt: readyAt,
		of:      make(map[uint64]uint32),
		seed:    maphash.MakeSeed(),
		pages:   make(map[int]uint32),
		hosts:   make(map[string]*host),
		closed:  make(map[string]struct{}),
	}
	place := func(h *host, i int) { h.place = i }
	f.ready = heap[*host]{moved: place, before: func(a, b *host) bool { return f.before(a.queue.top(), b.queue.top()) }}
	f.waiting = heap[*host]{moved: place, before: func(a, b *host) bool {
		if !a.at.Equal(b.at) {
			return a.at.Before(b.at)
		}
		return a.name < b.name
	}}
	f.worst = heap[uint32]{
		moved:  func(id uint32, i int) { f.item(id).inWorst = int32(i) },
		before: func(a, b uint32) bool { return f.before(b, a) },
	}
	return f
}

// hash stands for a URL. That two of a crawl have the same is less likely than a broken machine, and then one of them
// is not followed.
func (f *Frontier) hash(url string) uint64 { return maphash.String(f.seed, url) }

// find is the item of a URL, if any.
func (f *Frontier) find(url string) (id uint32, ok bool) {
	if n := f.of[f.hash(url)]; n != visited {
		return n - 1, true
	}
	return 0, false
}

// Len is the number of entries.
func (f *Frontier) Len() int { return f.queued }

// Entry is the entry that the URL has, if any.
func (f *Frontier) Entry(url string) (Entry, bool) {
	if id, ok := f.find(url); ok {
		return f.entry(f.item(id)), true
	}
	return Entry{}, false
}

// Has reports whether the URL has an entry.
func (f *Frontier) Has(url string) bool {
	_, ok := f.find(url)
	return ok
}

// Visited reports whether the URL was popped or told of by Visit.
func (f *Frontier) Visited(url string) bool {
	n, ok := f.of[f.hash(url)]
	return ok && n == visited
}

// Visit notes that a URL needs no fetch any more, and reports whether that is new. Its entry, if any, goes.
func (f *Frontier) Visit(url string) bool {
	if f.Visited(url) {
		return false
	}
	f.Remove(url)
	f.of[f.hash(url)] = visited
	return true
}

// Add puts an entry in, or raises the one that its URL has, when e's priority is the better one. A raised entry keeps
// its place in the order of insertion. When the frontier is full, the worst entry goes; Dropped tells which.
func (f *Frontier) Add(e Entry) Change {
	if _, ok := f.closed[e.Host]; ok || len(e.URL) > maxURL {
		return Ignored
	}
	switch n, ok := f.of[f.hash(e.URL)]; {
	case ok && n == visited:
		return Ignored
	case ok:
		return f.raise(n-1, &e)
	}
	if e.Seq == 0 {
		e.Seq = f.seq + 1
	}
	if f.full() {
		if worst := f.entry(f.item(f.worst.top())); !e.Before(&worst) {
			return Ignored
		}
	}
	f.seq = max(f.seq, e.Seq)
	f.insert(&e)
	if f.max > 0 && f.queued > f.max {
		worst := f.worst.top()
		f.dropped = append(f.dropped, f.url(f.item(worst)))
		f.take(worst)
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
		if at := f.readyAt(f.url(f.item(best))); at.After(now) {
			h.at = at
			f.move(h, waiting)
			continue
		}
		f.move(h, busy)
		e := f.entry(f.item(best))
		f.take(best)
		f.of[f.hash(e.URL)] = visited
		return e, time.Time{}, true
	}
	if f.waiting.len() > 0 {
		return Entry{}, f.waiting.top().at, false
	}
	return Entry{}, time.Time{}, false
}

// Return puts back an entry that was popped, as it is now, and reports whether it waits again: not when its host was
// closed. Its URL counts as not visited. The limit does not hold for it.
func (f *Frontier) Return(e Entry) bool {
	if f.Visited(e.URL) {
		delete(f.of, f.hash(e.URL))
	}
	if _, closed := f.closed[e.Host]; closed {
		return false
	}
	if _, ok := f.find(e.URL); !ok {
		f.insert(&e)
	}
	return true
}

// Remove takes out a URL's entry, if any. A better path may bring it back.
func (f *Frontier) Remove(url string) {
	if id, ok := f.find(url); ok {
		f.take(id)
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

func (f *Frontier) full() bool { return f.max > 0 && f.queued >= f.max }

func (f *Frontier) raise(id uint32, e *Entry) Change {
	it := f.item(id)
	if e.Priority.Compare(f.priority(it)) <= 0 {
		return Ignored
	}
	f.leaveOrigin(it)
	it.origin = f.originOf(e)
	f.write(it, e)
	f.fix(id)
	return Raised
}

// fix gives an item whose priority changed its place.
func (f *Frontier) fix(id uint32) {
	it := f.item(id)
	h := f.byID[it.host]
	h.queue.fix(int(it.inHost))
	if f.max > 0 {
		f.worst.fix(int(it.inWorst))
	}
	if h.state == ready {
		f.ready.fix(h.place)
	}
}

func (f *Frontier) insert(e *Entry) {
	h, ok := f.hosts[e.Host]
	if !ok {
		h = f.newHost(e.Host)
	}
	id := f.newItem()
	it := f.item(id)
	*it = item{
		hash: f.hash(e.URL), seq: e.Seq, origin: f.originOf(e), host: h.id,
		begun: uint8(min(e.Attempts, 255)), retries: uint8(min(e.Retries, 255)),
	}
	f.write(it, e)
	f.of[it.hash] = id + 1
	f.queued++
	h.queue.push(id)
	if f.max > 0 {
		f.worst.push(id)
	}
	switch h.state {
	case idle:
		f.move(h, ready)
	case ready:
		f.ready.fix(h.place)
	}
}

func (f *Frontier) newHost(name string) *host {
	h := &host{name: name, id: uint32(len(f.byID)), queue: heap[uint32]{
		moved:  func(id uint32, i int) { f.item(id).inHost = int32(i) },
		before: f.before,
	}}
	if n := len(f.freeIDs); n > 0 {
		h.id, f.freeIDs = f.freeIDs[n-1], f.freeIDs[:n-1]
		f.byID[h.id] = h
	} else {
		f.byID = append(f.byID, h)
	}
	f.hosts[name] = h
	return h
}

// forget lets go of a host without links.
func (f *Frontier) forget(h *host) {
	delete(f.hosts, h.name)
	f.byID[h.id] = nil
	f.freeIDs = append(f.freeIDs, h.id)
}

// take removes an item from every heap and from memory.
func (f *Frontier) take(id uint32) {
	it := f.item(id)
	h := f.byID[it.host]
	// The host leaves its heap first: without links it has no place in the order of hosts.
	if h.queue.len() == 1 && h.state != busy {
		f.move(h, idle)
	}
	h.queue.remove(int(it.inHost))
	if f.max > 0 {
		f.worst.remove(int(it.inWorst))
	}
	delete(f.of, it.hash)
	f.queued--
	f.text.release(it.block, it.size())
	f.leaveOrigin(it)
	*it = item{}
	f.freeItems = append(f.freeItems, id)
	switch h.state {
	case ready:
		f.ready.fix(h.place)
	case idle:
		f.forget(h)
	}
}

// settle gives a host that is no longer busy its place.
func (f *Frontier) settle(h *host) {
	if h.queue.len() == 0 {
		f.forget(h)
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
