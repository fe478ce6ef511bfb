package strategy

import (
	"cmp"
	"math"
	"slices"
)

// Explainer is a strategy that says what sets a link apart from others.
type Explainer interface {
	Strategy
	// Explain compares a link with others that wait. Each reason is a part of what the link is worth, less the mean of that
	// part over the others: above 0 it speaks for the link, below 0 against it. The reasons add up to what the link is worth
	// less the mean worth of the others, which is typical, both in what Measure says. Links whose note the strategy cannot read are left
	// out; ok is false when none is left, or when the note of the link itself cannot be read. Explain changes nothing that
	// the strategy answers later.
	Explain(link Waiting, others []Waiting) (e Explanation, ok bool)
}

// Waiting is a link that waits to be followed.
type Waiting struct {
	URL    string
	Anchor string
	Note   []byte // as Read made it
}

// Explanation is what sets a link apart from others.
type Explanation struct {
	Reasons []Reason // largest first by absolute value
	Typical float64  // mean worth of the others, in what Measure says
	Others  int      // links that it was compared with
}

// parts collects the parts of a comparison by name.
type parts struct {
	sum   map[string]float64
	names []string // in the order in which they came
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

// reasons lists the most important parts, and the sum of the others as the last one.
func (p *parts) reasons() []Reason {
	var all []Reason
	for _, name := range p.names {
		all = append(all, Reason{name, p.sum[name]})
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	rest := 0.0
	for len(all) > mostReasons || len(all) > 0 && math.Abs(all[len(all)-1].Value) < leastReason {
		rest += all[len(all)-1].Value
		all = all[:len(all)-1]
	}
	if rest != 0 {
		all = append(all, Reason{"everything else", rest})
	}
	return all
}
