package senses

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"nightjar/model/wordnet"
)

// tree is a random tree with Wu-Palmer similarities, which have the ties that WordNet's have.
type tree struct{ paths [][]int }

func newTree(r *rand.Rand, size int) *tree {
	t := &tree{paths: [][]int{{0}}}
	for i := 1; i < size; i++ {
		above := t.paths[max(r.IntN(i), r.IntN(i))]
		t.paths = append(t.paths, append(slices.Clone(above), i))
	}
	return t
}

func (t *tree) similarity(a, b wordnet.Sense) float64 {
	p, q := t.paths[a], t.paths[b]
	k := 0
	for k < len(p) && k < len(q) && p[k] == q[k] {
		k++
	}
	return float64(2*k) / float64(len(p)+len(q))
}

// words draws words of up to most senses each. Half of the sets have something in common, as the words of a text: of each
// word one sense stands near one node.
func (t *tree) words(r *rand.Rand, count, most int) [][]wordnet.Sense {
	related := r.IntN(2) == 0
	topic := r.IntN(len(t.paths))
	var near []wordnet.Sense
	for s := range t.paths {
		if t.similarity(wordnet.Sense(s), wordnet.Sense(topic)) > .7 {
			near = append(near, wordnet.Sense(s))
		}
	}
	words := make([][]wordnet.Sense, count)
	for w := range words {
		for range 1 + r.IntN(most) {
			words[w] = append(words[w], wordnet.Sense(r.IntN(len(t.paths))))
		}
		if !related {
			continue
		}
		words[w][r.IntN(len(words[w]))] = near[r.IntN(len(near))]
	}
	return words
}

// mean is the mean similarity of the chosen senses.
func mean(words [][]wordnet.Sense, ranks []int, similarity func(a, b wordnet.Sense) float64) float64 {
	sum, pairs := 0.0, 0
	for i, a := range ranks {
		for j, b := range ranks[:i] {
			if a >= 0 && b >= 0 {
				sum += similarity(words[i][a], words[j][b])
				pairs++
			}
		}
	}
	if pairs == 0 {
		return 0
	}
	return sum / float64(pairs)
}

// bruteForce tries all choices in the order of their sum of ranks, then of their ranks.
func bruteForce(words [][]wordnet.Sense, similarity func(a, b wordnet.Sense) float64) (best []int, top float64) {
	var all [][]int
	var try func(ranks []int)
	try = func(ranks []int) {
		if len(ranks) == len(words) {
			all = append(all, slices.Clone(ranks))
			return
		}
		senses := words[len(ranks)]
		if len(senses) == 0 {
			try(append(ranks, -1))
		}
		for rank := range senses {
			try(append(ranks, rank))
		}
	}
	try(nil)
	sum := func(ranks []int) (s int) {
		for _, r := range ranks {
			s += r
		}
		return s
	}
	slices.SortStableFunc(all, func(a, b []int) int { return sum(a) - sum(b) })
	top = -1
	for _, ranks := range all {
		if m := mean(words, ranks, similarity); m > top+1e-11 {
			best, top = ranks, m
		}
	}
	return best, top
}

func TestExactIsBruteForce(t *testing.T) {
	ties := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		net := newTree(r, 10+r.IntN(60))
		words := net.words(r, 1+r.IntN(6), 4)
		if r.IntN(3) == 0 {
			words[r.IntN(len(words))] = nil
		}
		want, top := bruteForce(words, net.similarity)
		got := Choose(words, net.similarity, Options{})
		if !got.Exact || !slices.Equal(got.Ranks, want) || math.Abs(got.Mean-top) > 1e-12 {
			t.Fatalf("seed %d: %+v, by brute force %v with %v", seed, got, want, top)
		}
		reversed := Choose(words, func(a, b wordnet.Sense) float64 { return net.similarity(b, a) }, Options{Seed: 9})
		if !slices.Equal(reversed.Ranks, want) {
			t.Fatalf("seed %d: another choice with the similarity's arguments exchanged", seed)
		}
		if slices.Max(append([]int{0}, want...)) == 0 {
			ties++
		}
	}
	if ties > 150 {
		t.Errorf("%d of 300 choices are the first senses: too easy a test", ties)
	}
}

