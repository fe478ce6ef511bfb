package crawler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/model/arms"
)

// Pick says which of a crawl's two strategies chose a link. The zero value is a link that neither chose: a start page, or any
// link of a crawl with one strategy.
type Pick struct {
	N      int // 1, 2, … in the crawl, as arms.Design numbers them
	Second bool
}

// second is the second strategy of a crawl. It chooses the links of the picks that are drawn for it, in its own order of the
// same frontier; the first chooses the others. Both read every page with the state of their own paths. What a page is judged to
// be is the first's answer, so that the pages of both are measured by the same standard.
//
// A pick is counted when its fetch begins, and keeps its number when the fetch is interrupted or put back: such a link comes
// first in either order, and is no choice of the strategy whose turn it then is. A pick that used no budget, such as of a page
// that robots.txt forbids, is made again by the same strategy, so that the share is one of pages.
type second struct {
	s        strategy.Strategy
	learning *learning
	design   arms.Design
	last     int             // number of the last pick
	picks    map[string]Pick // of links that were chosen and whose attempts are not recorded yet, by URL
	owed     []Pick          // that used no budget
}

// newSecond returns the second strategy of a crawl, nil for none.
func newSecond(o *Options, f *frontier.Frontier) *second {
	if o.Second == nil || o.Arms.Share < 1 || o.Arms.Share > arms.MostShare {
		return nil
	}
	f.AddSecond()
	return &second{s: o.Second, learning: newLearning(o.Second, o, f.Second()), design: o.Arms, picks: make(map[string]Pick)}
}

// turn reports whether the next pick is the second strategy's.
func (s *second) turn() bool { return s != nil && s.next().Second }

// next is the next pick.
func (s *second) next() Pick {
	if len(s.owed) > 0 {
		return s.owed[0]
	}
	return Pick{s.last + 1, s.design.Second(s.last + 1)}
}

// count numbers the pick of a link whose fetch begins. Start pages and looks are no picks.
func (s *second) count(e *frontier.Entry, look bool) (p Pick, counted bool) {
	if s == nil || e.Depth == 0 || look {
		return Pick{}, false
	}
	if p, known := s.picks[e.URL]; known {
		return p, false
	}
	p = s.next()
	if len(s.owed) > 0 {
		s.owed = s.owed[1:]
	} else {
		s.last++
	}
	s.picks[e.URL] = p
	return p, true
}

// taken returns the pick of a link whose attempt is recorded, with the pages of budget that it used.
func (s *second) taken(url string, cost int) Pick {
	if s == nil {
		return Pick{}
	}
	p := s.picks[url]
	delete(s.picks, url)
	if p.N > 0 && cost == 0 {
		s.owed = append(s.owed, p)
	}
	return p
}

// untaken is called when a recorded attempt is undone.
func (s *second) untaken(f *Fetch) {
	if s != nil && f.Pick.N > 0 {
		s.picks[f.URL] = f.Pick
	}
}

// pop pops a link by the first or the second order; see choose.
func (c *Crawl) pop(now time.Time, second bool) (e frontier.Entry, explored bool, at time.Time, ok bool) {
	learning, pop, popHost := c.learning, c.frontier.Pop, c.frontier.PopHost
	if second {
		learning, pop, popHost = c.second.learning, c.frontier.PopSecond, c.frontier.PopHostSecond
	}
	if learning.explores() {
		if e, ok = popHost(now, c.hosts.unseen); ok {
			return e, true, time.Time{}, true
		}
	}
	e, at, ok = pop(now)
	return e, false, at, ok
}

// way is the page whose link was followed, the depth of the link and its anchor text, in the order of the strategy that chose
// the link.
func way(e *frontier.Entry, p Pick) (parent, depth int, anchor string) {
	if v := e.Second; p.Second && v != nil {
		return v.Parent, v.Depth, v.Anchor
	}
	return e.Parent, e.Depth, e.Anchor
}

