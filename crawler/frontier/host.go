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
	queue heap[uint32] // of items
	state hostState
	place int       // in the heap of its state
	at    time.Time // while waiting: when it may be contacted again
}

// Pop removes and returns the best entry whose host may be contacted at now. The entry's URL counts as visited, and its
// host gives no other entry until Release. When ok is false, next is when the next waiting host becomes ready, or the
// zero time when none waits. If the clock was set back since the last Pop, Pop checks every waiting host again.
func (f *Frontier) Pop(now time.Time) (e Entry, next time.Time, ok bool) {
	if e, next, ok = f.pop(now); ok {
		f.withView(&e)
	}
	return e, next, ok
}

// pop pops from this order only.
func (f *Frontier) pop(now time.Time) (e Entry, next time.Time, ok bool) {
	if now.Before(f.popped) {
		f.wake()
	}
	f.popped = now
	f.wakeDue(now)
	for f.ready.len() > 0 {
		if e, ok := f.popOf(f.ready.top(), now); ok {
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
func (f *Frontier) PopHost(now time.Time, rank func(host string) (r int, ok bool)) (e Entry, ok bool) {
	if e, ok = f.popHost(now, rank); ok {
		f.withView(&e)
	}
	return e, ok
}

// popHost is PopHost from this order only.
func (f *Frontier) popHost(now time.Time, rank func(host string) (r int, ok bool)) (e Entry, ok bool) {
	f.wakeDue(now)
	for {
		h := f.lowest(rank)
		if h == nil {
			return Entry{}, false
		}
		if e, ok := f.popOf(h, now); ok {
			return e, true
		}
	}
}

// lowest is the host of the lowest rank among those in the heap of ready hosts, nil for none.
func (f *Frontier) lowest(rank func(host string) (r int, ok bool)) *host {
	var best *host
	least := 0
	for _, h := range f.ready.items {
		r, ok := rank(h.name)
		if ok && (best == nil || r < least || r == least && f.before(h.queue.top(), best.queue.top())) {
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
	return h.name, f.url(f.item(h.queue.top())), h.at, all
}

// wakeDue makes the hosts ready whose waiting time is over.
func (f *Frontier) wakeDue(now time.Time) {
	for f.waiting.len() > 0 && !f.waiting.top().at.After(now) {
		f.move(f.waiting.top(), ready)
	}
}

// popOf pops the best entry of a host. When the host may not be contacted yet, it waits from now on, and ok is false.
func (f *Frontier) popOf(h *host, now time.Time) (e Entry, ok bool) {
	best := h.queue.top()
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
	if f.second != nil {
		f.second.Claim(name)
	}
	return true
}

// Release notes that the fetch from the host ended, so that Pop may return its next entry.
func (f *Frontier) Release(name string) {
	if f.second != nil {
		f.second.Release(name)
	}
	switch h, ok := f.hosts[name]; {
	case !ok || h.state != busy:
	case h.queue.len() == 0:
		f.forget(h)
	default:
		f.move(h, ready)
	}
}

// Close removes a host's entries and returns how many there were. From then on Add ignores these, and answers Closed to other links
// of the host.
func (f *Frontier) Close(name string) int {
	f.closed[name] = struct{}{}
	if f.second != nil {
		f.second.Close(name)
	}
	h, ok := f.hosts[name]
	if !ok {
		return 0
	}
	n := h.queue.len()
	for h.queue.len() > 0 {
		id := h.queue.items[h.queue.len()-1]
		hash := f.item(id).hash
		f.take(id)
		f.index[hash] = shut
	}
	return n
}

// Wake makes the next Pop check every waiting host again. Call it when a wait may have ended early.
func (f *Frontier) Wake() {
	f.wake()
	if f.second != nil {
		f.second.wake()
	}
}

// wake makes the next pop from this order check every waiting host again.
func (f *Frontier) wake() {
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
