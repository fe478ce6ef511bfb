package naivebayes

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"nightjar/model/text"
	"nightjar/model/tfidf"
)

const absTol = 1e-9 // of sums of some hundred logs

// The numbers of four pages by model/testdata/four_pages.py, straight from the definitions.
func TestFourPages(t *testing.T) {
	var f struct {
		Pages       []text.Counts `json:"pages"`
		Positive    []bool        `json:"positive"`
		Later       text.Counts   `json:"later"`
		LogPositive []float64     `json:"log_word_positive"`
		LogNegative []float64     `json:"log_word_negative"`
		LogOdds     float64       `json:"later_log_odds"`
		Probability float64       `json:"later_probability"`
	}
	data, err := os.ReadFile("../testdata/four_pages.json")
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	var pages [classes][]text.Counts
	for i, yes := range f.Positive {
		k := other
		if yes {
			k = positive
		}
		pages[k] = append(pages[k], f.Pages[i])
	}
	c, err := Train(pages[positive], pages[other], Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := c.model.(*Multinomial)
	for i := range f.LogPositive {
		if math.Abs(m.LogTerm[positive][i]-f.LogPositive[i]) > absTol || math.Abs(m.LogTerm[other][i]-f.LogNegative[i]) > absTol {
			t.Errorf("term %s: %v and %v, want %v and %v", c.vocabulary.Term(i),
				m.LogTerm[positive][i], m.LogTerm[other][i], f.LogPositive[i], f.LogNegative[i])
		}
	}
	r := c.Read(f.Later)
	if math.Abs(r.LogOdds-f.LogOdds) > absTol || math.Abs(r.Probability()-f.Probability) > absTol || r.Terms != 3 {
		t.Errorf("read %+v with probability %v, want log odds %v and probability %v", r, r.Probability(), f.LogOdds, f.Probability)
	}
	if got := r.PerTerm(); math.Abs(got-f.LogOdds/3) > absTol {
		t.Errorf("per term %v", got)
	}
}

// made gives pages of two kinds: each draws its words mostly from its own half of the vocabulary.
func made(rng *rand.Rand, count int, kind, words int, purity float64) []text.Counts {
	pages := make([]text.Counts, count)
	for i := range pages {
		pages[i] = text.Counts{}
		for range 20 + rng.IntN(60) {
			w := rng.IntN(words / 2)
			if (rng.Float64() < purity) == (kind == positive) {
				w += words / 2
			}
			pages[i][fmt.Sprintf("w%03d", w)]++
		}
	}
	return pages
}

func mustTrain(tb testing.TB, positives, negatives []text.Counts, o Options) *Classifier {
	tb.Helper()
	c, err := Train(positives, negatives, o)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// slowGaussian is the joint of a Gaussian model straight from its definition, over all terms one by one.
func slowGaussian(rows [][]float64, class []int, v []float64) (joint [classes]float64) {
	for c := range joint {
		n := 0.0
		for _, k := range class {
			if k == c {
				n++
			}
		}
		joint[c] = math.Log((n + 1) / (float64(len(rows)) + classes))
		for t, x := range v {
			var values []float64
			for _, r := range rows {
				values = append(values, r[t])
			}
			slices.Sort(values)
			values = slices.Compact(values)
			step := .01
			if len(values) > 1 {
				step = (values[len(values)-1] - values[0]) / float64(len(values)-1)
			}
			round := func(x float64) float64 { return math.RoundToEven(x/step) * step }
			mean, squares := 0.0, 0.0
			for i, r := range rows {
				if class[i] == c {
					mean += round(r[t]) / n
				}
			}
			for i, r := range rows {
				if class[i] == c {
					squares += (round(r[t]) - mean) * (round(r[t]) - mean) / n
				}
			}
			sd := max(step/6, math.Sqrt(squares))
			phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
			far := -math.Abs(round(x) - mean) // on the side of zero where phi is exact
			p := phi((far+step/2)/sd) - phi((far-step/2)/sd)
			joint[c] += math.Log(max(p, 1e-75))
		}
	}
	return joint
}

func TestGaussianIsThatOfTheDefinition(t *testing.T) {
	const columns = 6
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var dense [][]float64
		var rows []tfidf.Vector
		var class []int
		for i := range 12 {
			d := make([]float64, columns)
			var v tfidf.Vector
			for t := range d {
				if rng.IntN(3) > 0 {
					d[t] = float64(rng.IntN(12)+1) / 4
					v.Index, v.Value = append(v.Index, int32(t)), append(v.Value, d[t])
				}
			}
			dense, rows, class = append(dense, d), append(rows, v), append(class, i%classes)
		}
		g := FitGaussian(rows, class, classes, columns)
		for i, v := range rows {
			got, want := g.Joint(v), slowGaussian(dense, class, dense[i])
			for c := range want {
				if tol := 1e-6 * (1 + math.Abs(want[c])); math.Abs(got[c]-want[c]) > tol { // the differences of phi cancel
					t.Errorf("seed %d, row %d, class %d: %v, want %v", seed, i, c, got[c], want[c])
				}
			}
		}
	}
}

func TestProbabilityOfAnInterval(t *testing.T) {
	for _, tt := range []struct{ from, to, want float64 }{
		{-1.959963984540054, 1.959963984540054, .95},
		{0, 1.2815515655446004, .4},
		{10, 11, 7.619853024160527e-24 - 1.9106595744986566e-28}, // tables of the normal distribution
		{-11, -10, 7.619853024160527e-24 - 1.9106595744986566e-28},
		{math.Inf(-1), math.Inf(1), 1},
	} {
		if got := between(tt.from, tt.to); math.Abs(got-tt.want) > 1e-12*tt.want {
			t.Errorf("[%v, %v]: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
}

// A Gaussian model is certain of nearly every page, a multinomial one tells more of them apart: the reason for the
// choice.
func TestGaussianIsCertain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	positives, negatives := made(rng, 20, positive, 400, .7), made(rng, 40, other, 400, .7)
	certain := func(o Options) (n int) {
		c := mustTrain(t, positives, negatives, o)
		for _, p := range append(made(rand.New(rand.NewPCG(2, 2)), 100, positive, 400, .7), made(rand.New(rand.NewPCG(3, 2)), 100, other, 400, .7)...) {
			if x := c.Read(p).Probability(); x < 1e-9 || x > 1-1e-9 {
				n++
			}
		}
		return n
	}
	if gaussian, multinomial := certain(Options{Gaussian: true}), certain(Options{}); gaussian <= multinomial {
		t.Errorf("certain of %d pages, the multinomial model of %d of 200", gaussian, multinomial)
	}
}

func TestCalibratedOnFolds(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const purity = .57 // pages that are hard to tell
		c := mustTrain(t, made(rng, 60, positive, 300, purity), made(rng, 120, other, 300, purity), Options{Seed: seed})
		raw, calibrated, pages := 0.0, 0.0, 0
		for kind := range classes {
			for _, p := range made(rng, 800-400*kind, kind, 300, purity) { // 400 positives
				r := c.Read(p)
				if !(r.P >= 0 && r.P <= 1) || math.IsInf(r.LogOdds, 0) || math.IsNaN(r.LogOdds) {
					t.Fatalf("seed %d: %+v", seed, r)
				}
				calibrated += (r.P - float64(kind)) * (r.P - float64(kind))
				raw += (r.Probability() - float64(kind)) * (r.Probability() - float64(kind))
				pages++
			}
		}
		// A constant 1/3 has the error 2/9.
		if n := float64(pages); calibrated >= raw || calibrated/n > 2./9 {
			t.Errorf("seed %d: mean squared error %.3f calibrated, %.3f as the model has it", seed, calibrated/n, raw/n)
		}
	}
}

// Copies of a page in two folds teach the classifier what it is asked: grouped, they do not.
func TestGroupsAreHeldBackTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var pages [classes][]text.Counts
	var groups [classes][]string
	for kind := range classes {
		for s, p := range made(rng, 10, kind, 3000, .5) { // nothing to learn but the pages themselves
			for range 6 {
				pages[kind] = append(pages[kind], p)
				groups[kind] = append(groups[kind], fmt.Sprintf("site %d of %d", s, kind))
			}
		}
	}
	alone := mustTrain(t, pages[positive], pages[other], Options{})
	together := mustTrain(t, pages[positive], pages[other], Options{Groups: append(groups[positive], groups[other]...)})
	wrong := func(c *Classifier) (sum float64) {
		rng := rand.New(rand.NewPCG(4, 5))
		for kind := range classes {
			for _, p := range made(rng, 200, kind, 3000, .5) {
				x := c.Read(p).P - float64(kind)
				sum += x * x / 400
			}
		}
		return sum
	}
	// Who knows nothing and says so is wrong by 1/4.
	if a, b := wrong(alone), wrong(together); b >= a || b > .35 {
		t.Errorf("mean squared error on other sites: %.3f in groups, %.3f alone", b, a)
	}
	tr := training{pages: append(pages[positive], pages[other]...), class: make([]int, 120), o: Options{Groups: append(groups[positive], groups[other]...)}}
	for i := range 60 {
		tr.class[i] = positive
	}
	of, count := tr.folds()
	positives := make([]int, count)
	for i, f := range of {
		if tr.o.Groups[i] == tr.o.Groups[max(0, i-1)] && of[max(0, i-1)] != f {
			t.Errorf("page %d is not in the fold of its group", i)
		}
		positives[f] += tr.class[i]
	}
	if slices.Max(positives)-slices.Min(positives) > 0 {
		t.Errorf("positives of the folds: %v, want as many in each", positives)
	}
}

// Positive pages of one site cannot be held back together: nothing would be left to learn from.
func TestGroupOfAllPositives(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	positives, negatives := made(rng, 20, positive, 400, .8), made(rng, 40, other, 400, .8)
	alone := mustTrain(t, positives, negatives, Options{})
	groups := slices.Repeat([]string{"site"}, 60)
	for i := 40; i < 60; i++ {
		groups[i] = fmt.Sprintf("other %d", i)
	}
	together := mustTrain(t, positives, negatives, Options{Groups: groups})
	for kind := range classes {
		for _, p := range made(rng, 50, kind, 400, .8) {
			if a, b := alone.Read(p).P, together.Read(p).P; math.Abs(a-b) > .1 {
				t.Fatalf("of kind %d: %.2f in a group, %.2f alone", kind, b, a)
			}
		}
	}
}

func TestStoredReadsTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	positives, negatives := made(rng, 10, positive, 100, .7), made(rng, 20, other, 100, .7)
	for _, o := range []Options{{}, {Gaussian: true}} {
		c := mustTrain(t, positives, negatives, o)
		data, err := json.Marshal(c.Store())
		if err != nil {
			t.Fatal(err)
		}
		var s Stored
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		again, err := s.Classifier()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(positives, negatives...) {
			if a, b := c.Read(p), again.Read(p); a != b {
				t.Errorf("%+v: read %+v, stored %+v", o, a, b)
			}
		}
		s.Terms = s.Terms[1:]
		if _, err := s.Classifier(); err == nil {
			t.Errorf("%+v: no error without a term", o)
		}
		s.DF = s.DF[1:]
		if _, err := s.Classifier(); err == nil {
			t.Errorf("%+v: no error with a model of another size", o)
		}
		s.Multinomial, s.Gaussian = nil, nil
		if _, err := s.Classifier(); err == nil {
			t.Errorf("%+v: no error without a model", o)
		}
	}
}