// hear passes the person's new marks to the strategies that learn.
func (c *Crawl) hear() {
	learners := []strategy.Learner{c.learning.of}
	if c.second != nil {
		learners = append(learners, c.second.learning.of)
	}
	var told []strategy.Mark
	asked := false
	for _, l := range learners {
		if l == nil || c.o.Marks == nil {
			continue
		}
		if !asked {
			told, asked = c.o.Marks(), true
		}
		for _, m := range told {
			l.Teach(m)
		}
	}
}

// consultSecond has the second strategy read a page and returns its answer.
func (in *intake) consultSecond(f *Fetch, v strategy.Visit, e *frontier.Entry) (j strategy.Judgement) {
	if in.second == nil {
		return j
	}
	v.Note, v.Parent, v.Prepared = nil, nil, nil
	if e.Second != nil {
		v.Note, v.Parent = e.Second.Note, e.Second.Path
	}
	j, err := consult(in.second.learning.ctx, in.second.s, v)
	in.unlearned(f, err)
	if j.Reorder {
		f.LearnedSecond = in.second.learning.learned(in.lastN)
	}
	return j
}

// missedSecond reports a link that gave no page to the second strategy.
func (in *intake) missedSecond(f *Fetch, r *fetched) {
	if in.second == nil || r.entry.Second == nil {
		return
	}
	e := r.entry
	e.Note = e.Second.Note
	learned, err := in.second.learning.missed(&e, f.Cost)
	if learned {
		f.LearnedSecond = in.second.learning.learned(in.lastN)
	}
	in.unlearned(f, err)
}

// view gives a link of a page its view in the second order, by the answer of the second strategy.
func (in *intake) view(child *frontier.Entry, i int, j *strategy.Judgement, copied bool) {
	if in.second == nil {
		return
	}
	v := &frontier.View{Parent: child.Parent, Depth: child.Depth, Anchor: child.Anchor, Path: j.Path}
	switch {
	case copied:
		v.Priority = lastPriority()
	case i < len(j.Priorities):
		v.Priority = j.Priorities[i]
	}
	if !copied && i < len(j.Notes) {
		v.Note = j.Notes[i]
	}
	child.Second = v
}

// keepsFirst keeps the priority from the first referring page for strategies that ask for it, and reports whether every
// strategy does, so that nothing is left to raise.
func (in *intake) keepsFirst(e *frontier.Entry) (all bool) {
	keeps := func(s strategy.Strategy) bool {
		k, ok := s.(strategy.FirstParent)
		return ok && k.FirstParent()
	}
	first := keeps(in.s)
	switch {
	case in.second == nil || e.Second == nil:
		return first
	case first:
		e.Priority = lastPriority()
	}
	second := keeps(in.second.s)
	if second {
		v := *e.Second
		v.Priority = lastPriority()
		e.Second = &v
	}
	return first && second
}

// consult has a strategy read a page. It returns the answer without a path state that is too long.
func consult(ctx context.Context, s strategy.Strategy, v strategy.Visit) (strategy.Judgement, error) {
	j, err := s.Read(ctx, v)
	if n := len(j.Path); n > strategy.MaxPath {
		j.Path = nil
		err = errors.Join(err, fmt.Errorf("the path state has %d bytes, more than %d", n, strategy.MaxPath))
	}
	return j, err
}

// reorderSome takes the next step of reordering a long queue by the second order.
func (s *second) reorderSome() {
	if s != nil {
		s.learning.reorderSome()
	}
}

// recall continues from the recorded state of an interrupted crawl.
func (s *second) recall(r *Resume) {
	if s == nil {
		return
	}
	s.recallPicks(r)
	s.learning.recall(r.LearnedSecond)
}

func (s *second) recallPicks(r *Resume) {
	s.last = r.LastPick
	maps.Copy(s.picks, r.Picks)
	s.owed = slices.Clone(r.Owed)
}

// seenBySecond is a popped entry as the second order holds it.
func seenBySecond(e *frontier.Entry) *frontier.Entry {
	seen := *e
	if v := e.Second; v != nil {
		seen.Priority, seen.Note = v.Priority, v.Note
	}
	return &seen
}
