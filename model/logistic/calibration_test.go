package logistic

import (
	"math"
	"math/rand/v2"
	"testing"
)

// labelled draws scores between -1 and 1 whose probability of being positive is truth(score).
func labelled(n int, truth func(float64) float64, rng *rand.Rand) (scores []float64, positive []bool) {
	for range n {
		x := 2*rng.Float64() - 1
		scores, positive = append(scores, x), append(positive, rng.Float64() < truth(x))
	}
	return scores, positive
}

// shapes are how the probability may depend on a score; about one in five is positive.
var shapes = map[string]func(float64) float64{
	"sigmoid": func(x float64) float64 { return sigmoid(5*x - 3) },
	"steps": func(x float64) float64 {
		switch {
		case x < 0:
			return 0.02
		case x < 0.8:
			return 0.3
		}
		return 0.75
	},
}

func TestCalibrationIsMonotone(t *testing.T) {
	for seed := range uint64(30) {
		rng := seeded(seed)
		scores, positive := labelled(5+int(seed)*7, shapes["sigmoid"], rng)
		c, s := isotonic(scores, positive, nil), Platt(scores, positive, nil)
		before, up := -1.0, s.P(-2) < s.P(2)
		for x := -2.0; x <= 2; x += 0.01 {
			p := c.P(x)
			if p < before || p < 0 || p > 1 {
				t.Fatalf("seed %d: isotonic P(%v) = %v after %v", seed, x, p, before)
			}
			before = p
			if (s.P(x+0.01) < s.P(x)) == up && s.A != 0 {
				t.Fatalf("seed %d: the sigmoid turns at %v", seed, x)
			}
		}
	}
}

// A sample of weight 2 is a sample that stands twice, up to the smoothing, which counts weights as well.
func TestCalibrationWeightsAreCounts(t *testing.T) {
	const absTol = 1e-9
	scores, positive := labelled(50, shapes["steps"], seeded(1))
	weight := make([]float64, len(scores))
	var twice []float64
	var labels []bool
	for i := range scores {
		weight[i] = float64(i % 3)
		for range i % 3 {
			twice, labels = append(twice, scores[i]), append(labels, positive[i])
		}
	}
	a, b := Platt(scores, positive, weight), Platt(twice, labels, nil)
	c, d := isotonic(scores, positive, weight), isotonic(twice, labels, nil)
	for x := -1.0; x <= 1; x += 0.05 {
		if math.Abs(a.P(x)-b.P(x)) > absTol || math.Abs(c.P(x)-d.P(x)) > absTol {
			t.Errorf("at %v: sigmoid %v and %v, isotonic %v and %v", x, a.P(x), b.P(x), c.P(x), d.P(x))
		}
	}
}

// At the minimum the probabilities sum to the targets, and so do their products with the scores.
func TestPlattOptimality(t *testing.T) {
	const relTol = 1e-9
	for seed := range uint64(20) {
		scores, positive := labelled(100, shapes["sigmoid"], seeded(seed))
		for _, scale := range []float64{1e-6, 1, 1e9} {
			scaled := make([]float64, len(scores))
			for i, x := range scores {
				scaled[i] = scale * (x + 3)
			}
			s := Platt(scaled, positive, nil)
			f := newPlattLoss(scaled, positive, nil, 0, 1)
			sum, moment, size := 0.0, 0.0, 0.0
			for i, x := range scaled {
				d := f.target[i] - s.P(x)
				sum += d
				moment += d * x
				size += math.Abs(d * x)
			}
			if math.Abs(sum) > relTol*float64(len(scores)) || math.Abs(moment) > relTol*size {
				t.Errorf("seed %d, scale %v: gradient %v, %v of %v", seed, scale, sum, moment, size)
			}
		}
	}
}

// bruteIsotonic is the minimax formula: the value at i is max over a <= i of min over b >= i of the mean of a..b (Barlow
// et al., 1972, §1.2), for scores that all differ and ascend.
func bruteIsotonic(positive []bool, weight []float64) []float64 {
	n := len(positive)
	values := make([]float64, n)
	for i := range n {
		values[i] = math.Inf(-1)
		for a := 0; a <= i; a++ {
			low := math.Inf(1)
			sum, all := 0.0, 0.0
			for b := a; b < n; b++ {
				all += weight[b]
				if positive[b] {
					sum += weight[b]
				}
				if b >= i {
					low = min(low, sum/all)
				}
			}
			values[i] = max(values[i], low)
		}
	}
	return values
}

