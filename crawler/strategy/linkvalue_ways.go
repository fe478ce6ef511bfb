package strategy

import (
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/online"
)

// The least value of a link to a page of the session from which a target that was not fetched yet can be reached: the log
// odds of wayChance, times wayFade for each link between that page and the target.
const (
	wayChance = 0.7
	wayFade   = 0.95
)

// noWay is the distance of a page from which no open target can be reached.
const noWay = math.MaxInt

// sessionWays are the ways that the person walked in the session, to be followed again when the crawl comes across one.
// Behind the pages of a session lie more pages like its targets. The crawl gets to know them from the web, as any other
// page: a page of the session is fetched only when a fetched page links to it.
//
// A target is open until it was fetched. Its pages themselves are nothing new.
type sessionWays struct {
	page   map[uint64]int // page of the session by the key of each address that led there
	target []bool
	closed []bool    // pages that were fetched
	back   [][]int   // pages that link to a page
	said   []float64 // log odds of each page, by a judge that did not learn from it; empty without one
	dist   []int     // links from a page to the nearest open target, noWay for none
}

func newWays(b *model.Bundle) *sessionWays {
	n := len(b.Pages)
	w := &sessionWays{page: make(map[uint64]int, n), target: make([]bool, n), closed: make([]bool, n), back: make([][]int, n), dist: make([]int, n)}
	for _, e := range b.Edges {
		w.back[e[1]] = append(w.back[e[1]], e[0])
	}
	for _, l := range b.Lessons.Links {
		if l.To >= 0 {
			w.page[online.Key(l.URL)] = l.To
			w.back[l.To] = append(w.back[l.To], l.From)
		}
	}
	for i, p := range b.Pages {
		w.page[online.Key(p.URL)] = i
		w.target[i] = p.Target
	}
	w.measure()
	return w
}

// measure finds the distances by a search backwards from the open targets.
func (w *sessionWays) measure() {
	var queue []int
	for i := range w.dist {
		w.dist[i] = noWay
		if w.target[i] && !w.closed[i] {
			w.dist[i] = 0
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, from := range w.back[at] {
			if w.dist[from] == noWay {
				w.dist[from] = w.dist[at] + 1
				queue = append(queue, from)
			}
		}
	}
}

// fetched notes that a page was fetched, by its address in the queue and its final one. known says that it is a page of the
// session, target that the person marked it there, and changed that distances changed.
func (w *sessionWays) fetched(queued, final string) (known, target, changed bool) {
	for _, url := range [...]string{queued, final} {
		i, ok := w.page[online.Key(url)]
		if !ok {
			continue
		}
		known, target = true, target || w.target[i]
		changed = changed || w.target[i] && !w.closed[i]
		w.closed[i] = true
	}
	if changed {
		w.measure()
	}
	return known, target, changed
}

// to is the distance of the session's page at an address, given by its key, from the nearest open target. known is false for other addresses.
func (w *sessionWays) to(url uint64) (dist int, known bool) {
	i, known := w.page[url]
	if !known {
		return noWay, false
	}
	return w.dist[i], true
}

// least is the least value of a link to a page at a distance from an open target: log odds.
func (w *sessionWays) least(dist int) float64 {
	if dist == noWay {
		return math.Inf(-1)
	}
	return online.LogOdds(wayChance * math.Pow(wayFade, float64(dist)))
}

// unseen is what a judge says of a page of the session that did not learn from it: log odds; usual for a page that is not of the
// session, or for which there is no such judge.
func (w *sessionWays) unseen(url string, usual float64) float64 {
	if i, ok := w.page[online.Key(url)]; ok && i < len(w.said) {
		return w.said[i]
	}
	return usual
}

// state lists the pages that were fetched.
func (w *sessionWays) state() []int {
	var closed []int
	for i, c := range w.closed {
		if c {
			closed = append(closed, i)
		}
	}
	return closed
}

// restored is a copy with the pages of a state as the fetched ones; ErrSnapshot when the session has no such pages.
func (w *sessionWays) restored(closed []int) (*sessionWays, error) {
	next := *w
	next.closed, next.dist = make([]bool, len(w.closed)), slices.Clone(w.dist)
	for _, i := range closed {
		if i < 0 || i >= len(next.closed) {
			return nil, online.ErrSnapshot
		}
		next.closed[i] = true
	}
	next.measure()
	return &next, nil
}
