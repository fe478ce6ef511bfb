package frontier

// Best calls each with the n best entries of all hosts in the first order, best first, whether their hosts may be contacted now or not; with
// all entries when there are no more. each must not keep the entry. The time is in proportion to the number of hosts and
// to n, times the logarithm of both.
func (f *Frontier) Best(n int, each func(*Entry)) {
	next := heap[place]{
		before: func(a, b place) bool { return f.before(0, a.item(), b.item()) },
		moved:  func(place, int) {},
	}
	for _, h := range f.byID { // not the map: the order must be the same each time
		if h != nil && h.len() > 0 {
			next.push(place{h, 0})
		}
	}
	for ; n > 0 && next.len() > 0; n-- {
		best := next.top()
		next.remove(0)
		e := f.entry(f.item(best.item()))
		each(&e)
		for _, child := range [2]int{2*best.at + 1, 2*best.at + 2} { // only these may follow it
			if child < best.host.len() {
				next.push(place{best.host, child})
			}
		}
	}
}

// place is a place in the heap of a host's links.
type place struct {
	host *host
	at   int
}

func (p place) item() uint32 { return p.host.queue[0].items[p.at] }
