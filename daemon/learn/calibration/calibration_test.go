package calibration

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exact is the distribution of the number of useful ones among open finds by another way: δ is integrated by Simpson's rule over a
// wide range, and the number for one δ is the convolution of its Bernoulli variables. It returns the probabilities of 0, 1, 2, ...
func exact(marks []Mark, open []float64) []float64 {
	const lowest, highest, steps = -9.0, 9.0, 1800
	number := make([]float64, len(open)+1)
	total := 0.0
	for i := range steps + 1 {
		by := lowest + (highest-lowest)*float64(i)/steps
		weight := math.Exp(-by*by/(2*Spread*Spread)) * float64(2+2*(i%2))
		if i == 0 || i == steps {
			weight /= 2
		}
		useful := func(p float64) float64 {
			odds := math.Log(p) - math.Log1p(-p) + by
			return (1 + math.Tanh(odds/2)) / 2
		}
		for _, m := range marks {
			if q := useful(m.P); m.Useful {
				weight *= q
			} else {
				weight *= 1 - q
			}
		}
		counts := append(make([]float64, 0, len(number)), 1)
		for _, p := range open {
			q := useful(p)
			counts = append(counts, 0)
			for k := len(counts) - 1; k >= 0; k-- {
				counts[k] *= 1 - q
				if k > 0 {
					counts[k] += counts[k-1] * q
				}
			}
		}
		total += weight
		for k, c := range counts {
			number[k] += weight * c
		}
	}
	for k := range number {
		number[k] /= total
	}
	return number
}

// TestExact: the number to expect is that of the exact distribution, and the interval holds at least as much of it as it says, but
// for the normal approximation of the number, and no more than two whole numbers too much.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	for range 60 {
		var open []float64
		var marks []Mark
		for range 5 + rng.IntN(40) {
			open = append(open, .02+.96*rng.Float64())
		}
		for range rng.IntN(25) {
			marks = append(marks, Mark{.02 + .96*rng.Float64(), rng.IntN(3) == 0})
		}
		n, numbers := Learn(marks).Count(nil, open), exact(marks, open)
		mean, held := 0.0, 0.0
		for k, p := range numbers {
			mean += float64(k) * p
			if n.Low <= k && k <= n.High {
				held += p
			}
		}
		if math.Abs(n.Expected-mean) > 1e-3*float64(len(open)) {
			t.Errorf("%d open, %d marked: %.4f to expect, exactly %.4f", len(open), len(marks), n.Expected, mean)
		}
		if most := numbers[n.Low] + numbers[n.High]; held < Covered-.02 || held-most > Covered+.02 {
			t.Errorf("%d open, %d marked: %d to %d holds %.3f", len(open), len(marks), n.Low, n.High, held)
		}
	}
}

// TestHopefulJudge: with marks, the number to expect of judges who are too hopeful or too cautious comes near the truth, and nearer
// with more marks. Of a judge who is right the error grows by at most a twentieth of the finds: a few marks may tell of a
// difference that is chance.
func TestHopefulJudge(t *testing.T) {
	const topics, finds = 300, 60
	for _, off := range []float64{-2.5, -1, 0, 1} { // of the log odds
		rng := rand.New(rand.NewPCG(4, uint64(100+10*off)))
		errs := map[int]float64{} // mean error in finds, by the number of marks
		for range topics {
			var open []float64
			truth := 0.0
			draw := func() (float64, bool) {
				p := rng.Float64()
				return p, rng.Float64() < 1/(1+(1-p)/p*math.Exp(-off))
			}
			for range finds {
				p, useful := draw()
				open = append(open, p)
				if useful {
					truth++
				}
			}
			var marks []Mark
			for m := 0; m <= 40; m++ {
				switch m {
				case 0, 5, 10, 20, 40:
					errs[m] += math.Abs(Learn(marks).Count(nil, open).Expected-truth) / topics
				}
				p, useful := draw()
				marks = append(marks, Mark{p, useful})
			}
		}
		t.Logf("off by %.1f: mean error %.2f without marks, %.2f with 5, %.2f with 10, %.2f with 20, %.2f with 40", off, errs[0], errs[5], errs[10], errs[20], errs[40])
		if off != 0 && !(errs[40] < errs[10] && errs[10] < errs[5] && errs[5] < errs[0] && errs[40] < errs[0]*.7) {
			t.Errorf("a judge that is off by %.1f: errors %v", off, errs)
		}
		for m, e := range errs {
			if e > errs[0]+finds/20 {
				t.Errorf("a judge that is off by %.1f: the error grows from %.2f to %.2f with %d marks", off, errs[0], e, m)
			}
		}
	}
}

