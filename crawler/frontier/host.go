package frontier

import "time"

// hostState says which of the frontier's heaps a host is in.
type hostState int

const (
	idle    hostState = iota // in neither heap: it has no links
	ready                    // may be contacted, as far as known
	waiting                  // must not be contacted before host.at
	busy                     // in neither heap: a fetch is in flight
)

// host holds the links of one host, best first.
type host struct {
	name  string
	id    uint32
	queue [maxOrders]heap[uint32] // of items, by order
	state hostState
	place [maxOrders]int // in the heaps of its state
	at    time.Time      // while waiting: when it may be contacted again
}

// len is the number of the host's links.
func (h *host) len() int { return h.queue[0].len() }

// Pop removes and returns the best entry in an order whose host may be contacted at now. The entry's URL counts as visited, and
// its host gives no other entry until Release. When ok is false, next is when the next waiting host becomes ready, or the
// zero time when none waits. If the clock was set back since the last Pop, Pop checks every waiting host again.
func (f *Frontier) Pop(order int, now time.Time) (e Entry, next time.Time, ok bool) {
	if now.Before(f.popped) {
		f.Wake()
	}
	f.popped = now
	f.wakeDue(now)
	for f.ready[order].len() > 0 {
		if e, ok := f.popOf(order, f.ready[order].top(), now); ok {
			return e, time.Time{}, true
		}
	}
	if f.waiting.len() > 0 {
		return Entry{}, f.waiting.top().at, false
	}
	return Entry{}, time.Time{}, false
}

// PopHost is Pop for the host of the lowest rank that may be contacted at now, of equal ones the host with the best link.
// rank says which hosts count. PopHost takes time in proportion to the number of hosts.
func (f *Frontier) PopHost(order int, now time.Time, rank func(host string) (r int, ok bool)) (e Entry, ok bool) {
	f.wakeDue(now)
	for {
		h := f.lowest(order, rank)
		if h == nil {
			return Entry{}, false
		}
		if e, ok := f.popOf(order, h, now); ok {
			return e, true
		}
	}
}

// lowest is the host of the lowest rank among those in the heap of ready hosts, nil for none.
func (f *Frontier) lowest(order int, rank func(host string) (r int, ok bool)) *host {
	var best *host
	least := 0
	for _, h := range f.ready[order].items {
		r, ok := rank(h.name)
		if ok && (best == nil || r < least || r == least && f.before(order, h.queue[order].top(), best.queue[order].top())) {
			best, least = h, r
		}
	}
	return best
}

// Waiting returns the waiting host that is ready first, when it is, its best link, and how many hosts wait.
func (f *Frontier) Waiting() (host, url string, at time.Time, all int) {
	if all = f.waiting.len(); all == 0 {
		return "", "", time.Time{}, 0
	}
	h := f.waiting.top()
	return h.name, f.url(f.item(h.queue[0].top())), h.at, all
}

// wakeDue makes the hosts ready whose waiting time is over.
func (f *Frontier) wakeDue(now time.Time) {
	for f.waiting.len() > 0 && !f.waiting.top().at.After(now) {
		f.move(f.waiting.top(), ready)
	}
}

// popOf pops the best entry of a host in an order. When the host may not be contacted yet, it waits from now on, and ok is false.
func (f *Frontier) popOf(order int, h *host, now time.Time) (e Entry, ok bool) {
	best := h.queue[order].top()
	if at := f.readyAt(f.url(f.item(best))); at.After(now) {
		h.at = at
		f.move(h, waiting)
		return Entry{}, false
	}
	return f.claim(best), true
}

// claim takes an item to be fetched: its URL counts as visited, and its host is busy until Release.
func (f *Frontier) claim(id uint32) Entry {
	it := f.item(id)
	f.move(f.byID[it.host], busy)
	e := f.entry(it)
	f.take(id)
	f.index[f.hash(e.URL)] = visited
	return e
}

// Claim makes a host busy that has no entries, as if one of it had been popped. It reports whether it did.
func (f *Frontier) Claim(name string) bool {
	if f.Holds(name) {
		return false
	}
	f.move(f.newHost(name), busy)
	return true
}

// Release notes that the fetch from the host ended, so that Pop may return its next entry.
func (f *Frontier) Release(name string) {
	switch h, ok := f.hosts[name]; {
	case !ok || h.state != busy:
	case h.len() == 0:
		f.forget(h)
	default:
		f.move(h, ready)
	}
}

// Close removes a host's entries and returns how many there were. From then on Add ignores these, and answers Closed to other links
// of the host.
func (f *Frontier) Close(name string) int {
	f.closed[name] = struct{}{}
	h, ok := f.hosts[name]
	if !ok {
		return 0
	}
	n := h.len()
	for h.len() > 0 {
		id := h.queue[0].items[h.len()-1]
		hash := f.item(id).hash
		f.take(id)
		f.index[hash] = shut
	}
	return n
}

// Wake makes the next Pop check every waiting host again. Call it when a wait may have ended early.
func (f *Frontier) Wake() {
	for f.waiting.len() > 0 {
		f.move(f.waiting.top(), ready)
	}
}

// Holds reports whether a host has entries or a fetch in flight.
func (f *Frontier) Holds(host string) bool {
	_, ok := f.hosts[host]
	return ok
}

// Hosts returns how many hosts have entries or a fetch in flight.
func (f *Frontier) Hosts() int { return len(f.hosts) }

func (f *Frontier) newHost(name string) *host {
	h := &host{name: name, id: uint32(len(f.byID))}
	for order := range f.orders {
		h.queue[order] = heap[uint32]{
			moved:  func(id uint32, i int) { *f.inHost(order, id) = int32(i) },
			before: func(a, b uint32) bool { return f.before(order, a, b) },
		}
	}
	if n := len(f.freeIDs); n > 0 {
		h.id, f.freeIDs = f.freeIDs[n-1], f.freeIDs[:n-1]
		f.byID[h.id] = h
	} else {
		f.byID = append(f.byID, h)
	}
	f.hosts[name] = h
	return h
}

// forget removes a host that has no links.
func (f *Frontier) forget(h *host) {
	delete(f.hosts, h.name)
	f.byID[h.id] = nil
	f.freeIDs = append(f.freeIDs, h.id)
}

// move changes a host's state and moves it to that state's heap.
func (f *Frontier) move(h *host, to hostState) {
	switch h.state {
	case ready:
		for order := range f.orders {
			f.ready[order].remove(h.place[order])
		}
	case waiting:
		f.waiting.remove(h.place[0])
	}
	h.state = to
	switch to {
	case ready:
		for order := range f.orders {
			f.ready[order].push(h)
		}
	case waiting:
		f.waiting.push(h)
	}
}
