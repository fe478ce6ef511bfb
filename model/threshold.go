package model

import (
	"fmt"
	"slices"
)

// The default relevance threshold, and the range of calibrated ones. The runs of [HMM] table 1 use 0.5 to 0.9.
const (
	defaultGamma = 0.7
	minGamma     = 0.3
	maxGamma     = 0.95
)

// threshold finds γ. targets holds for each target its largest cosine to another target, others for each other page its
// largest cosine to any target. chosen is the threshold that the person chose, 0 for none.
//
// [HMM] §4 leaves γ to the user. Here it is the midpoint between neighbouring values that tells targets from others with
// the best F1, ties to the larger, kept in [.3, .95]. A threshold that does no better than calling every page
// relevant separates nothing.
func threshold(targets, others []float64, chosen float64) GammaFact {
	if chosen > 0 {
		return GammaFact{Value: chosen, How: fmt.Sprintf("You chose %.2f in the settings.", chosen)}
	}
	if len(targets) < 2 {
		return GammaFact{Value: defaultGamma, How: fmt.Sprintf("Not calibrated: with one useful page there is nothing to compare it with, so the usual %.2f is used.", defaultGamma)}
	}
	best, _, separates := bestThreshold(targets, others)
	if !separates {
		return GammaFact{Value: defaultGamma, How: fmt.Sprintf("Not calibrated: no threshold tells the %d useful pages of the session from the %d others, so the usual %.2f is used.", len(targets), len(others), defaultGamma)}
	}
	value := max(minGamma, min(maxGamma, best))
	g := GammaFact{Value: value, Calibrated: true, F1: f1Of(targets, others, value)}
	g.How = fmt.Sprintf("Calibrated on the session: %.2f tells its %d useful pages from the %d others best (F1 %.2f).", value, len(targets), len(others), g.F1)
	if value != best {
		g.How = fmt.Sprintf("Calibrated on the session: the best threshold for its %d useful pages and %d others is %.2f, moved to %.2f, the nearest of the allowed range (F1 %.2f).", len(targets), len(others), best, value, g.F1)
	}
	return g
}

// bestThreshold is the midpoint between neighbouring values that tells targets from others with the best F1, ties to the
// larger, and its F1. separates is false when none does better than calling everything relevant.
func bestThreshold(targets, others []float64) (best, bestF1 float64, separates bool) {
	values := slices.Concat(targets, others)
	slices.Sort(values)
	values = slices.Compact(values)
	bestF1 = f1Of(targets, others, values[0])
	for i := range len(values) - 1 {
		middle := (values[i] + values[i+1]) / 2
		if score := f1Of(targets, others, middle); score > bestF1 || separates && score == bestF1 {
			best, bestF1, separates = middle, score, true
		}
	}
	return best, bestF1, separates
}

// f1Of is the harmonic mean of precision and recall when values of at least gamma count as relevant.
func f1Of(targets, others []float64, gamma float64) float64 {
	hits, misses := atLeast(targets, gamma), atLeast(others, gamma)
	if hits == 0 {
		return 0
	}
	return 2 * float64(hits) / float64(hits+misses+len(targets))
}

func atLeast(values []float64, least float64) int {
	n := 0
	for _, v := range values {
		if v >= least {
			n++
		}
	}
	return n
}
