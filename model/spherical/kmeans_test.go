package spherical

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"nightjar/model/text"
	"nightjar/model/tfidf"
)

const absTol = 1e-9 // sums of some hundred products of size 1

// random gives n pages of up to 6 of the terms, of length 1; some have one direction, some no terms.
func random(rng *rand.Rand, n, columns int) []tfidf.Vector {
	pages := make([]tfidf.Vector, n)
	for i := range pages {
		if i > 0 && rng.IntN(8) == 0 {
			pages[i] = pages[rng.IntN(i)]
			continue
		}
		var v tfidf.Vector
		for t := range columns {
			if rng.IntN(columns) < 3 {
				v.Index, v.Value = append(v.Index, int32(t)), append(v.Value, float64(1+rng.IntN(4)))
			}
		}
		pages[i] = v.Unit()
	}
	return pages
}

// stretch multiplies a vector.
func stretch(v tfidf.Vector, by float64) tfidf.Vector {
	longer := tfidf.Vector{Index: v.Index}
	for _, x := range v.Value {
		longer.Value = append(longer.Value, by*x)
	}
	return longer
}

// objective is that of a partition, straight from its definition.
func objective(pages []tfidf.Vector, columns int, assign []int, k int) float64 {
	sum := 0.0
	for c := range k {
		all := make([]float64, columns)
		for i, p := range pages {
			if assign[i] == c {
				p.AddTo(all, 1)
			}
		}
		sum += length(all)
	}
	return sum
}

// check holds what must be true of every clustering.
func check(t *testing.T, pages []tfidf.Vector, columns int, c Clustering) {
	t.Helper()
	sizes := make([]int, len(c.Sizes))
	for i, k := range c.Assign {
		if (k == None) != (len(pages[i].Index) == 0) {
			t.Fatalf("page %d with %d terms is in cluster %d", i, len(pages[i].Index), k)
		}
		if k != None {
			sizes[k]++
		}
	}
	if !slices.Equal(sizes, c.Sizes) {
		t.Errorf("sizes %v, want %v", c.Sizes, sizes)
	}
	for k, n := range sizes {
		if n == 0 || k > 0 && n > sizes[k-1] {
			t.Errorf("sizes %v: one is 0, or they are not descending", sizes)
		}
	}
	if want := objective(pages, columns, c.Assign, len(sizes)); math.Abs(c.Objective-want) > absTol {
		t.Errorf("objective %v, want %v", c.Objective, want)
	}
}

// optimum is the largest objective over all ways to put the pages into at most k clusters.
func optimum(pages []tfidf.Vector, columns, k int) float64 {
	assign, most := make([]int, len(pages)), 0.0
	var place func(i, used int)
	place = func(i, used int) {
		if i == len(pages) {
			most = max(most, objective(pages, columns, assign, used))
			return
		}
		for c := range min(used+1, k) {
			assign[i] = c
			place(i+1, max(used, c+1))
		}
	}
	place(0, 0)
	return most
}

// No result beats the optimum, and ten starts nearly always reach it.
func TestFewPagesAgainstAllPartitions(t *testing.T) {
	const columns, tries = 7, 60
	reached := 0
	for seed := range uint64(tries) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pages, k := random(rng, 2+int(seed%7), columns), 1+int(seed%4)
		if seed%2 == 1 { // of any length, as in the paper
			for i := range pages {
				pages[i] = stretch(pages[i], float64(1+rng.IntN(4)))
			}
		}
		c := KMeans(pages, columns, k, seed)
		check(t, pages, columns, c)
		switch want := optimum(pages, columns, k); {
		case c.Objective > want+absTol:
			t.Errorf("seed %d: objective %v of %d clusters, but the best is %v", seed, c.Objective, k, want)
		case c.Objective > want-absTol:
			reached++
		}
	}
	if reached < tries*9/10 {
		t.Errorf("the optimum was reached %d times of %d", reached, tries)
	}
}

func TestObjectiveNeverFalls(t *testing.T) {
	const columns = 30
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		pages := random(rng, 20+int(seed)*3, columns)
		var rows []tfidf.Vector
		var lengths []float64
		for _, i := range withTerms(pages) {
			rows, lengths = append(rows, pages[i]), append(lengths, float64(1+seed%2*uint64(i%3)))
		}
		s := newStart(rows, lengths, columns, 2+int(seed%9), rng)
		s.trace = []float64{0}
		s.run()
		for i, now := range s.trace[1:] {
			if now < s.trace[i]-absTol {
				t.Errorf("seed %d: objective falls from %v to %v in step %d", seed, s.trace[i], now, i)
			}
		}
		if len(s.trace) > 3*maxRounds {
			t.Errorf("seed %d: %d steps", seed, len(s.trace))
		}
	}
}

