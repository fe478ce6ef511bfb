package contextgraph

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"testing"
)

// randomGraph has pages of a few words each, some of none, and a third as many links again as pages.
func randomGraph(rng *rand.Rand, pages, words int) Graph {
	var g Graph
	for i := range pages {
		g.Pages = append(g.Pages, randomDocument(rng, words))
		g.Target = append(g.Target, i%7 == 0)
		for range 1 + rng.IntN(3) {
			if to := rng.IntN(pages); to != i {
				g.Edges = append(g.Edges, [2]int{i, to})
			}
		}
	}
	for range pages / 3 {
		g.Reference = append(g.Reference, randomDocument(rng, words))
	}
	return g
}

func randomDocument(rng *rand.Rand, words int) Document {
	counts := map[int]int{}
	for range rng.IntN(12) {
		counts[int(float64(words)*rng.Float64()*rng.Float64())] += 1 + rng.IntN(3)
	}
	var d Document
	for w := range words {
		if counts[w] > 0 {
			d.Index, d.Count = append(d.Index, int32(w)), append(d.Count, int32(counts[w]))
		}
	}
	return d
}

func bag(d Document) map[int32]float64 {
	b := map[int32]float64{}
	for k, w := range d.Index {
		b[w] = float64(d.Count[k])
	}
	return b
}

// oracle is the model as the paper writes it: maps, sums and products, nothing prepared.
type oracle struct {
	g         Graph
	o         Options
	layers    [][]int
	inV       map[int32]bool
	layerWord []map[int32]float64
	total     []float64
}

func newOracle(g Graph, o Options, layers [][]int) *oracle {
	or := &oracle{g: g, o: o, layers: layers, inV: map[int32]bool{}}
	for _, l := range layers[:2] {
		for _, i := range l {
			for w := range bag(g.Pages[i]) {
				or.inV[w] = true
			}
		}
	}
	for _, l := range layers {
		words, total := map[int32]float64{}, 0.0
		for _, i := range l {
			for w, n := range or.reduce(g.Pages[i]) {
				words[w] += n
				total += n
			}
		}
		or.layerWord, or.total = append(or.layerWord, words), append(or.total, total)
	}
	return or
}

// tfidf is [CGS] eq. (1) as printed.
func (o *oracle) tfidf(d map[int32]float64, w int32) float64 {
	most, docs, f := 0.0, slices.Concat(o.g.Pages, o.g.Reference), 0.0
	for _, n := range d {
		most = math.Max(most, n)
	}
	for _, other := range docs {
		if slices.Contains(other.Index, w) {
			f++
		}
	}
	return d[w] / most * math.Log(float64(len(docs))/f)
}

func (o *oracle) reduce(d Document) map[int32]float64 {
	counts := bag(d)
	var kept []int32
	for w := range counts {
		if o.inV[w] && o.tfidf(counts, w) > 0 {
			kept = append(kept, w)
		}
	}
	sort.Slice(kept, func(a, b int) bool {
		x, y := o.tfidf(counts, kept[a]), o.tfidf(counts, kept[b])
		if math.Abs(x-y) > 1e-12 {
			return x > y
		}
		return kept[a] < kept[b]
	})
	reduced := map[int32]float64{}
	for _, w := range kept[:min(len(kept), o.o.Components)] {
		reduced[w] = counts[w]
	}
	return reduced
}

// probability is P(w|c_j) of eq. (4).
func (o *oracle) probability(layer int, w int32) float64 {
	return (1 + o.layerWord[layer][w]) / (float64(len(o.inV)) + o.total[layer])
}

// product is P(d|c_j) of eq. (3), and the geometric mean of its factors.
func (o *oracle) product(layer int, d map[int32]float64) (product, mean float64) {
	n := 0.0
	product = 1
	for w, count := range d {
		product *= math.Pow(o.probability(layer, w), count)
		n += count
	}
	return product, math.Pow(product, 1/n)
}

func (o *oracle) classify(d Document) (layer int, mean, posterior float64) {
	reduced := o.reduce(d)
	if len(reduced) == 0 {
		return Other, 0, 0
	}
	best, sum, highest := -1, 0.0, 0.0
	for l := range o.layers {
		if o.total[l] == 0 {
			continue
		}
		p, _ := o.product(l, reduced)
		if sum += p; p > highest {
			best, highest = l, p
		}
	}
	if best < 0 {
		return Other, 0, 0
	}
	_, mean = o.product(best, reduced)
	posterior = highest / sum
	least := math.Inf(1)
	for _, i := range o.layers[best] {
		if r := o.reduce(o.g.Pages[i]); len(r) > 0 {
			_, m := o.product(best, r)
			least = math.Min(least, m)
		}
	}
	if mean < least*(1-rounding) {
		return Other, mean, posterior
	}
	return best, mean, posterior
}

