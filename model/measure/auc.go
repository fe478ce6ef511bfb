package measure

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// AUC is the area under the ROC curve: the probability that a random positive has a higher score than a random negative,
// ties counting half. N is len(scores). With positives only, or negatives only, it is the zero Figure. It panics when the
// lengths differ. NaN counts as the lowest score. The random source is not used.
//
// Its interval has the values θ that are at most z standard errors away from the area, where the error is that at θ: method 5
// of Newcombe (2006, Statistics in Medicine 25, pp. 559-573), whose variance is that of Hanley & McNeil (1982, Radiology
// 143) for m positives and n negatives with both numbers taken as their mean:
//
//	V(θ) = θ(1-θ)/(mn)·[1 + ((m+n)/2 - 1)·((1-θ)/(2-θ) + θ/(1+θ))]
//
// This variance supposes scores of much the same spread in both. Where the variance of DeLong, DeLong & Clarke-Pearson
// (1988, Biometrics 44), which supposes nothing, is larger at the area found, V is scaled up to it.
func AUC(scores []float64, positive []bool, _ *rand.Rand) Figure {
	if len(scores) != len(positive) {
		panic("measure: scores and labels of different length")
	}
	r := place(scores, positive)
	if len(r.positive) == 0 || len(r.negative) == 0 {
		return Figure{}
	}
	low, high := r.interval()
	return Figure{Value: r.area, Low: low, High: high, N: len(scores)}
}

// AUCDifference is AUC(a) - AUC(b) for two scores of the same units. Its interval comes from those of both areas by the
// method of variance estimates recovery (Zou & Donner 2008, Statistics in Medicine 27, eq. 15), with the correlation of
// the areas by DeLong, DeLong & Clarke-Pearson. Scores that put all units into the same order have no difference for certain.
// It panics when the lengths differ. The random source is not used.
func AUCDifference(a, b []float64, positive []bool, _ *rand.Rand) Figure {
	if len(a) != len(positive) || len(b) != len(positive) {
		panic("measure: scores and labels of different length")
	}
	ra, rb := place(a, positive), place(b, positive)
	if len(ra.positive) == 0 || len(ra.negative) == 0 {
		return Figure{}
	}
	f := Figure{Value: ra.area - rb.area, N: len(positive)}
	if slices.Equal(order(a), order(b)) {
		return f
	}
	r := correlation(ra, rb)
	both := func(x, y float64) float64 { return math.Sqrt(max(0, x*x+y*y-2*r*x*y)) }
	lowA, highA := ra.interval()
	lowB, highB := rb.interval()
	f.Low = f.Value - both(ra.area-lowA, highB-rb.area)
	f.High = f.Value + both(highA-ra.area, rb.area-lowB)
	return f.Within(-1, 1)
}

// placing says for each positive the share of the negatives that are below, and for each negative the share of the
// positives above; ties count half. The mean of both is the area.
type placing struct {
	area               float64
	positive, negative []float64
}

func place(scores []float64, positive []bool) placing {
	at := order(scores)
	yes, no := make([]float64, len(scores)), make([]float64, len(scores)) // of each place
	var p placing
	m, n := 0.0, 0.0
	for i, place := range at {
		if positive[i] {
			yes[place]++
			m++
		} else {
			no[place]++
			n++
		}
	}
	negatives, positives, twice := 0.0, 0.0, 0.0 // below; pairs in the right order, tied ones once
	below, above := make([]float64, len(scores)), make([]float64, len(scores))
	for place := range yes {
		below[place] = (negatives + no[place]/2) / n
		above[place] = 1 - (positives+yes[place]/2)/m
		twice += yes[place] * (2*negatives + no[place])
		negatives, positives = negatives+no[place], positives+yes[place]
	}
	p.area = twice / 2 / (m * n)
	for i, place := range at {
		if positive[i] {
			p.positive = append(p.positive, below[place])
		} else {
			p.negative = append(p.negative, above[place])
		}
	}
	return p
}

// order gives each unit its place, ascending by score from 0. Units with the same score share one.
func order(scores []float64) []int {
	all := make([]int, len(scores))
	for i := range all {
		all[i] = i
	}
	slices.SortFunc(all, func(i, j int) int { return cmp.Compare(scores[i], scores[j]) })
	at := make([]int, len(scores))
	place := 0
	for n, i := range all {
		if n > 0 && cmp.Compare(scores[all[n-1]], scores[i]) != 0 {
			place++
		}
		at[i] = place
	}
	return at
}

// interval is that of AUC. It looks for the two ends by halving the ranges below and above the area.
func (p placing) interval() (low, high float64) {
	m, n := float64(len(p.positive)), float64(len(p.negative))
	v := func(t float64) float64 {
		return t * (1 - t) / (m * n) * (1 + ((m+n)/2-1)*((1-t)/(2-t)+t/(1+t)))
	}
	inner := (p.area*m*n + .5) / (m*n + 1) // neither 0 nor 1, where V is 0
	scale := max(1, covariance(p, p)/v(inner))
	end := func(outside float64) float64 {
		inside := p.area
		for range 60 {
			t := (inside + outside) / 2
			if (t-p.area)*(t-p.area) <= z*z*scale*v(t) {
				inside = t
			} else {
				outside = t
			}
		}
		return inside
	}
	return end(0), end(1)
}

// covariance is DeLong's of two areas, their variance when both are the same.
func covariance(a, b placing) float64 {
	sum := 0.0
	for _, pair := range [2][2][]float64{{a.positive, b.positive}, {a.negative, b.negative}} {
		x, y := pair[0], pair[1]
		if len(x) < 2 {
			continue
		}
		mx, my, products := mean(x), mean(y), 0.0
		for i := range x {
			products += (x[i] - mx) * (y[i] - my)
		}
		sum += products / float64(len(x)-1) / float64(len(x))
	}
	return sum
}

// correlation is DeLong's of two areas; 0 when one of them has no variance.
func correlation(a, b placing) float64 {
	if both := covariance(a, a) * covariance(b, b); both > 0 {
		return covariance(a, b) / math.Sqrt(both)
	}
	return 0
}
