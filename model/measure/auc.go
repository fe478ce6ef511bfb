package measure

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// AUC is the area under the ROC curve: the probability that a random positive has a higher score than a random negative,
// ties counting half. Positives and negatives are resampled apart, so that each resample has both. N is len(scores). With
// positives only, or negatives only, it is the zero Figure. It panics when the lengths differ. NaN counts as the lowest
// score.
func AUC(scores []float64, positive []bool, rng *rand.Rand) Figure {
	if len(scores) != len(positive) {
		panic("measure: scores and labels of different length")
	}
	return ofBoth(positive, rank(scores).auc, rng)
}

// AUCDifference is AUC(a) - AUC(b) for two scores of the same units, which are resampled together. It panics when the
// lengths differ.
func AUCDifference(a, b []float64, positive []bool, rng *rand.Rand) Figure {
	if len(a) != len(positive) || len(b) != len(positive) {
		panic("measure: scores and labels of different length")
	}
	ra, rb := rank(a), rank(b)
	return ofBoth(positive, func(s *units) float64 { return ra.auc(s) - rb.auc(s) }, rng)
}

// ofBoth is the figure of a value of samples with positives and negatives; zero when there are only some of one kind.
func ofBoth(positive []bool, value func(*units) float64, rng *rand.Rand) Figure {
	s := split(positive)
	if len(s.positive) == 0 || len(s.negative) == 0 {
		return Figure{}
	}
	return interval(value(s), len(positive), func() float64 { return value(s.resample(rng)) })
}

// units are a sample: the numbers of its positives and negatives, and room for one resample of each.
type units struct {
	positive, negative []int32
	again              *units
}

func split(positive []bool) *units {
	s := &units{}
	for i, yes := range positive {
		if yes {
			s.positive = append(s.positive, int32(i))
		} else {
			s.negative = append(s.negative, int32(i))
		}
	}
	s.again = &units{positive: slices.Clone(s.positive), negative: slices.Clone(s.negative)}
	return s
}

// resample draws as many positives and negatives, with replacement. The result is good until the next call.
func (s *units) resample(rng *rand.Rand) *units {
	draw(s.again.positive, s.positive, rng)
	draw(s.again.negative, s.negative, rng)
	return s.again
}

func draw(dst, from []int32, rng *rand.Rand) {
	for i := range dst {
		dst[i] = from[rng.IntN(len(from))]
	}
}

// ranking puts units with the same score into one place; places are ascending by score.
type ranking struct {
	place              []int32 // of each unit
	positive, negative []int32 // how many of a sample are in each place; scratch
}

func rank(scores []float64) *ranking {
	order := make([]int32, len(scores))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(scores[i], scores[j]) })
	r := &ranking{place: make([]int32, len(scores))}
	place := int32(0)
	for n, i := range order {
		if n > 0 && cmp.Compare(scores[order[n-1]], scores[i]) != 0 {
			place++
		}
		r.place[i] = place
	}
	r.positive = make([]int32, place+1)
	r.negative = make([]int32, place+1)
	return r
}

// auc counts the pairs of a positive and a negative of the sample that are in the right order, as a share of all.
func (r *ranking) auc(s *units) float64 {
	clear(r.positive)
	clear(r.negative)
	for _, i := range s.positive {
		r.positive[r.place[i]]++
	}
	for _, i := range s.negative {
		r.negative[r.place[i]]++
	}
	twice, below := 0, 0
	for place, n := range r.positive {
		here := int(r.negative[place])
		twice += int(n) * (2*below + here)
		below += here
	}
	return float64(twice) / 2 / float64(len(s.positive)*len(s.negative))
}