// TestCoverage draws crawls from the model that is supposed: about 80 of 100 numbers lie in the intervals, with and without
// marks, and marks make them narrower. Of few finds whole numbers let it hold more.
func TestCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	const crawls = 400
	width := map[int]float64{}
	for _, marks := range []int{0, 5, 20} {
		inside, off := 0, 0.0
		for range crawls {
			by := rng.NormFloat64() * Spread
			var open []float64
			var marked []Mark
			useful := 0
			for i := range 60 {
				p := rng.Float64()
				is := rng.Float64() < shifted(p, by)
				if is {
					useful++
				}
				if i < marks {
					marked = append(marked, Mark{p, is})
				} else {
					open = append(open, p)
				}
			}
			n := Learn(marked).Count(marked, open)
			if n.Low <= useful && useful <= n.High {
				inside++
			}
			width[marks] += float64(n.High-n.Low) / crawls
			off += (n.Expected - float64(useful)) / crawls
		}
		if share := float64(inside) / crawls; share < .75 || share > .88 { // chance: 6 % in three standard deviations
			t.Errorf("with %d marks %.1f %% of the intervals hold", marks, 100*share)
		}
		if math.Abs(off) > 1.6 {
			t.Errorf("with %d marks the number is off by %.2f on average", marks, off)
		}
	}
	if !(width[20] < width[5] && width[5] < width[0]) {
		t.Errorf("widths %v", width)
	}
}

// TestBounds: the number is never below what is known, nor above the number of finds.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 18))
	for range 300 {
		var open []float64
		var marked, others []Mark
		for range rng.IntN(12) {
			open = append(open, rng.Float64())
		}
		for range rng.IntN(6) {
			marked = append(marked, Mark{math.Round(rng.Float64()), rng.IntN(2) == 0})
			others = append(others, Mark{rng.Float64(), rng.IntN(2) == 0})
		}
		n := Learn(append(others, marked...)).Count(marked, open)
		if !(n.Known <= n.Low && n.Low <= n.High && n.High <= n.Known+n.Open) || n.Finds != len(open)+len(marked) ||
			!(n.Expected >= float64(n.Known) && n.Expected <= float64(n.Known+n.Open)) {
			t.Fatalf("open %v, marked %v: %+v", open, marked, n)
		}
	}
	marks := []Mark{{.1, true}, {.9, false}}
	if n := Learn(marks).Count(marks, nil); n != (Number{Finds: 2, Known: 1, Expected: 1, Low: 1, High: 1}) {
		t.Errorf("all marked: %+v", n)
	}
}

// TestOthersTell: marks on finds of other nights move the estimate, and are not counted.
func TestOthersTell(t *testing.T) {
	open := []float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5}
	plain := Learn(nil).Count(nil, open)
	if math.Abs(plain.Expected-5) > 1e-9 {
		t.Errorf("%+v", plain)
	}
	var wrong []Mark
	for range 12 {
		wrong = append(wrong, Mark{.8, false})
	}
	told := Learn(wrong).Count(nil, open)
	if told.Finds != 10 || told.Known != 0 || told.Expected > 2.5 || told.High >= plain.High || told.High-told.Low >= plain.High-plain.Low {
		t.Errorf("without marks %+v, with %+v", plain, told)
	}
}