// TestAscent: the ascent finds the best choice in at least 95 % of 500 sets of 8 words, and is never above it.
func TestAscent(t *testing.T) {
	found := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		net := newTree(r, 400)
		words := net.words(r, 8, 8)
		exact := Choose(words, net.similarity, Options{Exact: 1 << 40})
		ascent := Choose(words, net.similarity, Options{Exact: 1, Seed: seed})
		if again := Choose(words, net.similarity, Options{Exact: 1, Seed: seed}); !slices.Equal(again.Ranks, ascent.Ranks) {
			t.Fatalf("seed %d: two choices, %v and %v", seed, ascent.Ranks, again.Ranks)
		}
		if !exact.Exact || ascent.Exact {
			t.Fatalf("seed %d: exact %v, ascent %v", seed, exact.Exact, ascent.Exact)
		}
		if m := mean(words, ascent.Ranks, net.similarity); math.Abs(m-ascent.Mean) > 1e-12 {
			t.Fatalf("seed %d: the mean is %v, not %v", seed, m, ascent.Mean)
		}
		switch {
		case ascent.Mean > exact.Mean+1e-12:
			t.Errorf("seed %d: ascent %v is above the optimum %v", seed, ascent.Mean, exact.Mean)
		case ascent.Mean > exact.Mean-1e-12:
			found++
		}
	}
	t.Logf("%d of 500", found)
	if found < 475 {
		t.Errorf("the ascent finds %d of 500", found)
	}
}

func TestChooseSmallSets(t *testing.T) {
	same := func(a, b wordnet.Sense) float64 { return .5 }
	for name, c := range map[string]struct {
		words [][]wordnet.Sense
		want  []int
		mean  float64
	}{
		"nothing":       {nil, nil, 0},
		"no senses":     {[][]wordnet.Sense{nil, nil}, []int{-1, -1}, 0},
		"one word":      {[][]wordnet.Sense{{4, 5}}, []int{0}, 0},
		"one of two":    {[][]wordnet.Sense{nil, {4, 5}}, []int{-1, 0}, 0},
		"all the same":  {[][]wordnet.Sense{{1, 2}, nil, {3, 4}, {5}}, []int{0, -1, 0, 0}, .5},
		"endless lists": {[][]wordnet.Sense{make([]wordnet.Sense, 5000), make([]wordnet.Sense, 5000)}, []int{0, 0}, .5},
	} {
		for _, exact := range []int{1, 1 << 30} {
			got := Choose(c.words, same, Options{Exact: exact})
			if !slices.Equal(got.Ranks, c.want) || got.Mean != c.mean {
				t.Errorf("%s: %+v, want %v with %v", name, got, c.want, c.mean)
			}
		}
	}
}

// TestLimitOfExact: the product of the numbers of senses decides, words without senses apart.
func TestLimitOfExact(t *testing.T) {
	words := [][]wordnet.Sense{{1, 2}, nil, {3, 4, 5}}
	for limit, want := range map[int]bool{5: false, 6: true, 0: true} {
		if got := Choose(words, func(a, b wordnet.Sense) float64 { return 0 }, Options{Exact: limit}); got.Exact != want {
			t.Errorf("6 combinations, at most %d: exact is %v", limit, got.Exact)
		}
	}
}

func BenchmarkChoose(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	net := newTree(r, 400)
	words := net.words(r, 8, 6)
	for name, limit := range map[string]int{"exact": 1 << 40, "ascent": 1} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Choose(words, net.similarity, Options{Exact: limit})
			}
		})
	}
}