// An empty cluster takes the page that fits worst where it is.
func TestEmptyClusterTakesTheWorstPage(t *testing.T) {
	axis := func(i int32) tfidf.Vector { return tfidf.Vector{Index: []int32{i}, Value: []float64{1}} }
	both := tfidf.Vector{Index: []int32{0, 1}, Value: []float64{.8, .6}}
	s := &start{
		pages:   []tfidf.Vector{axis(0), axis(0), both, axis(2)},
		lengths: []float64{1, 1, 1, 1},
		centres: [][]float64{{1, 0, 0}, {0, 0, 1}, {0, 0, 0}},
		assign:  []int{0, 0, 0, 1}, similarity: make([]float64, 4), sizes: make([]int, 3),
	}
	s.place()
	s.refill()
	if want := []int{0, 0, 2, 1}; !slices.Equal(s.assign, want) || !slices.Equal(s.sizes, []int{2, 1, 1}) {
		t.Errorf("clusters %v of sizes %v, want %v", s.assign, s.sizes, want)
	}
}

func TestNoPageIsNearerToAnotherCentre(t *testing.T) {
	const columns = 40
	for seed := range uint64(20) {
		pages := random(rand.New(rand.NewPCG(seed, 3)), 200, columns)
		c := KMeans(pages, columns, 6, seed)
		check(t, pages, columns, c)
		centres := c.Centres(pages, columns)
		similar := Similarities(pages, centres)
		for i, own := range c.Assign {
			for k := range similar {
				if own != None && similar[k][i] > similar[own][i]+absTol {
					t.Errorf("seed %d: page %d is nearer to centre %d", seed, i, k)
				}
			}
		}
	}
}

func TestSameSeedSameClustersOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const columns = 40
	pages := random(rand.New(rand.NewPCG(1, 4)), 150, columns)
	first, firstAuto := KMeans(pages, columns, 5, 7), Auto(pages, columns, 7)
	for _, cores := range []int{1, 3} {
		runtime.GOMAXPROCS(cores)
		if !reflect.DeepEqual(first, KMeans(pages, columns, 5, 7)) || !reflect.DeepEqual(firstAuto, Auto(pages, columns, 7)) {
			t.Errorf("two runs with one seed differ, the second on %d cores", cores)
		}
	}
}

func TestOddInput(t *testing.T) {
	x := tfidf.Vector{Index: []int32{0}, Value: []float64{1}}
	y := tfidf.Vector{Index: []int32{1}, Value: []float64{1}}
	for _, tt := range []struct {
		name  string
		pages []tfidf.Vector
		want  int // clusters for k = 5
	}{
		{"nothing", nil, 0},
		{"no terms", make([]tfidf.Vector, 4), 0},
		{"one page", []tfidf.Vector{x}, 1},
		{"copies", []tfidf.Vector{x, x, x, {}}, 1},
		{"two directions", []tfidf.Vector{x, y, y, x, x}, 2},
	} {
		c := KMeans(tt.pages, 2, 5, 1)
		check(t, tt.pages, 2, c)
		auto := Auto(tt.pages, 2, 1)
		check(t, tt.pages, 2, auto)
		if len(c.Sizes) != tt.want || len(auto.Sizes) != tt.want {
			t.Errorf("%s: %d clusters, %d by Auto, want %d", tt.name, len(c.Sizes), len(auto.Sizes), tt.want)
		}
	}
}

// silhouette is Silhouette from its definition, by all pairs.
func silhouette(pages []tfidf.Vector, c Clustering) float64 {
	sum, count := 0.0, 0
	for i, p := range pages {
		if c.Assign[i] == None {
			continue
		}
		count++
		total, n := make([]float64, len(c.Sizes)), make([]float64, len(c.Sizes))
		for j, q := range pages {
			if k := c.Assign[j]; k != None && j != i {
				total[k] += 1 - tfidf.Dot(p, q)
				n[k]++
			}
		}
		own := c.Assign[i]
		if n[own] == 0 {
			continue
		}
		a, b := total[own]/n[own], math.Inf(1)
		for k := range n {
			if k != own {
				b = min(b, total[k]/n[k])
			}
		}
		if larger := max(a, b); larger > same {
			sum += (b - a) / larger
		}
	}
	return sum / float64(count)
}

