package promise

// Ahead is the number of pages that an estimate looks ahead, and of the best waiting links whose chances are added up.
const Ahead = 100

// What was chosen on recorded webs; see daemon/lab/reports/STOPPING.md.
const (
	memory     = 75.0 // pages after which a page counts for 1/e
	priorPages = 20.0 // w, pages of harvest for which the queue counts
	hits       = 1.0  // k, useful pages that the ratio of brought to foretold begins with
	trust      = .28  // useful pages for each that the judge expects; marks on finds do not tell it
	spread     = .4   // s: the number of useful pages has the variance m + m²/s around the estimate m

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

// Estimate says what the next pages of budget promise.
func (h *Harvest) Estimate(pages int, q Queue) Estimate {
	r := h.recent()
	e := Estimate{Pages: pages, Told: q.Told, Starts: q.Starts}
	e.Next = trust * r.next(q)
	e.Low, e.High = interval(e.Next)
	if q.Told {
		e.Left = min(trust*q.All*r.ratio(), float64(q.Links))
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

// Below reports whether a crawl should end that is to go on while the next pages promise that many useful ones. Early in a
// crawl and while start pages wait, it should not.
func (e *Estimate) Below(least float64) bool {
	return e.Pages >= Early && e.Starts == 0 && e.Next < least
}
