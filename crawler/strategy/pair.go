package strategy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"nightjar/crawler/page"
	"nightjar/model/arms"
	"nightjar/model/online"
)

// NewPair returns a strategy that is made of two. The second one chooses the links of the picks that design draws for it, in its
// own order of the same links; the first chooses the others. Both read every page with the state of their own paths. What a page
// is judged to be is the first's answer, so that the pages of both are measured by the same standard. Package arms says how the
// two can then be compared.
//
// Without a share that arms.Design allows, the second strategy reads the pages but chooses nothing. A nil second strategy knows
// nothing, and must choose nothing: so can the first be used with what is stored of both.
//
// What waits, and what is stored of it, holds the parts of both; see pairNote. A waiting link may be raised in one order by a page
// that is worse in the other. It then keeps the part of each strategy from the page that is best for it, and counts as a link of
// the page that is best for the first.
func NewPair(first, second Strategy, design arms.Design) Strategy {
	if second == nil {
		second = absent{}
	}
	p := &pair{[2]Strategy{first, second}, &picks{design: design, begun: map[string]int{}}}
	if of, ok := first.(Foreteller); ok {
		return foretellingPair{p, of}
	}
	return p
}

// pair is a strategy made of two. What one of them cannot do is left out for it.
type pair struct {
	arms [2]Strategy
	*picks
}

// Name is that of both strategies.
func (p *pair) Name() string { return p.arms[0].Name() + " with " + p.arms[1].Name() }

// Read has both strategies read the page.
func (p *pair) Read(ctx context.Context, v Visit) (Judgement, error) {
	notes, paths := readPairNote(v.Note), readPair(v.Parent)
	if notes.path != nil {
		paths[1] = *notes.path
	}
	prepared, _ := v.Prepared.([2]any)
	var read [2]Judgement
	var errs [2]error
	for k, s := range p.arms {
		v.Note, v.Parent, v.Prepared = notes.arms[k].note, paths[k], prepared[k]
		read[k], errs[k] = Read(ctx, s, v, MaxPath/2-binary.MaxVarintLen16)
	}
	j := read[0]
	if len(read[0].Path)+len(read[1].Path) > 0 {
		j.Path = joinParts(read[0].Path, read[1].Path)
	}
	j.Reorder = j.Reorder || read[1].Reorder
	j.Priorities, j.Notes = p.links(len(v.Page.Links), &read)
	return j, errors.Join(errs[:]...)
}

// links are the priorities and notes of n links, as both strategies gave them.
func (p *pair) links(n int, by *[2]Judgement) (priorities []Priority, notes [][]byte) {
	for i := range n {
		var note pairNote
		for k := range by {
			if i < len(by[k].Priorities) {
				note.arms[k].priority = by[k].Priorities[i]
			}
			if i < len(by[k].Notes) {
				note.arms[k].note = by[k].Notes[i]
			}
		}
		priorities, notes = append(priorities, note.priority()), append(notes, note.bytes())
	}
	return priorities, notes
}

// Prepare prepares the page for the strategies that can.
func (p *pair) Prepare(pg *page.Page) any {
	var prepared [2]any
	for k, s := range p.arms {
		if s, ok := s.(Preparer); ok {
			prepared[k] = s.Prepare(pg)
		}
	}
	return prepared
}

// Missed tells the strategies that learn from it.
func (p *pair) Missed(ctx context.Context, url string, note []byte, cost int) (reorder bool, err error) {
	notes := readPairNote(note)
	for k, s := range p.arms {
		if s, ok := s.(Misser); ok && len(notes.arms[k].note) > 0 {
			learned, failed := s.Missed(ctx, url, notes.arms[k].note, cost)
			reorder, err = reorder || learned, errors.Join(err, failed)
		}
	}
	return reorder, err
}

// Explore asks the strategy whose turn it is.
func (p *pair) Explore() bool {
	s, ok := p.arms[p.Turn()].(Explorer)
	return ok && s.Explore()
}

// List values the addresses of a list. They come last for a strategy that cannot.
func (p *pair) List(list string, links []page.Link) (j Judgement) {
	var by [2]Judgement
	for k, s := range p.arms {
		if s, ok := s.(Lister); ok {
			by[k] = s.List(list, links)
		} else {
			by[k].Priorities = slices.Repeat([]Priority{LastPriority()}, len(links))
		}
	}
	j.Priorities, j.Notes = p.links(len(links), &by)
	return j
}

