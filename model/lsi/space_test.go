package lsi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"nightjar/model/text"
)

func TestWeightsByHand(t *testing.T) {
	// Four documents; df: ice 2, puck 1, rink 4.
	docs := []text.Counts{
		{"ice": 3, "rink": 1},
		{"ice": 1, "puck": 2, "rink": 2},
		{"rink": 5},
		{"rink": 1},
	}
	s, coords := Fit(text.Collect(docs), 3)
	if want := []string{"ice", "puck", "rink"}; !reflect.DeepEqual(s.Terms, want) {
		t.Fatalf("terms %v, want %v", s.Terms, want)
	}
	if want := []float64{2, 3, 1}; !reflect.DeepEqual(s.IDF, want) { // log2(4/2)+1, log2(4/1)+1, log2(4/4)+1
		t.Fatalf("idf %v, want %v", s.IDF, want)
	}
	index, got := []int32{0, 1, 2}, []float64{1, 2, 2} // of the second document
	weigh(index, got, s.IDF)
	length := math.Sqrt(2*2 + 6*6 + 2*2)
	for i, want := range []float64{2 / length, 6 / length, 2 / length} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("weight of %s: %v, want %v", s.Terms[i], got[i], want)
		}
	}
	// With all three dimensions kept, cosines are those of the weights.
	want := 1/length*6/math.Sqrt(37)*2 + 2/length*1/math.Sqrt(37)
	if got := cosine(coords[0], coords[1]); math.Abs(got-want) > 1e-7 {
		t.Errorf("cosine %v, want %v", got, want)
	}
}

// occurrences are those of the document's terms that the space has.
func occurrences(s *Space, doc text.Counts) (all []text.Occurrence) {
	for i, term := range s.Terms {
		if times := doc[term]; times > 0 {
			all = append(all, text.NewOccurrence(int32(i), times))
		}
	}
	return all
}

func TestFoldGivesTrainingDocumentsTheirCoordinates(t *testing.T) {
	for name, docs := range awkward() {
		s, coords := Fit(text.Collect(docs), 0)
		for i, d := range docs {
			v, known := s.Fold(occurrences(s, d))
			if !reflect.DeepEqual(v, coords[i]) {
				t.Fatalf("%s: document %d folds to %v, fitted at %v", name, i, v, coords[i])
			}
			length := math.Sqrt(dot(v, v))
			if known && math.Abs(length-1) > 1e-12 || !known && length != 0 || known && len(d) == 0 {
				t.Errorf("%s: document %d of %d terms has length %v, known %v", name, i, len(d), length, known)
			}
		}
	}
}

// Coordinates U_kᵀ d of training documents are the rows of V_k Σ_k, so their inner products are the best rank-k
// approximation of AᵀA; with all dimensions they are AᵀA itself.
func TestFullRankKeepsAllCosines(t *testing.T) {
	docs := corpus(rand.New(rand.NewPCG(7, 1)), 50, 800, 30, 5)
	a := weighted(docs)
	want := a.gram(a.transpose())
	_, coords := Fit(text.Collect(docs), 50)
	for i := range docs {
		for j := range docs {
			if got := cosine(coords[i], coords[j]); math.Abs(got-want[i*50+j]) > 1e-7 {
				t.Fatalf("cosine of %d and %d: %v, want %v", i, j, got, want[i*50+j])
			}
		}
	}
}

// The sizes take both ways: all eigenvectors of the Gram matrix, and the iteration.
func TestSameInputSameBytesOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, size := range []struct {
		documents, vocabulary, words, rank int
	}{{80, 2000, 30, 0}, {few + 20, 20_000, 250, 10}, {few + 50, 2000, 30, 10}} {
		docs := corpus(rand.New(rand.NewPCG(8, 1)), size.documents, size.vocabulary, size.words, 5)
		s, coords := Fit(text.Collect(docs), size.rank)
		for _, cores := range []int{1, 3, 8} {
			runtime.GOMAXPROCS(cores)
			again, coordsAgain := Fit(text.Collect(docs), size.rank)
			if !reflect.DeepEqual(coords, coordsAgain) || !reflect.DeepEqual(s.Basis, again.Basis) ||
				!reflect.DeepEqual(s.Singular, again.Singular) {
				t.Errorf("%d documents: on %d cores the fit is another", size.documents, cores)
			}
		}
	}
}

func TestPagesAboutTheSameLieNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	docs := make([]text.Counts, 60)
	for i := range docs { // a few of the words of its topic, so that two pages of a topic share little
		docs[i] = text.Counts{}
		for range 12 {
			docs[i][fmt.Sprintf("topic%d-%d", i%3, rng.IntN(60))]++
			docs[i][fmt.Sprintf("any-%d", rng.IntN(300))]++
		}
	}
	_, coords := Fit(text.Collect(docs), 3)
	same, other := 0.0, 0.0
	for i := range docs {
		for j := range i {
			if i%3 == j%3 {
				same += cosine(coords[i], coords[j]) / (3 * 20 * 19 / 2)
			} else {
				other += cosine(coords[i], coords[j]) / (3 * 20 * 20)
			}
		}
	}
	if same < other+0.3 {
		t.Errorf("mean cosine %v within a topic, %v across", same, other)
	}
}

func TestNothingKnown(t *testing.T) {
	s, coords := Fit(text.Collect([]text.Counts{{"ice": 1, "puck": 2}, {"ice": 2}, {}}), 0)
	for _, c := range []text.Counts{nil, {}, {"unheard": 3}, {"ice": 0}} {
		if v, known := s.Fold(occurrences(s, c)); known || len(v) != len(s.Singular) || dot(v, v) != 0 {
			t.Errorf("%v: %v, known %v", c, v, known)
		}
	}
	if len(coords[2]) != len(s.Singular) || dot(coords[2], coords[2]) != 0 {
		t.Errorf("document without terms at %v", coords[2])
	}
	for _, docs := range [][]text.Counts{nil, {{}}, {{}, nil}} {
		s, coords := Fit(text.Collect(docs), 0)
		if v, known := s.Fold(occurrences(s, text.Counts{"a": 1})); len(s.Singular) != 0 || known || len(v) != 0 || len(coords) != len(docs) {
			t.Errorf("%v: rank %d, %v, coordinates %v", docs, len(s.Singular), known, coords)
		}
	}
}

// Sessions as large as real ones: about 450 different words a page, 5,000 pages with 2.2 million entries.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{50, 200, 700, 5000} {
		docs := text.Collect(corpus(rand.New(rand.NewPCG(1, 1)), n, 200000, 450, 12))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				s, _ := Fit(docs, 0)
				b.ReportMetric(float64(len(s.Terms)), "terms")
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	docs := text.Collect(corpus(rand.New(rand.NewPCG(1, 1)), 700, 200000, 450, 12))
	s, _ := Fit(docs, 50) // with all terms of the collection
	for i := 0; b.Loop(); i++ {
		s.Fold(docs.Docs[i%len(docs.Docs)])
	}
}

// cosine is the cosine of the angle between a and b, 0 when either is the zero vector.
func cosine(a, b []float64) float64 {
	scale := math.Sqrt(dot(a, a)) * math.Sqrt(dot(b, b))
	if scale == 0 {
		return 0
	}
	return max(-1, min(1, dot(a, b)/scale))
}