func TestIsotonicAgainstMinimax(t *testing.T) {
	const absTol = 1e-12
	rng := seeded(3)
	for range 200 {
		n := 1 + rng.IntN(12)
		scores, weight, positive := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range n {
			scores[i], weight[i], positive[i] = float64(i), 0.1+rng.Float64(), rng.IntN(n+1) < i
		}
		c := isotonic(scores, positive, weight)
		for i, want := range bruteIsotonic(positive, weight) {
			if got := c.P(scores[i]); math.Abs(got-want) > absTol {
				t.Errorf("%v: P(%d) = %v, want %v", positive, i, got, want)
			}
		}
	}
}

func TestCalibrationDegenerate(t *testing.T) {
	yes, no := []bool{true, true, true}, []bool{false, false, false}
	same := []float64{4, 4, 4}
	for name, c := range map[string]struct {
		scores   []float64
		positive []bool
		platt    float64 // at 4
		isotonic float64
	}{
		"no samples":        {nil, nil, 0.5, 0.5},
		"positives only":    {same, yes, 4.0 / 5, 1},
		"negatives only":    {same, no, 1.0 / 5, 0},
		"one score for all": {same, []bool{true, false, false}, (2.0/3 + 2*1.0/4) / 3, 1.0 / 3},
		"huge":              {[]float64{-1e300, 4, 1e300}, []bool{false, false, true}, -1, 0},
	} {
		if got := Platt(c.scores, c.positive, nil).P(4); math.IsNaN(got) || c.platt >= 0 && math.Abs(got-c.platt) > 1e-9 {
			t.Errorf("%s: sigmoid says %v, want %v", name, got, c.platt)
		}
		if got := isotonic(c.scores, c.positive, nil).P(4); math.Abs(got-c.isotonic) > 1e-9 {
			t.Errorf("%s: isotonic says %v, want %v", name, got, c.isotonic)
		}
	}
}

// A perfect split must not give certainty: the smoothed targets of 3 positives and 3 others are 4/5 and 1/5.
func TestPlattNeverCertain(t *testing.T) {
	s := Platt([]float64{-3, -2, -1, 1, 2, 3}, []bool{false, false, false, true, true, true}, nil)
	if s.P(3) > 0.9 || s.P(-3) < 0.1 || s.P(3) < 0.7 {
		t.Errorf("P(3) = %v, P(-3) = %v", s.P(3), s.P(-3))
	}
}

// excess is the mean squared distance of what the calibrations say to the true probability, over draws of about n samples
// a fifth of which are positive.
func excess(n int, truth func(float64) float64) (platt, pooled float64) {
	const draws, grid = 100, 200
	rng := seeded(uint64(n))
	for range draws {
		scores, positive := labelled(n, truth, rng)
		s, c := Platt(scores, positive, nil), isotonic(scores, positive, nil)
		for g := range grid {
			x := (float64(g)+0.5)/grid*2 - 1
			platt += (s.P(x) - truth(x)) * (s.P(x) - truth(x)) / draws / grid
			pooled += (c.P(x) - truth(x)) * (c.P(x) - truth(x)) / draws / grid
		}
	}
	return platt, pooled
}

func TestWhichCalibration(t *testing.T) {
	for name, truth := range shapes {
		for _, positives := range []int{5, 20, 100, 500} {
			platt, pooled := excess(5*positives, truth)
			t.Logf("%s, about %d positives: sigmoid %.1f, isotonic %.1f thousandths", name, positives, 1000*platt, 1000*pooled)
			if (positives == 5 || name == "sigmoid") && platt > pooled {
				t.Errorf("%s, %d positives: isotonic is better", name, positives)
			}
			if positives >= 100 && name == "steps" && pooled > platt {
				t.Errorf("%s, %d positives: the sigmoid is better", name, positives)
			}
		}
	}
}