// Explain compares links as the strategy does that chose the link.
func (p *pair) Explain(link Waiting, others []Waiting) (e Explanation, ok bool) {
	k := orderOf(p.begun[link.URL])
	s, ok := p.arms[k].(Explainer)
	if !ok {
		return e, false
	}
	as := func(w Waiting) Waiting {
		w.Note = readPairNote(w.Note).arms[k].note
		return w
	}
	seen := make([]Waiting, len(others))
	for i, o := range others {
		seen[i] = as(o)
	}
	return s.Explain(as(link), seen)
}

// Pick says which strategy chose a link whose fetch begins.
func (p *pair) Pick(url string) (of Pick, made bool) {
	of.N, made = p.pick(url)
	if of.Order = orderOf(of.N); of.Order > 0 {
		of.By = p.arms[of.Order].Name()
	}
	return of, made
}

// Merge raises the link in each order by itself.
func (p *pair) Merge(waits, held Held) (now Held, moved, changed bool) {
	had, has := notesOf(waits), notesOf(held)
	var better [2]bool
	for k, s := range p.arms {
		first, _ := s.(FirstParent)
		better[k] = has.arms[k].priority.Compare(had.arms[k].priority) > 0 && (first == nil || !first.FirstParent())
	}
	switch better {
	case [2]bool{true, true}:
		return held, true, true
	case [2]bool{true, false}:
		has.arms[1], has.path = had.arms[1], had.path
		return Held{has.priority(), held.Path, has.bytes()}, true, true
	case [2]bool{false, true}:
		had.arms[1], had.path = has.arms[1], has.path
		return Held{had.priority(), waits.Path, had.bytes()}, false, true
	}
	return waits, false, false
}

// Priority is the present value of a link to each strategy.
func (p *pair) Priority(url string, note []byte) Priority {
	notes := readPairNote(note)
	for k, s := range p.arms {
		if l, ok := s.(Learner); ok && len(notes.arms[k].note) > 0 {
			notes.arms[k].priority = l.Priority(url, notes.arms[k].note)
		}
	}
	return notes.priority()
}

// learners calls each with those of the strategies that learn.
func (p *pair) learners(each func(k int, l Learner)) {
	for k, s := range p.arms {
		if l, ok := s.(Learner); ok {
			each(k, l)
		}
	}
}

// Teach passes on a mark to both strategies.
func (p *pair) Teach(m Mark) { p.learners(func(_ int, l Learner) { l.Teach(m) }) }

// Ask is what the first strategy asks.
func (p *pair) Ask(n int) []string {
	if l, ok := p.arms[0].(Learner); ok {
		return l.Ask(n)
	}
	return nil
}

// Snapshot is what both strategies have learned.
func (p *pair) Snapshot() []byte {
	var both [2][]byte
	p.learners(func(k int, l Learner) { both[k] = l.Snapshot() })
	return joinParts(both[:]...)
}

// Restore restores both strategies. One that can read its part keeps it when the other cannot.
func (p *pair) Restore(snapshot []byte) error {
	both := cutParts(snapshot)
	if len(both) != len(p.arms) {
		return fmt.Errorf("restore %s: %w", p.Name(), online.ErrSnapshot)
	}
	var err error
	p.learners(func(k int, l Learner) {
		if len(both[k]) > 0 {
			err = errors.Join(err, l.Restore(both[k]))
		}
	})
	return err
}

// absent stands for a strategy that there is not.
type absent struct{}

func (absent) Name() string                                   { return "none" }
func (absent) Read(context.Context, Visit) (Judgement, error) { return Judgement{}, nil }

// foretellingPair is a pair whose first strategy can tell what links promise.
type foretellingPair struct {
	*pair
	of Foreteller
}

// Chance is that of the first strategy.
func (p foretellingPair) Chance(url string, note []byte) (float64, bool) {
	if note = readPairNote(note).arms[0].note; len(note) == 0 {
		return 0, false
	}
	return p.of.Chance(url, note)
}
