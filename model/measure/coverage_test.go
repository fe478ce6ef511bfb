package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// world is where figures come from whose true value is known.
type world struct {
	name  string
	truth float64
	draw  func(n int, rng *rand.Rand) Figure // of n values, positives or units
}

// normalBelow is the probability that a normal value with standard deviation 1 is below x.
func normalBelow(x float64) float64 { return .5 * math.Erfc(-x/math.Sqrt2) }

// meanWorlds have values of all kinds of shapes.
func meanWorlds() []world {
	of := func(name string, truth float64, one func(*rand.Rand) float64) world {
		return world{"mean, " + name, truth, func(n int, rng *rand.Rand) Figure {
			v := make([]float64, n)
			for i := range v {
				v[i] = one(rng)
			}
			return Mean(v, rng)
		}}
	}
	return []world{
		of("normal", 0, (*rand.Rand).NormFloat64),
		of("uniform", .5, (*rand.Rand).Float64),
		of("the larger of two uniform", 2./3, func(r *rand.Rand) float64 { return max(r.Float64(), r.Float64()) }),
		of("exponential", 1, (*rand.Rand).ExpFloat64),
		of("reciprocal ranks of 5", ChanceReciprocalRank(5, 1), func(r *rand.Rand) float64 { return 1 / float64(1+r.IntN(5)) }),
		{"difference, correlated", .5, func(n int, rng *rand.Rand) Figure {
			a, b := make([]float64, n), make([]float64, n)
			for i := range a {
				b[i] = rng.NormFloat64()
				a[i] = b[i] + .5 + .3*rng.NormFloat64()
			}
			return Difference(a, b, rng)
		}},
	}
}

// scoredWorlds have 60 negatives with normal scores; scores of positives are further up by a distance.
func scoredWorlds() []world {
	const negatives = 60
	draw := func(n int, distance, spread float64, rng *rand.Rand) (scores []float64, positive []bool) {
		for i := range n + negatives {
			s := rng.NormFloat64()
			if i < n {
				s = distance + spread*s
			}
			scores, positive = append(scores, s), append(positive, i < n)
		}
		return scores, positive
	}
	of := func(name string, distance, spread float64) world {
		return world{name, normalBelow(distance / math.Hypot(1, spread)), func(n int, rng *rand.Rand) Figure {
			scores, positive := draw(n, distance, spread, rng)
			return AUC(scores, positive, rng)
		}}
	}
	// The area of scores that are exponential, with k times the mean for positives, is k/(1+k).
	skewed := world{"AUC .80, skewed", .8, func(n int, rng *rand.Rand) Figure {
		scores, positive := make([]float64, n+negatives), make([]bool, n+negatives)
		for i := range scores {
			scores[i] = rng.ExpFloat64()
			if positive[i] = i < n; positive[i] {
				scores[i] *= 4
			}
		}
		return AUC(scores, positive, rng)
	}}
	// 70 % of negatives and 30 % of positives have the score 0, others one between 0 and 1: the area is .21/2 + .7·(.7 + .3/2).
	tied := world{"AUC .70, many scores 0", .7, func(n int, rng *rand.Rand) Figure {
		scores, positive := make([]float64, n+negatives), make([]bool, n+negatives)
		for i := range scores {
			positive[i] = i < n
			if zero := rng.Float64() < .7; zero != positive[i] {
				continue
			}
			scores[i] = rng.Float64()
		}
		return AUC(scores, positive, rng)
	}}
	// Two scores of the same units, with the distances apart and the correlation .6.
	two := func(name string, a, b float64) world {
		return world{name, normalBelow(a/math.Sqrt2) - normalBelow(b/math.Sqrt2), func(n int, rng *rand.Rand) Figure {
			one, positive := draw(n, 0, 1, rng)
			other := make([]float64, len(one))
			for i := range one {
				other[i] = .6*one[i] + .8*rng.NormFloat64()
				if positive[i] {
					one[i], other[i] = one[i]+a, other[i]+b
				}
			}
			return AUCDifference(one, other, positive, rng)
		}}
	}
	return []world{
		of("AUC .50", 0, 1), of("AUC .76", 1, 1), of("AUC .92", 2, 1), of("AUC .98", 3, 1),
		of("AUC .81, positives spread twice", 2, 2), of("AUC .81, positives spread half", 1, .5), skewed, tied,
		two("AUC difference 0", 1, 1), two("AUC difference .16", 2, 1), two("AUC difference .06, high", 3, 2),
	}
}

// shareWorlds have yes and no.
func shareWorlds() []world {
	brier := func(name string, p float64) world { // p is said of every unit, and true
		return world{name, p * (1 - p), func(n int, rng *rand.Rand) Figure {
			said, yes := make([]float64, 4*n), make([]bool, 4*n)
			for i := range said {
				said[i], yes[i] = p, rng.Float64() < p
			}
			return Brier(said, yes, rng)
		}}
	}
	// Units of 1 to 8 questions; a unit's share of correct answers is uniform from 2·truth - 1 to 1.
	ratio := func(name string, truth float64) world {
		return world{name, truth, func(n int, rng *rand.Rand) Figure {
			part, whole := make([]float64, n), make([]float64, n)
			for i := range part {
				whole[i] = float64(1 + rng.IntN(8))
				p := 1 - 2*(1-truth)*rng.Float64()
				for range int(whole[i]) {
					if rng.Float64() < p {
						part[i]++
					}
				}
			}
			return Ratio(part, whole, rng)
		}}
	}
	return []world{
		brier("Brier .21, four units for each", .3), ratio("ratio .50", .5), ratio("ratio .80", .8), ratio("ratio .95", .95),
	}
}

// TestCoverage draws many samples and counts how often a 95 % interval holds the true value. NIGHTJAR_COVERAGE is the
// number of samples for the table of doc.go, which -v prints. With 1,000, chance moves a share by at most 2.1 % (three standard deviations).
func TestCoverage(t *testing.T) {
	samples := 1000
	if s := os.Getenv("NIGHTJAR_COVERAGE"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < samples {
			t.Fatalf("NIGHTJAR_COVERAGE is %q, not a number of samples of %d or more", s, samples)
		}
		samples = n
	}
	var table strings.Builder
	sum, cells := 0.0, 0.0
	for _, w := range append(append(meanWorlds(), scoredWorlds()...), shareWorlds()...) {
		fmt.Fprintf(&table, "%-32s", w.name)
		for _, n := range []int{5, 10, 30} {
			rng := rand.New(rand.NewPCG(uint64(n), 31))
			inside := 0
			for range samples {
				if f := w.draw(n, rng); f.Low <= w.truth && w.truth <= f.High {
					inside++
				}
			}
			share := float64(inside) / float64(samples)
			fmt.Fprintf(&table, " %5.1f", 100*share)
			if share < .88 || share > .995 {
				t.Errorf("%s, %d: %.1f %% of the intervals hold the true value", w.name, n, 100*share)
			}
			sum, cells = sum+share, cells+1
		}
		table.WriteString("\n")
	}
	if mean := sum / cells; mean < .945 || mean > .975 {
		t.Errorf("%.1f %% of all intervals hold the true value", 100*mean)
	}
	t.Logf("\n%s", &table)
}
