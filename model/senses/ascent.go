package senses

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// ascend takes the best of the ascents from the first senses and from random senses.
func (t *table) ascend(seed uint64) solution {
	r := rand.New(rand.NewPCG(seed, 0))
	ranks := make([]int, len(t.of))
	best := t.climb(ranks)
	for range starts {
		for w := range ranks {
			ranks[w] = r.IntN(t.senses(w))
		}
		if end := t.climb(ranks); end.before(best) {
			best = end
		}
	}
	return best
}

// climb changes in each round the word whose change brings most, until none brings anything.
func (t *table) climb(from []int) solution {
	ranks := slices.Clone(from)
	for range rounds {
		word, best := -1, move{}
		for w := range ranks {
			if m := t.move(ranks, w); m.compare(best) > 0 {
				word, best = w, m
			}
		}
		if word < 0 {
			break
		}
		ranks[word] = best.rank
	}
	return t.solution(ranks)
}

// move is a change of one word's sense.
type move struct {
	rank  int   // of the new sense
	gain  int64 // what it adds to the total's key
	lower int   // how much lower the new rank is
}

func (m move) compare(other move) int {
	return cmp.Or(cmp.Compare(m.gain, other.gain), cmp.Compare(m.lower, other.lower))
}

// move finds the sense of a word that is most similar to the senses of the others; of several the first.
func (t *table) move(ranks []int, w int) move {
	best, top, now := 0, int64(-1), int64(0)
	for rank := range t.senses(w) {
		row, sum := t.row(w, rank), 0.0
		for v, r := range ranks {
			sum += row[t.start[v]+r] // 0 for the word itself
		}
		k := key(sum)
		if k > top {
			best, top = rank, k
		}
		if rank == ranks[w] {
			now = k
		}
	}
	return move{rank: best, gain: top - now, lower: ranks[w] - best}
}
