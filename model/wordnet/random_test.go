package wordnet

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// randomNet draws senses of which each has up to three hypernyms among the ones before it; verbs have several roots.
func randomNet(tb testing.TB, r *rand.Rand, size int) *Net {
	tb.Helper()
	draw := func(prefix string, roots int) (list []synset) {
		for i := range size {
			s := synset{words: fmt.Sprintf("%s%d shared%d", prefix, i, r.IntN(size/2)), gloss: "drawn"}
			for range 1 + r.IntN(3) {
				if i < roots {
					break
				}
				h := r.IntN(i)
				if r.IntN(3) > 0 { // deeper than a uniform draw would be
					h = max(h, i-1-r.IntN(min(i, 6)))
				}
				if r.IntN(5) == 0 {
					h = ^h
				}
				s.hypernyms = append(s.hypernyms, h)
			}
			list = append(list, s)
		}
		return list
	}
	return mustRead(tb, readers(dict(draw("noun", 1), draw("verb", 3), "", "")))
}

// overPaths is the similarity as it is defined: the maximum over all pairs of paths.
func overPaths(n *Net, a, b Sense) float64 {
	if n.POS(a) != n.POS(b) {
		return 0
	}
	root := 0
	if n.POS(a) == Verb {
		root = 1
	}
	best := 0.0
	for _, p := range n.Paths(a) {
		for _, q := range n.Paths(b) {
			k := 0
			for k < len(p) && k < len(q) && p[k] == q[k] {
				k++
			}
			best = max(best, float64(2*(k+root))/float64(len(p)+len(q)+2*root))
		}
	}
	return best
}

func TestSimilarityIsTheMaximumOverPaths(t *testing.T) {
	several := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 16))
		n := randomNet(t, r, 6+r.IntN(14))
		for a := range Sense(n.Len()) {
			if n.Similarity(a, a) != 1 {
				t.Fatalf("seed %d: S(%s, itself) = %v", seed, n.Name(a), n.Similarity(a, a))
			}
			if len(n.Paths(a)) > 1 {
				several++
			}
			for b := range Sense(n.Len()) {
				got, want := n.Similarity(a, b), overPaths(n, a, b)
				if got != want || got != n.Similarity(b, a) || got < 0 || got > 1 {
					t.Fatalf("seed %d: S(%s, %s) = %v, S(b, a) = %v, over paths %v", seed, n.Name(a), n.Name(b), got,
						n.Similarity(b, a), want)
				}
			}
		}
	}
	if several < 500 {
		t.Errorf("only %d senses have several paths", several)
	}
}

// BenchmarkPage compares all senses of 8 words with 8 senses each, as for one page. The net has the shape of WordNet's nouns:
// senses stand about 9 deep, and one in 37 has two hypernyms.
func BenchmarkPage(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	list := []synset{{words: "root"}}
	for i := 1; i < 20_000; i++ {
		s := synset{words: fmt.Sprintf("noun%d", i), hypernyms: []int{r.IntN(i)}}
		if r.IntN(37) == 0 {
			s.hypernyms = append(s.hypernyms, r.IntN(i))
		}
		list = append(list, s)
	}
	n := mustRead(b, readers(dict(list, []synset{{words: "go"}}, "", "")))
	senses := make([]Sense, 64)
	for i := range senses {
		senses[i] = Sense(r.IntN(len(list)))
	}
	b.ReportAllocs()
	for b.Loop() {
		for i, x := range senses {
			for _, y := range senses[:i] {
				n.Similarity(x, y)
			}
		}
	}
}
