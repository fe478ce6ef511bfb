package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/text"
)

// TestObserve compares with a plain nearest-neighbour vote over all training pages.
func TestObserve(t *testing.T) {
	b := mustTrain(t, session(60, 4), DefaultSettings())
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		var words []string
		for range 1 + rng.IntN(8) {
			topic := topics[rng.IntN(len(topics))]
			words = append(words, topic[rng.IntN(len(topic))])
		}
		page := strings.Join(words, " ")
		o := b.Observe(page)
		if !o.Known {
			t.Fatalf("%q is not known", page)
		}
		cluster, similarity := plainObserve(b, page)
		if o.Cluster != cluster || math.Abs(o.Similarity-similarity) > 1e-12 {
			t.Errorf("Observe(%q) = %d, %v, want %d, %v", page, o.Cluster, o.Similarity, cluster, similarity)
		}
	}
	if o := b.Observe("entirely foreign zebra 12 the"); o.Known || o.Cluster != hmm.NoCluster || o.Similarity != 0 || o.Vector != nil {
		t.Errorf("a page without a known term = %+v", o)
	}
	for i, p := range session(60, 4).Pages { // a training page is where training put it
		if o := b.Observe(p.Text); lsi.UnitCosine(o.Vector, b.Vectors[i]) < 1-1e-9 || p.Target && o.Similarity < 1-1e-9 {
			t.Errorf("page %d folds to another place", i)
		}
	}
}

func plainObserve(b *Bundle, page string) (cluster int, similarity float64) {
	space := lsi.Space{Terms: b.Terms, IDF: b.IDF, Basis: b.Basis, Singular: b.Singular}
	counts, _ := text.Count(page)
	var terms []text.Occurrence
	for i, term := range b.Terms {
		if times := counts[term]; times > 0 {
			terms = append(terms, text.NewOccurrence(int32(i), times))
		}
	}
	v, _ := space.Fold(terms)
	order := make([]int, len(b.Pages))
	cosine := make([]float64, len(b.Pages))
	similarity = -1
	for i := range order {
		order[i] = i
		cosine[i] = lsi.UnitCosine(v, b.Vectors[i])
		if b.Pages[i].Target {
			similarity = max(similarity, cosine[i])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case cosine[i] > cosine[j]:
			return -1
		case cosine[i] < cosine[j]:
			return 1
		}
		return 0
	})
	votes := map[int]float64{}
	most := 0.0
	for _, i := range order[:5] {
		votes[b.Pages[i].Cluster] += max(0, cosine[i])
		most = max(most, votes[b.Pages[i].Cluster])
	}
	for _, i := range order[:5] {
		if votes[b.Pages[i].Cluster] == most {
			return b.Pages[i].Cluster, similarity
		}
	}
	panic("unreachable")
}

// TestClassifyTies holds the rules that random pages seldom meet.
func TestClassifyTies(t *testing.T) {
	at := func(degrees float64) []float64 {
		r := degrees * math.Pi / 180
		return []float64{math.Cos(r), math.Sin(r)}
	}
	build := func(k int, places []float64, clusters []int) *Bundle {
		b := &Bundle{Settings: Settings{Neighbours: k}, Clusters: make([]Cluster, 3)}
		for i, d := range places {
			b.Vectors = append(b.Vectors, at(d))
			b.Pages = append(b.Pages, PageFact{Cluster: clusters[i], Target: clusters[i] == 0})
		}
		return b
	}
	tests := []struct {
		name     string
		k        int
		places   []float64 // of training pages, in degrees from the page asked about
		clusters []int
		want     int
	}{
		{"targets take part", 5, []float64{5, 10, 80}, []int{0, 0, 1}, 0},
		{"votes weigh the cosine", 3, []float64{0, 80, 80}, []int{2, 1, 1}, 2},
		{"many outvote the nearest", 3, []float64{0, 30, 30}, []int{2, 1, 1}, 1},
		{"only k take part", 1, []float64{0, 10, 10}, []int{2, 1, 1}, 2},
		{"equal weight, equal distance: the first", 2, []float64{20, -20}, []int{1, 2}, 1},
		{"no neighbour on this side: the nearest", 3, []float64{100, 120, 120}, []int{2, 1, 1}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := build(tt.k, tt.places, tt.clusters).classify(at(0)); got != tt.want {
				t.Errorf("cluster %d, want %d", got, tt.want)
			}
		})
	}
}
