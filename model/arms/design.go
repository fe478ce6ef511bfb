package arms

import "math/rand/v2"

// MostShare is the largest share of picks that a second strategy can have, in percent.
const MostShare = 50

// Design says which picks of a crawl are the second strategy's. Picks are numbered from 1.
type Design struct {
	Share int    // percent of the picks, from 1 to MostShare
	Seed  uint64 // of the draws
}

// Block returns the number of a pick's block, from 0.
func (d Design) Block(pick int) int { return (pick*d.Share+99)/100 - 1 }

// Span returns the first and the last pick of a block. Blocks differ in length by at most 1.
func (d Design) Span(block int) (first, last int) {
	return block*100/d.Share + 1, (block + 1) * 100 / d.Share
}

// Second reports whether a pick is the second strategy's. The answer depends on nothing but the design.
func (d Design) Second(pick int) bool {
	block := d.Block(pick)
	first, last := d.Span(block)
	return pick == first+rand.New(rand.NewPCG(d.Seed, uint64(block))).IntN(last-first+1)
}
