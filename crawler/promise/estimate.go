package promise

import "math"

// Ahead is the number of pages that an estimate looks ahead, and of the best waiting links whose chances are added up.
const Ahead = 100

// What was chosen on recorded webs; see docs/STOPPING.md.
const (
	memory     = 75.0 // pages after which a page counts for 1/e
	priorPages = 50.0 // pages of harvest for which the queue counts
	hits       = 1.0  // k of the ratio of what pages brought to what was foretold of them
	trust      = 1.0
	bend       = 1.0
	spread     = 1.5 // of the numbers of useful pages around the estimate: their variance is m + m²/spread

	Early = 200 // pages of budget before which nothing is concluded
)

// Queue is what the waiting links promise.
type Queue struct {
	Told   bool    // the strategy can tell the chances of links; otherwise Best and All are 0
	Best   float64 // sum of the chances of the Ahead best links, whether their hosts may be contacted now or not
	All    float64 // sum of the chances of all links
	Links  int     // number of links
	Starts int     // start pages among the best links
}

// Estimate is what the next pages of a crawl promise.
type Estimate struct {
	Pages     int     // of budget, fetched so far
	Next      float64 // useful pages expected among the next Ahead
	Low, High float64 // between which their number lies four times of five
	Told      bool    // the strategy could tell what waits: otherwise Left is not known
	Left      float64 // useful pages expected behind the links in the queue
	LeftLow   float64
	LeftHigh  float64
	Starts    int // start pages that still wait
}

// Estimate says what the next pages promise after so many pages of budget.
func (h *Harvest) Estimate(pages int, q Queue) Estimate {
	r := h.recent()
	e := Estimate{Pages: pages, Told: q.Told, Starts: q.Starts}
	e.Next = trusted(r.next(q))
	e.Low, e.High = interval(e.Next)
	if q.Told {
		e.Left = min(trusted(q.All*r.ratio()), float64(q.Links))
		e.LeftLow, e.LeftHigh = interval(e.Left)
	}
	return e
}

// ratio is what pages brought lately for each useful page that was foretold.
func (r recent) ratio() float64 { return (r.of + hits) / (r.chance + hits) }

// next is the mean number of useful pages among the next Ahead: the mean of the gamma distribution of the rate.
func (r recent) next(q Queue) float64 {
	waiting := 0.0
	weight := 0.0
	if q.Told {
		waiting, weight = q.Best*r.ratio()/Ahead, priorPages
	}
	if weight+r.pages == 0 {
		return 0
	}
	return (weight*waiting + r.brought) / (weight + r.pages) * Ahead
}

// trusted is what is left of a number of pages that look useful when those that are not are taken off.
func trusted(raw float64) float64 { return trust * math.Pow(raw, bend) }

// Below reports whether a crawl should end that is to go on while the next pages promise that many useful ones. Early in a
// crawl and while start pages wait, it should not.
func (e *Estimate) Below(least float64) bool {
	return e.Pages >= Early && e.Starts == 0 && e.Next < least
}
