package crawler

import (
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// picks connects a strategy with two orders with the crawl. For other strategies, all links are chosen by order 0, without a pick.
type picks struct {
	of strategy.Picker // nil for a strategy with one order
}

func newPicks(s strategy.Strategy, f *frontier.Frontier) picks {
	of, ok := s.(strategy.Picker)
	if ok {
		f.AddSecond()
	}
	return picks{of}
}

// turn is the order by which the next link is chosen.
func (p picks) turn() (order int) {
	if p.of == nil {
		return 0
	}
	return p.of.Turn()
}

// count returns the pick of a link whose fetch begins, and whether it is a new one. Start pages, looks and links that are tried because
// they are new are no picks: they come first in all orders.
func (p picks) count(e *frontier.Entry, first bool) (of strategy.Pick, made bool) {
	if p.of == nil || e.Depth == 0 || first {
		return strategy.Pick{}, false
	}
	return p.of.Pick(e.URL)
}

// recorded returns the number of the pick of a link whose attempt is recorded.
func (p picks) recorded(url string, cost int) (n int) {
	if p.of == nil {
		return 0
	}
	return p.of.Picked(url, cost)
}

// undone is called when a recorded attempt is undone.
func (p picks) undone(f *Fetch) {
	if p.of != nil {
		p.of.Unpicked(f.URL, f.Pick)
	}
}

// recall continues from the recorded state of an interrupted crawl.
func (p picks) recall(r *Resume) {
	if p.of != nil {
		p.of.RecallPicks(r.Picks, r.Picked)
	}
}

// merged is a link of a page as it is to wait if it waits already. raise is false when the page gives it no higher priority.
func (in *intake) merged(e frontier.Entry) (now frontier.Entry, raise bool) {
	if first, ok := in.s.(strategy.FirstParent); ok {
		return e, !first.FirstParent()
	}
	if in.picks.of == nil {
		return e, true // the frontier compares
	}
	now, _ = in.frontier.Entry(e.URL)
	held, moved, raise := in.picks.of.Merge(
		strategy.Held{Priority: now.Priority, Path: now.Path, Note: now.Note},
		strategy.Held{Priority: e.Priority, Path: e.Path, Note: e.Note})
	if moved {
		now = e
	}
	now.Priority, now.Path, now.Note = held.Priority, held.Path, held.Note
	return now, raise
}
