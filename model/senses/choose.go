package senses

import (
	"cmp"
	"math"
	"slices"

	"nightjar/model/wordnet"
)

// Bounds of Choose.
const (
	// DefaultExact is the number of combinations of senses up to which the best one is found by branch and bound.
	DefaultExact = 20_000

	maxSenses = 64 // senses of a word that take part; WordNet 3.0 has at most 59
	starts    = 3  // random starts of the ascent, besides that at the first senses
	rounds    = 20 // of the ascent from one start, each a change of one word
)

// Options of Choose. The zero value is the usual ones.
type Options struct {
	Exact int    // combinations up to which the choice is exact; 0: DefaultExact
	Seed  uint64 // of the random starts
}

// Choice is one sense for each word.
type Choice struct {
	Ranks []int   // [word]: place of the chosen sense in its list; -1 when the word has none
	Mean  float64 // mean similarity over all pairs of words that have senses, in [0, 1]; 0 when there are fewer than two
	Exact bool    // whether no other choice has a larger mean
}

// Choose picks a sense for each word so that the mean similarity over all pairs of words is largest, the self-correlation of
// [THESUS] §5.3.3. words[i] lists the senses of word i, the most frequent first; a word without senses takes no part. Of
// choices with the same mean, the one with the lowest sum of ranks is taken, then the one that has the lower rank at the
// first word where they differ. Sums that agree to 10⁻⁹ count as the same.
//
// With up to Options.Exact combinations the choice is the best one. With more, an ascent changes one word at a time to its
// best sense, that word whose change brings most, until nothing moves, at most 20 times, from the first senses and from
// three random starts; the best end counts. The result depends on words, similarity and seed only.
//
// similarity is symmetric and in [0, 1]. It is asked once for each pair of senses of different words: 64 senses a word
// count. Cost in memory: 8 bytes for each pair of senses.
func Choose(words [][]wordnet.Sense, similarity func(a, b wordnet.Sense) float64, o Options) Choice {
	t := newTable(words, similarity)
	c := Choice{Ranks: make([]int, len(words))}
	for i := range c.Ranks {
		c.Ranks[i] = -1
	}
	var best solution
	if c.Exact = t.combinations() <= float64(cmp.Or(o.Exact, DefaultExact)); c.Exact {
		best = t.exact()
	} else {
		best = t.ascend(o.Seed)
	}
	for w, rank := range best.ranks {
		c.Ranks[t.of[w]] = rank
	}
	if n := len(t.of); n > 1 {
		c.Mean = min(t.total(best.ranks)/float64(n*(n-1)/2), 1)
	}
	return c
}

// table holds the similarities of all senses of the words that have senses.
type table struct {
	of    []int     // [word of the table]: its place in the caller's list
	start []int     // word w has the senses [start[w], start[w+1]) of the table
	s     []float64 // [i*m+j]: similarity of senses i and j of the table's m; 0 for two senses of one word
}

func newTable(words [][]wordnet.Sense, similarity func(a, b wordnet.Sense) float64) *table {
	t := &table{start: []int{0}}
	var all []wordnet.Sense
	for i, senses := range words {
		if len(senses) > 0 {
			t.of = append(t.of, i)
			all = append(all, senses[:min(len(senses), maxSenses)]...)
			t.start = append(t.start, len(all))
		}
	}
	m := len(all)
	t.s = make([]float64, m*m)
	for w := range t.of {
		for i := t.start[w]; i < t.start[w+1]; i++ {
			for j := t.start[w+1]; j < m; j++ {
				s := similarity(all[i], all[j])
				t.s[i*m+j], t.s[j*m+i] = s, s
			}
		}
	}
	return t
}

// senses is the number of senses of a word.
func (t *table) senses(w int) int { return t.start[w+1] - t.start[w] }

// row holds the similarities of a sense with all senses.
func (t *table) row(w, rank int) []float64 {
	m := t.start[len(t.of)]
	i := t.start[w] + rank
	return t.s[i*m : (i+1)*m]
}

// combinations is the number of choices, which may be larger than an int.
func (t *table) combinations() float64 {
	product := 1.0
	for w := range t.of {
		product *= float64(t.senses(w))
	}
	return product
}

// total is the sum of the similarities of all pairs.
func (t *table) total(ranks []int) float64 {
	sum := 0.0
	for w, rank := range ranks {
		row := t.row(w, rank)
		for v := range w {
			sum += row[t.start[v]+ranks[v]]
		}
	}
	return sum
}

// solution is a choice that is compared with others.
type solution struct {
	ranks []int
	key   int64 // of its total
	sum   int   // of its ranks
}

func (t *table) solution(ranks []int) solution {
	s := solution{ranks: slices.Clone(ranks), key: key(t.total(ranks))}
	for _, r := range ranks {
		s.sum += r
	}
	return s
}

// key is a total in steps of 10⁻⁹, so that sums that differ by rounding only are the same. Wu-Palmer similarities are
// fractions with denominators below 2¹⁰, so that no sum of them is halfway between two steps.
func key(total float64) int64 { return int64(math.Round(total * 1e9)) }

// before says whether a solution is to be taken instead of another.
func (s solution) before(other solution) bool {
	return cmp.Or(cmp.Compare(other.key, s.key), cmp.Compare(s.sum, other.sum), slices.Compare(s.ranks, other.ranks)) < 0
}