func TestSilhouetteIsThatOfAllPairs(t *testing.T) {
	const columns = 12
	for seed := range uint64(30) {
		pages := random(rand.New(rand.NewPCG(seed, 5)), 5+int(seed)*2, columns)
		c := KMeans(pages, columns, 2+int(seed%5), seed)
		got, want := c.Silhouette(pages, columns), silhouette(pages, c)
		if math.Abs(got-want) > absTol || got < -1-absTol || got > 1+absTol {
			t.Errorf("seed %d: silhouette %v, want %v", seed, got, want)
		}
	}
}

// topics gives pages that draw most of their terms from one of some disjoint vocabularies.
func topics(rng *rand.Rand, count, pages int) (all []tfidf.Vector, columns int) {
	const own, shared = 30, 20
	for i := range pages {
		dense := make([]float64, count*own+shared)
		for range 25 {
			dense[(i%count)*own+rng.IntN(own)]++
		}
		for range 5 {
			dense[count*own+rng.IntN(shared)]++
		}
		var v tfidf.Vector
		for t, x := range dense {
			if x > 0 {
				v.Index, v.Value = append(v.Index, int32(t)), append(v.Value, x)
			}
		}
		all = append(all, v.Unit())
	}
	return all, count*own + shared
}

func TestAutoFindsTheNumberOfTopics(t *testing.T) {
	for count := fewest; count <= most; count++ {
		pages, columns := topics(rand.New(rand.NewPCG(uint64(count), 6)), count, 40*count)
		c := Auto(pages, columns, 3)
		check(t, pages, columns, c)
		if len(c.Sizes) != count {
			t.Errorf("%d topics: %d clusters", count, len(c.Sizes))
			continue
		}
		for i, k := range c.Assign {
			if k != c.Assign[i%count] {
				t.Errorf("%d topics: page %d is not with its topic", count, i)
			}
		}
	}
}

// The numbers of four pages by model/testdata/four_pages.py, straight from the definitions.
func TestFourPages(t *testing.T) {
	var f struct {
		Pages   []text.Counts `json:"pages"`
		Cluster []int         `json:"cluster"`
		fourPages
		Unscaled fourPages `json:"unscaled"`
	}
	data, err := os.ReadFile("../testdata/four_pages.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	v := tfidf.Fit(f.Pages, tfidf.Shares{})
	var pages, units []tfidf.Vector
	for _, p := range f.Pages {
		pages, units = append(pages, v.Vector(p)), append(units, v.Vector(p).Unit())
	}
	checkFour(t, units, v.Len(), f.Cluster, f.fourPages)
	checkFour(t, pages, v.Len(), f.Cluster, f.Unscaled)
}

// fourPages are the numbers of four pages, of vectors of length 1 or as they are.
type fourPages struct {
	Objective  float64     `json:"objective"`
	Centres    [][]float64 `json:"centres"`
	Similarity [][]float64 `json:"similarity"`
	Between    float64     `json:"between"`
}

func checkFour(t *testing.T, pages []tfidf.Vector, columns int, cluster []int, f fourPages) {
	t.Helper()
	c := KMeans(pages, columns, 2, 1)
	if !slices.Equal(c.Assign, cluster) || math.Abs(c.Objective-f.Objective) > absTol {
		t.Errorf("clusters %v with %v, want %v with %v", c.Assign, c.Objective, cluster, f.Objective)
	}
	centres := c.Centres(pages, columns)
	similar := Similarities(pages, centres)
	for k := range f.Centres {
		for i, x := range f.Centres[k] {
			if math.Abs(centres[k][i]-x) > absTol {
				t.Errorf("centre %d: %v, want %v", k, centres[k], f.Centres[k])
			}
		}
		for i, x := range f.Similarity[k] {
			if math.Abs(similar[k][i]-x) > absTol {
				t.Errorf("similarity %d: %v, want %v", k, similar[k], f.Similarity[k])
			}
		}
		best := c.Examples(k, similar[k], 10)
		if len(best) != 2 || similar[k][best[0]] < similar[k][best[1]] || cluster[best[0]] != k || cluster[best[1]] != k {
			t.Errorf("examples of cluster %d: %v", k, best)
		}
	}
	if between := Between(centres); math.Abs(between[0][1]-f.Between) > absTol || between[1][0] != between[0][1] || between[0][0] != 1 {
		t.Errorf("between the centres %v, want %v", between, f.Between)
	}
}

// Five thousand pages of thirty terms.
func BenchmarkKMeans(b *testing.B) {
	pages, columns := topics(rand.New(rand.NewPCG(1, 7)), 5, 5000)
	for b.Loop() {
		KMeans(pages, columns, 5, 1)
	}
}
