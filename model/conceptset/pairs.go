package conceptset

import (
	"context"
	"iter"

	"nightjar/model/internal/parallel"
)

// Steps is the number of steps in which the similarity of a pair is kept.
const Steps = 200

// MaxAll is the maximum number of pages that AllPairs is meant for. It then takes n²/2 bytes and some seconds; for more pages, use
// CandidatePairs.
const MaxAll = 4000

// step rounds ζ down to a multiple of 1/Steps, with room for rounding errors in ζ.
func step(zeta float64) uint8 { return uint8(zeta*Steps + 1e-9) }

// Pairs are the similarities of all pairs of pages.
type Pairs struct {
	n     int
	lower []uint8 // row i has i bytes, for the pages before i
}

// AllPairs computes ζ of all pairs of pages, on all cores. progress, which may be nil, is called in the caller's goroutine
// with the parts done and their number. The error is ctx.Err() when ctx ends first.
func AllPairs(ctx context.Context, sets []Set, s Func, progress func(done, of int)) (*Pairs, error) {
	c, err := compare(ctx, sets, s)
	if err != nil {
		return nil, err
	}
	n := len(sets)
	p := &Pairs{n: n, lower: make([]uint8, n*(n-1)/2)}
	parts := (n + 1) / 2
	err = parallel.EachUntil(ctx, parts, func(k int) { // rows k and n-1-k, together n-1 pairs
		var t scratch
		p.fill(c, &t, k)
		if other := n - 1 - k; other != k {
			p.fill(c, &t, other)
		}
	}, told(progress, parts))
	if err != nil {
		return nil, err
	}
	return p, nil
}

func told(progress func(done, of int), of int) func(done int) {
	if progress == nil {
		return nil
	}
	return func(done int) { progress(done, of) }
}

func (p *Pairs) fill(c *compared, t *scratch, i int) {
	row := p.lower[i*(i-1)/2:]
	for j := range i {
		row[j] = step(c.zeta(t, i, j))
	}
}

// Near gives all other pages than page i, in ascending order, with ζ rounded down to a multiple of 1/Steps.
func (p *Pairs) Near(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for j := range p.n {
			high, low := max(i, j), min(i, j)
			if j != i && !yield(j, float64(p.lower[high*(high-1)/2+low])/Steps) {
				return
			}
		}
	}
}
