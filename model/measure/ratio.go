package measure

import (
	"math"
	"math/rand/v2"
)

// Ratio is Σ part / Σ whole over units that stand and fall together, such as the correct answers of each test and all its
// questions. No part may be above its whole. N is Σ whole, rounded. It is the zero Figure when Σ whole is 0. It panics when
// the lengths differ; parts and wholes must be finite and not negative. The random source is not used.
//
// Its interval is Wilson's score interval for a share (1927, Journal of the American Statistical Association 22), with
// Student's t for the number of units and the effective number of independent questions, which is the one that gives the
// variance of the ratio over the units: Franco, Little, Louis & Slud 2019, Journal of Survey Statistics and Methodology 7. Where
// that variance is 0, as when all answers are correct, the effective number is (Σ whole)²/Σ whole².
func Ratio(part, whole []float64, _ *rand.Rand) Figure {
	if len(part) != len(whole) {
		panic("measure: parts and wholes of different length")
	}
	var p, w, squares, units float64
	for i := range part {
		p, w, squares = p+part[i], w+whole[i], squares+whole[i]*whole[i]
		if whole[i] > 0 {
			units++
		}
	}
	if w == 0 {
		return Figure{}
	}
	r, off := p/w, 0.0
	for i := range part {
		off += (part[i] - r*whole[i]) * (part[i] - r*whole[i])
	}
	f := Figure{Value: r, Low: 0, High: 1, N: int(w + .5)}
	if units < 2 {
		return f
	}
	effective := w * w / squares
	if variance := off * units / (units - 1) / w / w; variance > 0 {
		effective = min(w, r*(1-r)/variance)
	}
	q := student(units - 1)
	q *= q / effective
	middle, half := (r+q/2)/(1+q), math.Sqrt(q*(r*(1-r)+q/4))/(1+q)
	f.Low, f.High = middle-half, middle+half
	return f.Within(0, 1)
}