func TestOddTraining(t *testing.T) {
	page := text.Counts{"a": 1}
	if _, err := Train(nil, []text.Counts{page}, Options{}); !errors.Is(err, ErrOneClass) {
		t.Errorf("no positives: %v", err)
	}
	if _, err := Train([]text.Counts{page}, nil, Options{}); !errors.Is(err, ErrOneClass) {
		t.Errorf("no negatives: %v", err)
	}
	for name, pages := range map[string][2][]text.Counts{
		"one each":      {{page}, {{"b": 1}}},
		"equal pages":   {{page, page}, {page, page}},
		"without words": {{{}, {}}, {{}}},
	} {
		for _, o := range []Options{{}, {Gaussian: true}} {
			c := mustTrain(t, pages[0], pages[1], o)
			for _, p := range []text.Counts{nil, page, {"b": 1 << 30}, {"unseen": 1}} {
				if r := c.Read(p); math.IsNaN(r.P) || math.IsNaN(r.LogOdds) || math.IsInf(r.LogOdds, 0) || math.IsNaN(r.PerTerm()) {
					t.Errorf("%s, %+v: %+v", name, o, r)
				}
			}
		}
	}
}

func TestSameSeedSameClassifier(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	positives, negatives := made(rng, 30, positive, 200, .6), made(rng, 60, other, 200, .6)
	a, b := mustTrain(t, positives, negatives, Options{Seed: 9}), mustTrain(t, positives, negatives, Options{Seed: 9})
	if !reflect.DeepEqual(a.Store(), b.Store()) {
		t.Error("two trainings with one seed differ")
	}
}
