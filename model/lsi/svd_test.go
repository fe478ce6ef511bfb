package lsi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"nightjar/model/text"
)

var ways = map[string]eigen{"gram": gram, "krylov": krylov}

// corpus makes n documents of about length different words each from a vocabulary of m with Zipf frequencies, in topics
// groups that prefer words of their own.
func corpus(rng *rand.Rand, n, m, length, topics int) []text.Counts {
	zipf := rand.NewZipf(rng, 1.1, 3, uint64(m-1))
	docs := make([]text.Counts, n)
	for i := range docs {
		docs[i] = text.Counts{}
		for len(docs[i]) < length {
			w := int(zipf.Uint64())
			if rng.IntN(3) == 0 {
				w = w*topics + i%topics
			}
			docs[i][fmt.Sprintf("w%05d", w)]++
		}
	}
	return docs
}

// awkward gives document sets whose matrices have multiple and zero singular values.
func awkward() map[string][]text.Counts {
	rng := rand.New(rand.NewPCG(3, 1))
	plain := corpus(rng, 60, 500, 20, 4)
	var disjoint, pairs, wide []text.Counts
	for i := range 40 {
		d := text.Counts{fmt.Sprint("a", i): 1, fmt.Sprint("b", i): 2}
		disjoint = append(disjoint, d)
		pairs = append(pairs, d, d)
	}
	for range 300 { // more documents than terms
		wide = append(wide, text.Counts{fmt.Sprint(rng.IntN(30)): 1, fmt.Sprint(rng.IntN(30)): 1})
	}
	return map[string][]text.Counts{
		"plain":                  plain,
		"all documents twice":    append(slices.Clone(plain), plain...),
		"nothing in common":      disjoint,
		"pairs and nothing else": pairs,
		"pairs among others":     append(slices.Clone(plain), pairs...),
		"one document":           plain[:1],
		"one document many times": {plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0],
			plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0], plain[0]},
		"some without terms": append([]text.Counts{{}, nil}, plain...),
		"few terms":          wide,
	}
}

// weighted is the matrix that Fit makes of the documents.
func weighted(docs []text.Counts) *sparse {
	c := text.Collect(docs)
	_, df, number := vocabulary(c)
	return matrix(c, number, idf(df, len(docs)))
}

// mulTrans sets dst = aᵀ x, where x is rows×width and dst cols×width, both row-major.
func (a *sparse) mulTrans(dst, x []float64, width int) {
	for j := range a.cols {
		index, value := a.column(j)
		for p, i := range index {
			floats.AddScaled(dst[j*width:(j+1)*width], value[p], x[int(i)*width:][:width])
		}
	}
}

