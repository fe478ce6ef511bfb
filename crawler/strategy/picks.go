package strategy

import "nightjar/model/arms"

// picks numbers the choices of a pair. A pick's number is that of arms.Design, negative if the second strategy chose the link.
//
// A pick is counted when its fetch begins, and keeps its number when the fetch is interrupted or put back: such a link comes
// first in either order, and is no choice of the strategy whose turn it then is. A pick that used no budget, such as of a page
// that robots.txt forbids, is made again by the same strategy, so that the share is one of pages.
type picks struct {
	design arms.Design
	last   int            // number of the last pick, above 0
	begun  map[string]int // of links that were chosen and whose attempts are not recorded yet, by URL
	owed   []int          // that used no budget
}

// next is the next pick, 0 for none.
func (p *picks) next() int {
	switch n := p.last + 1; {
	case len(p.owed) > 0:
		return p.owed[0]
	case p.design.Share < 1 || p.design.Share > arms.MostShare:
		return 0
	case p.design.Second(n):
		return -n
	default:
		return n
	}
}

// Turn is 1 when the next pick is the second strategy's.
func (p *picks) Turn() (order int) { return orderOf(p.next()) }

func orderOf(pick int) int {
	if pick < 0 {
		return 1
	}
	return 0
}

// pick returns the number of the pick of a link whose fetch begins, and whether it is a new one.
func (p *picks) pick(url string) (n int, made bool) {
	if n, known := p.begun[url]; known {
		return n, false
	}
	if n = p.next(); n == 0 {
		return 0, false
	}
	if len(p.owed) > 0 {
		p.owed = p.owed[1:]
	} else {
		p.last++
	}
	p.begun[url] = n
	return n, true
}

// Picked ends the pick of a link whose attempt is recorded.
func (p *picks) Picked(url string, cost int) (n int) {
	n = p.begun[url]
	delete(p.begun, url)
	if n != 0 && cost == 0 {
		p.owed = append(p.owed, n)
	}
	return n
}

// Unpicked is called when a recorded attempt is undone.
func (p *picks) Unpicked(url string, n int) {
	if n != 0 {
		p.begun[url] = n
	}
}

// RecallPicks continues after recorded picks.
func (p *picks) RecallPicks(waiting map[string]int, picked []PickCost) {
	clear(p.begun)
	done, owed := map[int]bool{}, []int(nil)
	seen := func(n int) {
		p.last = max(p.last, n, -n)
		done[n] = true
	}
	for url, n := range waiting {
		p.begun[url] = n
		seen(n)
	}
	for _, one := range picked {
		if one.Cost > 0 {
			seen(one.N)
		}
	}
	for i := len(picked) - 1; i >= 0; i-- { // each where it was made last
		if n := picked[i].N; !done[n] {
			seen(n)
			owed = append(owed, n)
		}
	}
	for i := len(owed) - 1; i >= 0; i-- {
		p.owed = append(p.owed, owed[i])
	}
}
