package model

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"nightjar/model/webgraph"
)

// maxFolds is the maximum number of folds of targets in a report.
const maxFolds = 10

// fold is the session without some targets and without the pages that lead to no other targets.
type fold struct {
	left sample // the pages to train on
	out  []int  // the pages held back, ascending
}

// Folds splits the session into at most `most` parts, and returns the pages of each, ascending. A test holds a part back,
// learns from the others, and asks about it. Each useful page is in one part, the pages that lead to useful pages of that
// part only are with it, and each other page is in some part. There are no parts with fewer than two useful pages. The
// settings say how far a page may be from a useful one to lead there.
func (s TrainingSet) Folds(settings Settings, most int) [][]int {
	m := &material{set: s, settings: settings}
	var all [][]int
	for _, f := range m.folds(most) {
		all = append(all, f.out)
	}
	return all
}

// Without returns the training set as if the person had not visited the pages held back, which are listed ascending. Links
// to them stay on the other pages, as links to pages that were not visited.
func (s TrainingSet) Without(held []int) TrainingSet {
	out := s
	out.Pages, out.Edges, out.Entries = nil, nil, nil
	at := make([]int, len(s.Pages)) // place in out, -1 for a page held back
	for i := range s.Pages {
		at[i] = -1
		if _, is := slices.BinarySearch(held, i); !is {
			at[i] = len(out.Pages)
			out.Pages = append(out.Pages, s.Pages[i])
		}
	}
	for i := range out.Pages {
		p := &out.Pages[i]
		p.Links = slices.Clone(p.Links)
		for k := range p.Links {
			if to := p.Links[k].To; to >= 0 {
				p.Links[k].To = at[to]
			}
		}
	}
	for _, e := range s.Edges {
		if at[e[0]] >= 0 && at[e[1]] >= 0 {
			out.Edges = append(out.Edges, [2]int{at[e[0]], at[e[1]]})
		}
	}
	for _, i := range s.Entries {
		if at[i] >= 0 {
			out.Entries = append(out.Entries, at[i])
		}
	}
	return out
}

// folds assigns the targets to at most `most` folds; there are none with fewer than two targets. A page that leads within n-2
// links to targets of one fold only is held back with them, as it would give them away. All other pages lead to targets
// of several folds or of none, and are assigned in turn. So every page is asked about once, also those that are hardest to
// tell from targets because they are one link away from many. Bit f of reaches[i] says that page i leads to fold f.
func (m *material) folds(most int) []fold {
	targets := m.whole().targets()
	count := min(most, maxFolds, len(targets))
	if count < 2 {
		return nil
	}
	rng := rand.New(rand.NewPCG(m.settings.Seed, 2))
	rng.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	of := make([]int, len(m.set.Pages)) // fold of a page
	reaches := make([]uint16, len(of))
	for f := range count {
		var own []int
		for k := f; k < len(targets); k += count {
			own = append(own, targets[k])
		}
		for _, i := range m.leadingTo(own) {
			reaches[i] |= 1 << f
		}
	}
	next := rng.IntN(count)
	for i, p := range m.set.Pages {
		switch r := reaches[i]; {
		case p.Target:
		case r != 0 && r&(r-1) == 0:
			of[i] = bits.TrailingZeros16(r)
		default:
			of[i] = next % count
			next++
		}
	}
	for k, i := range targets {
		of[i] = k % count
	}
	all := make([]fold, count)
	for f := range all {
		all[f] = m.without(of, f)
	}
	return all
}

// leadingTo lists the pages from which one of the targets is at most n-2 links away. All but the last state mean that.
func (m *material) leadingTo(targets []int) []int {
	n := m.settings.States
	mark := make([]bool, len(m.set.Pages))
	for _, i := range targets {
		mark[i] = true
	}
	var all []int
	for i, layer := range webgraph.Layers(len(mark), m.set.Edges, mark, n) {
		if layer < n-1 {
			all = append(all, i)
		}
	}
	return all
}

// without is the fold that holds back the pages with number f.
func (m *material) without(of []int, f int) fold {
	o := fold{left: sample{target: make([]bool, len(of))}}
	for i, k := range of {
		if k == f {
			o.out = append(o.out, i)
			continue
		}
		o.left.known = append(o.left.known, i)
		o.left.target[i] = m.set.Pages[i].Target
	}
	return o
}