// exact is the singular values by gonum's dense SVD, the independent oracle.
func exact(t *testing.T, a *sparse) []float64 {
	t.Helper()
	m := mat.NewDense(a.rows, a.cols, nil)
	for j := range a.cols {
		for p := a.start[j]; p < a.start[j+1]; p++ {
			m.Set(int(a.index[p]), j, a.value[p])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		t.Fatal("dense SVD did not converge")
	}
	return svd.Values(nil)
}

// within is the number of singular values that the rule keeps, told from all of them.
func within(singular []float64, rank int) int {
	total, sum := 0.0, 0.0
	for _, s := range singular {
		total += s * s
	}
	for k, s := range singular {
		if s < 1e-6*singular[0] || rank > 0 && k == rank || rank == 0 && (k == 50 || sum >= 0.9*total-1e-12) {
			return k
		}
		sum += s * s
	}
	return len(singular)
}

func TestBothWaysGiveTheSingularValues(t *testing.T) {
	const relTol = 1e-6 // of σ₁, as promised
	for name, docs := range awkward() {
		a := weighted(docs)
		want := exact(t, a)
		for _, rank := range []int{0, 1, 7, 33, 1000} {
			k := within(want, rank)
			for way, f := range ways {
				basis, got := truncateBy[float64](f, a, rank)
				if len(got) != k || len(basis) != k*a.rows {
					t.Errorf("%s, rank %d by %s: %d dimensions, want %d", name, rank, way, len(got), k)
					continue
				}
				for i := range got {
					if math.Abs(got[i]-want[i]) > relTol*want[0] {
						t.Errorf("%s, rank %d by %s: σ_%d = %v, want %v", name, rank, way, i+1, got[i], want[i])
					}
				}
			}
		}
	}
}

func TestBasisIsOrthonormalAndTheResidualSmall(t *testing.T) {
	a := weighted(corpus(rand.New(rand.NewPCG(5, 1)), 300, 3000, 60, 9))
	for way, f := range ways {
		u, singular := truncateBy[float64](f, a, 0)
		k := len(singular)
		v := make([]float64, a.cols*k) // Aᵀu
		a.mulTrans(v, u, k)
		back := make([]float64, a.rows*k) // AAᵀu
		a.transpose().mulTrans(back, v, k)
		for j := range k {
			for c := range j + 1 {
				want := 0.0
				if c == j {
					want = 1
				}
				sum := 0.0
				for i := j; i < len(u); i += k {
					sum += u[i] * u[i-j+c]
				}
				if math.Abs(sum-want) > 1e-10 { // rounding is about 1e-16·σ₁²/σ_k², here 1e-13
					t.Fatalf("%s: u_%d·u_%d = %v", way, c, j, sum)
				}
			}
			sum := 0.0
			for i := j; i < len(u); i += k {
				d := back[i]/singular[j] - singular[j]*u[i]
				sum += d * d
			}
			// With v = Aᵀu/σ this is ‖Av - σu‖, at most σ₁/σ times the residual that the iteration bounds.
			if r := math.Sqrt(sum); r > 1e-8*singular[0]*singular[0]/singular[j] {
				t.Errorf("%s: residual of pair %d is %v", way, j, r)
			}
		}
	}
}

// testSameSpace holds the promise that both ways agree: singular values to 1e-6·σ₁, cosines between documents to 1e-6.
// Cosines do not depend on the choice of singular vectors, as long as the cut is not within a group of equal singular
// values.
func testSameSpace(t *testing.T, a *sparse) {
	t.Helper()
	const tol = 1e-6
	spaces := map[string][][]float64{}
	values := map[string][]float64{}
	for way, f := range ways {
		s := new(Space)
		s.Basis, s.Singular = truncateBy[float32](f, a, 0)
		for j := range a.cols {
			v, _ := s.project(a.column(j))
			spaces[way] = append(spaces[way], v)
		}
		values[way] = s.Singular
	}
	if g, k := values["gram"], values["krylov"]; len(g) != len(k) {
		t.Fatalf("%d dimensions by gram, %d by krylov", len(g), len(k))
	}
	for i, g := range values["gram"] {
		if k := values["krylov"][i]; math.Abs(g-k) > tol*values["gram"][0] {
			t.Errorf("σ_%d: %v by gram, %v by krylov", i+1, g, k)
		}
	}
	for i := range a.cols {
		for j := range i {
			g, k := cosine(spaces["gram"][i], spaces["gram"][j]), cosine(spaces["krylov"][i], spaces["krylov"][j])
			if math.Abs(g-k) > tol {
				t.Fatalf("cosine of %d and %d: %v by gram, %v by krylov", i, j, g, k)
			}
		}
	}
}

func TestBothWaysGiveTheSameCosines(t *testing.T) {
	testSameSpace(t, weighted(corpus(rand.New(rand.NewPCG(6, 1)), 300, 4000, 50, 6)))
}

func BenchmarkWays(b *testing.B) {
	for _, n := range []int{100, 200, 300, 400, 500, 700, 1500} {
		a := weighted(corpus(rand.New(rand.NewPCG(1, 1)), n, 20000, 200, 12))
		for name, way := range ways {
			if name == "gram" && n > 700 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					truncateBy[float32](way, a, 0)
				}
			})
		}
	}
}
