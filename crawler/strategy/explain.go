package strategy

import (
	"cmp"
	"math"
	"slices"
)

const (
	mostReasons = 12   // named at most; the rest is summed up
	leastReason = 0.05 // minimum log odds for a reason to be named
)

// Explainer is a strategy that can explain how a link differs from others.
type Explainer interface {
	Strategy
	// Explain compares a link with others that wait. Each reason is a part of the link's value minus the mean of that part
	// over the others: above 0 it speaks for the link, below 0 against it. The reasons add up to the link's value minus
	// Typical, both in the unit that Measure names. Links whose note the strategy cannot read are left out; ok is false when
	// none is left, or when the note of the link itself cannot be read. Explain does not affect later answers of the strategy.
	Explain(link Waiting, others []Waiting) (e Explanation, ok bool)
}

// Waiting is a link that waits to be followed.
type Waiting struct {
	URL    string
	Anchor string
	Note   []byte // as Read made it
}

// Explanation says how a link differs from others.
type Explanation struct {
	Reasons []Reason // largest first by absolute value
	Typical float64  // mean value of the others, in the unit that Measure names
	Others  int      // number of links it was compared with
}

// notesFor reads the notes of a link and of those that it is compared with. Others whose note cannot be read are left out; ok is
// false when none is left, or when the link's own cannot be read.
func notesFor[N any](link Waiting, others []Waiting, read func([]byte) (N, bool)) (own N, rest []N, ok bool) {
	own, ok = read(link.Note)
	if !ok {
		return own, nil, false
	}
	for _, w := range others {
		if n, ok := read(w.Note); ok {
			rest = append(rest, n)
		}
	}
	return own, rest, len(rest) > 0
}

// parts collects the parts of a comparison by name.
type parts struct {
	sum   map[string]float64
	names []string // in the order they were added
}

func (p *parts) add(name string, value float64) {
	if value == 0 {
		return
	}
	if p.sum == nil {
		p.sum = map[string]float64{}
	}
	if _, known := p.sum[name]; !known {
		p.names = append(p.names, name)
	}
	p.sum[name] += value
}

// otherSignals names the sum of parts that are too small, or mean too little to people, to be named.
const otherSignals = "other signals together"

// reasons lists the most important parts, then the sum of the others.
func (p *parts) reasons() []Reason {
	var all []Reason
	for _, name := range p.names {
		if name == otherSignals {
			continue
		}
		all = append(all, Reason{name, p.sum[name]})
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	rest := p.sum[otherSignals]
	for len(all) > mostReasons || len(all) > 0 && math.Abs(all[len(all)-1].Value) < leastReason {
		rest += all[len(all)-1].Value
		all = all[:len(all)-1]
	}
	if rest != 0 {
		all = append(all, Reason{otherSignals, rest})
	}
	return all
}
