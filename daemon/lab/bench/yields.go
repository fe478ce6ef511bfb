package bench

import (
	"math"

	"nightjar/daemon/yield"
)

// Yields says how often the number of useful finds that the person is told of a crawl holds: yield.Of, in the bounds of
// which yield.Covered of the crawls should lie. It leaves out crawls with fewer finds than are told of.
type Yields struct {
	Crawls int `json:"crawls"`
	Held   int `json:"held"`   // crawls whose number of useful finds is within the bounds
	Marked int `json:"marked"` // likewise after truthful marks on every few finds, up to Marks

	Factor       float64 `json:"factor"`        // geometric mean of upper over lower bound, each with ½ added
	MarkedFactor float64 `json:"marked_factor"` // likewise after the marks
}

// Marks are how many finds are marked for Yields, or half of them.
const Marks = 10

// yields counts over the finds of several crawls.
func yields(crawls [][]yield.Marked) Yields {
	var y Yields
	for _, finds := range crawls {
		if len(finds) < yield.Enough {
			continue
		}
		y.Crawls++
		held, factor := holds(finds, 0)
		y.Held, y.Factor = y.Held+held, y.Factor+factor
		held, factor = holds(finds, min(Marks, len(finds)/2))
		y.Marked, y.MarkedFactor = y.Marked+held, y.MarkedFactor+factor
	}
	if y.Crawls > 0 {
		y.Factor, y.MarkedFactor = math.Exp(y.Factor/float64(y.Crawls)), math.Exp(y.MarkedFactor/float64(y.Crawls))
	}
	return y
}

// holds marks so many finds, evenly, and says whether (1) or not (0) the bounds hold, and the log of their factor.
func holds(finds []yield.Marked, marks int) (held int, factor float64) {
	var open []float64
	var marked []yield.Marked
	useful := 0
	for i, f := range finds {
		if f.Useful {
			useful++
		}
		if (i+1)*marks/len(finds) > i*marks/len(finds) {
			marked = append(marked, f)
		} else {
			open = append(open, f.P)
		}
	}
	n := yield.Of(open, marked, nil)
	if n.Low <= useful && useful <= n.High {
		held = 1
	}
	return held, math.Log((float64(n.High) + .5) / (float64(n.Low) + .5))
}

// and adds those of other crawls.
func (y Yields) and(o Yields) Yields {
	all := float64(y.Crawls + o.Crawls)
	if all == 0 {
		return y
	}
	both := func(a, b float64) float64 { // weighted geometric mean; a factor without crawls is 0
		sum := 0.0
		if y.Crawls > 0 {
			sum += float64(y.Crawls) * math.Log(a)
		}
		if o.Crawls > 0 {
			sum += float64(o.Crawls) * math.Log(b)
		}
		return math.Exp(sum / all)
	}
	return Yields{Crawls: y.Crawls + o.Crawls, Held: y.Held + o.Held, Marked: y.Marked + o.Marked,
		Factor: both(y.Factor, o.Factor), MarkedFactor: both(y.MarkedFactor, o.MarkedFactor)}
}