// TestModelIsThePapers compares random small models with the oracle.
func TestModelIsThePapers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	seen := map[int]int{}
	for range 60 {
		const words = 25
		g := randomGraph(rng, 6+rng.IntN(25), words)
		o := Options{Depth: 1 + rng.IntN(4), Most: 2 + rng.IntN(20), Components: 1 + rng.IntN(6), Seed: rng.Uint64()}
		m := Learn(g, words, o)
		want := newOracle(g, o, Layers(g.Edges, g.Target, o.Depth, o.Most, rand.New(rand.NewPCG(o.Seed, 0))))
		for range 40 {
			d := randomDocument(rng, words)
			if got, r := bag(m.reduce(d)), want.reduce(d); !reflect.DeepEqual(got, r) {
				t.Fatalf("%v is cut to %v, want %v", d, got, r)
			}
			c := m.Classify(d)
			layer, mean, posterior := want.classify(d)
			seen[layer]++
			if c.Layer != layer || math.Abs(math.Exp(c.Mean)-mean) > 1e-9 || math.Abs(c.Posterior-posterior) > 1e-9 {
				t.Fatalf("%v is %+v, want layer %d with mean %v and posterior %v", d, c, layer, mean, posterior)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("the random models used the layers %v, want all", seen)
	}
}

// TestNaiveBayesByHand works [CGS] §3.3, eq. (4) for two layers over three words: of the first layer's four words the
// first occurs twice, the second twice; of the second layer's five all are the third.
func TestNaiveBayesByHand(t *testing.T) {
	m := &Model{o: Options{Components: 3}, inverse: []float64{1, 1, 1}, vocabulary: 3}
	m.addClass(0, []Document{{Index: []int32{0, 1}, Count: []int32{2, 1}}, {Index: []int32{1}, Count: []int32{1}}})
	m.addClass(1, []Document{{Index: []int32{2}, Count: []int32{5}}})
	const absTol = 1e-12 // of logs near 1
	for layer, want := range [][]float64{{3. / 7, 3. / 7, 1. / 7}, {1. / 8, 1. / 8, 6. / 8}} {
		for w, p := range want {
			if got := m.logWord[layer][w]; math.Abs(got-math.Log(p)) > absTol {
				t.Errorf("P(%d|%d) is e^%v, want %v", w, layer, got, p)
			}
		}
		page := Document{Index: []int32{0, 2}, Count: []int32{2, 1}}
		sum, words := likelihood(m.logWord[layer], page)
		if p := want[0] * want[0] * want[2]; math.Abs(sum-math.Log(p)) > absTol || words != 3 {
			t.Errorf("P(page|%d) is e^%v of %v words, want %v of 3", layer, sum, words, p)
		}
	}
}

// TestOwnPagesFit: by the threshold of [CGS] §3.3 no page that a layer was learned from is "other" when it wins there.
func TestOwnPagesFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 40 {
		g := randomGraph(rng, 40, 30)
		o := Defaults()
		o.Components, o.Seed = 5, rng.Uint64()
		m := Learn(g, 30, o)
		layers := Layers(g.Edges, g.Target, o.Depth, o.Most, rand.New(rand.NewPCG(o.Seed, 0)))
		for l, pages := range layers {
			for _, i := range pages {
				if c := m.Classify(g.Pages[i]); wins(m, g.Pages[i]) == l && c.Layer != l {
					t.Fatalf("page %d of layer %d is %+v", i, l, c)
				}
			}
		}
	}
}

func wins(m *Model, d Document) int {
	best, most := Other, math.Inf(-1)
	for j, logWord := range m.logWord {
		if s, n := likelihood(logWord, m.reduce(d)); n > 0 && s > most {
			best, most = m.layer[j], s
		}
	}
	return best
}

// TestClassIsSound holds for random models and pages what a queue relies on.
func TestClassIsSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range 40 {
		g := randomGraph(rng, 30, 40)
		m := Learn(g, 40, Defaults())
		for _, logWord := range m.logWord {
			sum := 0.0
			for w, inverse := range m.inverse {
				if inverse > 0 {
					sum += math.Exp(logWord[w])
				}
			}
			if sum > 1+1e-9 || sum <= 0 {
				t.Errorf("the words of a layer have a probability of %v in sum", sum)
			}
		}
		for range 50 {
			d := randomDocument(rng, 40)
			c := m.Classify(d)
			if c.Layer < Other || c.Layer >= m.Layers() || c.Mean > 0 || math.IsNaN(c.Mean) || math.IsNaN(c.Odds) || !(c.Posterior >= 0 && c.Posterior <= 1) {
				t.Fatalf("%v is %+v", d, c)
			}
			if again := m.Classify(d); again != c {
				t.Fatalf("%v is %+v and %+v", d, c, again)
			}
			twice := Document{Index: d.Index, Count: slices.Clone(d.Count)}
			for k := range twice.Count {
				twice.Count[k] *= 2
			}
			if double := m.Classify(twice); double.Layer != c.Layer || math.Abs(double.Mean-c.Mean) > 1e-12 {
				t.Fatalf("twice as long, %+v becomes %+v", c, double)
			}
		}
	}
}

// TestDegenerate: what cannot be learned from gives "other", never a panic.
func TestDegenerate(t *testing.T) {
	word := Document{Index: []int32{0}, Count: []int32{1}}
	other := Document{Index: []int32{1}, Count: []int32{1}}
	for name, g := range map[string]Graph{
		"nothing":                {},
		"no target":              {Pages: []Document{word, other}, Target: []bool{false, false}},
		"targets without words":  {Pages: []Document{{}, {}}, Target: []bool{true, true}},
		"a word that all have":   {Pages: []Document{word, word}, Target: []bool{true, false}},
		"a target and no parent": {Pages: []Document{word, other}, Target: []bool{true, false}},
	} {
		m := Learn(g, 2, Defaults())
		for _, d := range []Document{{}, word, other} {
			c := m.Classify(d)
			if learns := name == "a target and no parent" && len(d.Index) > 0 && d.Index[0] == 0; learns != (c.Layer == 0) || !learns && c.Layer != Other {
				t.Errorf("%s: %v is %+v", name, d, c)
			}
		}
	}
}
