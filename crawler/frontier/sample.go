package frontier

import "math/rand/v2"

// Sample calls each with up to n entries, drawn evenly from all, or with all of them when there are no more than n. The same
// calls and the same random numbers give the same entries. each must not keep the entry. The time is in proportion to n, as
// long as most entries that ever waited together still do.
func (f *Frontier) Sample(n int, random *rand.Rand, each func(*Entry)) {
	if f.queued <= n {
		for id := range f.made {
			f.show(id, each)
		}
		return
	}
	for i := range n { // one of each n-th part
		from, to := uint32(uint64(f.made)*uint64(i)/uint64(n)), uint32(uint64(f.made)*uint64(i+1)/uint64(n))
		if from == to {
			continue
		}
		first := from + random.Uint32N(to-from)
		for k := range to - from {
			if f.show(from+(first-from+k)%(to-from), each) {
				break
			}
		}
	}
}

// show calls each with the entry of a number, unless the number is free.
func (f *Frontier) show(id uint32, each func(*Entry)) bool {
	it := f.item(id)
	if it.seq == 0 {
		return false
	}
	e := f.entry(it)
	each(&e)
	return true
}

// Preferred counts the hosts whose best entry in an order comes before one that was popped: hosts that must be left alone for a
// while, or from which a page is being fetched. It takes time in proportion to the number of hosts.
func (f *Frontier) Preferred(order int, popped *Entry) (hosts int) {
	for _, h := range f.byID {
		if h != nil && h.len() > 0 && f.precedes(order, f.item(h.queue[order].top()), popped) {
			hosts++
		}
	}
	return hosts
}
