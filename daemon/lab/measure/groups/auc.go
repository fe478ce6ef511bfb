package groups

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"nightjar/model/measure"
)

// resamples are how many times the pages are drawn again for an interval.
const resamples = 1000

// pair is two pages and how similar they are.
type pair struct {
	i, j  int32
	score float64
	same  bool // category
}

// pairsOf are all pairs of pages, ascending by similarity.
func pairsOf(category []int, alike func(i, j int) float64) []pair {
	var all []pair
	for i := range category {
		for j := range i {
			all = append(all, pair{int32(i), int32(j), alike(i, j), category[i] == category[j]})
		}
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.score, b.score) })
	return all
}

// area is the probability that a pair of one category is more similar than a pair of two, ties counting half, where page i
// was drawn times[i] times. It is ½ when there are no pairs of either kind.
func area(pairs []pair, times []float64) float64 {
	var won, same, different float64
	for from := 0; from < len(pairs); {
		end := from
		var s, d float64 // of equal similarity
		for ; end < len(pairs) && pairs[end].score == pairs[from].score; end++ {
			p := pairs[end]
			if weight := times[p.i] * times[p.j]; p.same {
				s += weight
			} else {
				d += weight
			}
		}
		won += s * (different + d/2)
		same, different = same+s, different+d
		from = end
	}
	if same == 0 || different == 0 {
		return .5
	}
	return won / (same * different)
}

// areas are the areas of several manners, each with its interval, and less that of the manner `than`. Pages are drawn again,
// not pairs, since the pairs of one page are not independent.
func areas(category []int, manners []manner, than int, rng *rand.Rand) (each, more []measure.Figure) {
	n := len(category)
	draws := make([][]float64, resamples+1)
	for b := range draws {
		draws[b] = make([]float64, n)
		for i := range n {
			if b == 0 {
				draws[b][i] = 1
			} else {
				draws[b][rng.IntN(n)]++
			}
		}
	}
	values := make([][]float64, len(manners)) // [manner][draw], the first that of the pages as they are
	for k, m := range manners {
		pairs := pairsOf(category, m.alike)
		for _, times := range draws {
			values[k] = append(values[k], area(pairs, times))
		}
	}
	for k := range manners {
		less := make([]float64, len(draws))
		for b := range draws {
			less[b] = values[k][b] - values[than][b]
		}
		each, more = append(each, interval(values[k], n)), append(more, interval(less, n))
	}
	return each, more
}

// interval is a figure whose first value is that of the pages as they are.
func interval(values []float64, n int) measure.Figure {
	rest := slices.Sorted(slices.Values(values[1:]))
	last := float64(len(rest) - 1)
	return measure.Figure{Value: values[0], Low: rest[int(.025*last)], High: rest[int(.975*last+.5)], N: n}
}
