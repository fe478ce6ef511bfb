package measure

import "math/rand/v2"

// Ratio is Σ part / Σ whole over units that are resampled together, such as the correct answers of each test and all its
// questions. N is Σ whole, rounded. It is the zero Figure when Σ whole is 0. Resamples in which it is 0 count as the
// ratio of all units. It panics when the lengths differ; parts and wholes must be finite and not negative.
func Ratio(part, whole []float64, rng *rand.Rand) Figure {
	if len(part) != len(whole) {
		panic("measure: parts and wholes of different length")
	}
	sum := func(pick func(i int) int) (p, w float64) {
		for i := range part {
			k := pick(i)
			p, w = p+part[k], w+whole[k]
		}
		return p, w
	}
	p, w := sum(func(i int) int { return i })
	if w == 0 {
		return Figure{}
	}
	f := interval(p/w, len(part), func() float64 {
		drawn, of := sum(func(int) int { return rng.IntN(len(part)) })
		if of == 0 {
			return p / w
		}
		return drawn / of
	})
	f.N = int(w + .5)
	return f
}
