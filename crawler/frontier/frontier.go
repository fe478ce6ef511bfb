// Package frontier holds the links that a crawl has not followed yet and chooses the next one: the best link whose host
// may be contacted now. It keeps one entry for each URL and returns no URL twice; URLs that differ only in their routes are
// one, since their server would be asked for the same document.
//
// Each host has a heap of links. The hosts are in two heaps: one for those that may be contacted, ordered by their best
// link, and one for those that must be left alone for a while, ordered by when that ends. Adding or removing a link
// takes O(log n). A Frontier is not safe for concurrent use.
//
// A frontier may have two orders of the same links; see strategy.Priority. Each host then has two heaps of links, and the hosts
// that may be contacted are in two heaps, too.
package frontier

import (
	"hash/maphash"
	"math"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// Change says what Add did.
type Change int

// The results of Add.
const (
	Ignored Change = iota // visited already, closed with its host, or not better than its entry
	Added
	Closed // new, but its host is closed
	NoRoom // new, but worse than every entry of a full frontier
	Raised // with a higher priority, which replaced the entry's, together with its parent, depth, anchor, path and note
)

// Frontier is the set of links that a crawl has not followed yet. Use New.
type Frontier struct {
	max     int
	orders  int // 1 or 2
	readyAt func(url string) time.Time

	// What exists once for each URL is stored without pointers; see item.
	index       map[uint64]uint32 // hash of a URL to visited, shut, or the number of its item plus 1
	seed        maphash.Seed
	items       [][]item
	made        uint32 // items made so far, used or free
	freeItems   []uint32
	inSecond    []int32 // by number of an item, its place in its host's queue in the second order; empty without one
	text        arena
	origins     []origin
	pages       map[int]uint32 // number of a page to its newest origin
	freeOrigins []uint32
	queued      int

	hosts   map[string]*host
	byID    []*host
	freeIDs []uint32
	closed  map[string]struct{}
	ready   [maxOrders]heap[*host] // best link first
	waiting heap[*host]            // soonest first
	worst   heap[uint32]           // worst item of the first order first; empty without a limit
	cursor  uint32                 // the item where ReorderSome continues

	revalued strategy.Priority // of the entry that is being reordered, in memory that is used again
	shown    Entry             // that entry, as the one who gives the priority sees it
	seq      int64             // highest so far
	dropped  []string
	popped   time.Time // now of the last Pop
}

const maxOrders = 2

// Values of Frontier.index that are no items.
const (
	visited = 0
	shut    = math.MaxUint32 // the URL waited when its host was closed
)

// New returns an empty frontier of at most limit entries (0: no limit). readyAt returns when a URL's host may next be
// contacted; the zero time means now, and a nil readyAt means that every host may be contacted at any time.
func New(limit int, readyAt func(url string) time.Time) *Frontier {
	if readyAt == nil {
		readyAt = func(string) time.Time { return time.Time{} }
	}
	f := &Frontier{
		max:     limit,
		orders:  1,
		readyAt: readyAt,
		index:   make(map[uint64]uint32),
		seed:    maphash.MakeSeed(),
		pages:   make(map[int]uint32),
		hosts:   make(map[string]*host),
		closed:  make(map[string]struct{}),
	}
	for order := range f.ready {
		f.ready[order] = heap[*host]{
			moved:  func(h *host, i int) { h.place[order] = i },
			before: func(a, b *host) bool { return f.before(order, a.queue[order].top(), b.queue[order].top()) },
		}
	}
	f.waiting = heap[*host]{moved: func(h *host, i int) { h.place[0] = i }, before: func(a, b *host) bool {
		if !a.at.Equal(b.at) {
			return a.at.Before(b.at)
		}
		return a.name < b.name
	}}
	f.worst = heap[uint32]{
		moved:  func(id uint32, i int) { f.item(id).inWorst = int32(i) },
		before: func(a, b uint32) bool { return f.before(0, b, a) },
	}
	return f
}

// AddSecond gives an empty frontier a second order. A full frontier drops the worst link of the first.
func (f *Frontier) AddSecond() { f.orders = 2 }

// hash returns the number that identifies a URL. If two URLs ever had the same hash, the crawl would follow only one of
// them; hardware failures are more likely.
func (f *Frontier) hash(url string) uint64 { return maphash.String(f.seed, weburl.Document(url)) }

// find returns the number of a URL's item, if it has one.
func (f *Frontier) find(url string) (id uint32, ok bool) {
	if n := f.index[f.hash(url)]; n != visited && n != shut {
		return n - 1, true
	}
	return 0, false
}

// Len returns the number of entries.
func (f *Frontier) Len() int { return f.queued }

// Entry returns the URL's entry, if it has one.
func (f *Frontier) Entry(url string) (Entry, bool) {
	id, ok := f.find(url)
	if !ok {
		return Entry{}, false
	}
	return f.entry(f.item(id)), true
}

// Has reports whether the URL has an entry.
func (f *Frontier) Has(url string) bool {
	_, ok := f.find(url)
	return ok
}

// Visited reports whether the URL was popped or passed to Visit.
func (f *Frontier) Visited(url string) bool {
	n, ok := f.index[f.hash(url)]
	return ok && n == visited
}

// Shut reports whether the URL waited when its host was closed, and has not been visited since.
func (f *Frontier) Shut(url string) bool { return f.index[f.hash(url)] == shut }

// Visit marks a URL as visited, so that it is never popped, and removes its entry. It reports whether the mark is new.
func (f *Frontier) Visit(url string) bool {
	if f.Visited(url) {
		return false
	}
	f.Remove(url)
	f.index[f.hash(url)] = visited
	return true
}

// Add inserts an entry. If its URL has an entry already, Add raises that one when e's priority is higher; a raised
// entry keeps its place in the order of insertion. A full frontier drops its worst entry; see Dropped.
func (f *Frontier) Add(e Entry) Change {
	if len(e.URL) > maxURL {
		return Ignored
	}
	_, closed := f.closed[e.Host]
	switch n, ok := f.index[f.hash(e.URL)]; {
	case ok && (n == visited || n == shut):
		return Ignored
	case closed:
		return Closed
	case ok:
		return f.raise(n-1, &e)
	}
	if e.Seq == 0 {
		e.Seq = f.seq + 1
	}
	if f.full() && f.precedes(0, f.item(f.worst.top()), &e) {
		return NoRoom
	}
	f.seq = max(f.seq, e.Seq)
	f.insert(&e)
	if f.max > 0 && f.queued > f.max {
		worst := f.url(f.item(f.worst.top()))
		f.dropped = append(f.dropped, worst)
		f.Remove(worst)
	}
	return Added
}

// Dropped returns the URLs that a full frontier dropped since the last call. Add may bring them back with a higher
// priority.
func (f *Frontier) Dropped() []string {
	d := f.dropped
	f.dropped = nil
	return d
}

// Return puts back a popped entry in its present form, even into a full frontier; its URL no longer counts as visited.
// Return reports whether the frontier took it; it does not when the host was closed.
func (f *Frontier) Return(e Entry) bool {
	if f.Visited(e.URL) {
		delete(f.index, f.hash(e.URL))
	}
	if _, closed := f.closed[e.Host]; closed {
		return false
	}
	if _, ok := f.find(e.URL); !ok {
		f.insert(&e)
	}
	return true
}

// Remove removes a URL's entry, if it has one. Add may bring it back.
func (f *Frontier) Remove(url string) {
	if id, ok := f.find(url); ok {
		f.take(id)
	}
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

// fix restores the order of the heaps after an item's priority changed.
func (f *Frontier) fix(id uint32) {
	it := f.item(id)
	h := f.byID[it.host]
	for order := range f.orders {
		h.queue[order].fix(int(*f.inHost(order, id)))
	}
	if f.max > 0 {
		f.worst.fix(int(it.inWorst))
	}
	f.fixHost(h)
}

// fixHost restores the order of the hosts after the best link of one changed.
func (f *Frontier) fixHost(h *host) {
	if h.state == ready {
		for order := range f.orders {
			f.ready[order].fix(h.place[order])
		}
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
		attempts: uint8(min(e.Attempts, 255)), retries: uint8(min(e.Retries, 255)),
	}
	f.write(it, e)
	f.index[it.hash] = id + 1
	f.queued++
	for order := range f.orders {
		h.queue[order].push(id)
	}
	if f.max > 0 {
		f.worst.push(id)
	}
	if h.state == idle {
		f.move(h, ready)
	} else {
		f.fixHost(h)
	}
}

// take removes an item from every heap and from memory.
func (f *Frontier) take(id uint32) {
	it := f.item(id)
	h := f.byID[it.host]
	// The host leaves its heap first, since hosts are compared by their best links.
	if h.len() == 1 && h.state != busy {
		f.move(h, idle)
	}
	for order := range f.orders {
		h.queue[order].remove(int(*f.inHost(order, id)))
	}
	if f.max > 0 {
		f.worst.remove(int(it.inWorst))
	}
	delete(f.index, it.hash)
	f.queued--
	f.text.release(it.block, it.size())
	f.leaveOrigin(it)
	*it = item{}
	f.freeItems = append(f.freeItems, id)
	f.fixHost(h)
	if h.state == idle {
		f.forget(h)
	}
}
