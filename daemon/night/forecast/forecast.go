package forecast

import "math"

// Version is that of the estimate and its constants. A stored forecast has it, so that later ones can be told from it.
const Version = 2

// Coming is the number of nights for which Left says what is left.
const Coming = 5

// Least is the fewest useful pages that a session must have for a forecast of a first night: with fewer, the interval says
// nothing.
const Least = 5

// Inputs are known before a topic's night. They hold numbers only: nothing in them names a page.
type Inputs struct {
	Pages     int     `json:"pages"`            // of the sessions that the model learned from
	Useful    int     `json:"useful"`           // of them, marked Useful
	Budget    int     `json:"budget"`           // pages that the crawl may fetch, above 0
	NewStarts int     `json:"new_starts"`       // start pages at which the last night did not begin
	Strategy  string  `json:"strategy"`         // that the crawl follows
	Nights    []Night `json:"nights,omitempty"` // of the topic, oldest first; those that fetched nothing are left out
}

// Night is what an earlier night of a topic brought.
type Night struct {
	Fetched int     `json:"fetched"` // pages
	Useful  float64 `json:"useful"`  // pages that came: finds by their probabilities, corrected by the person's marks
	Ended   bool    `json:"ended"`   // no link was left, or those that were left promised too little
}

// Forecast is what a night is expected to bring: new useful pages among its finds.
type Forecast struct {
	Expected float64 `json:"expected"` // the median
	Low      float64 `json:"low"`      // the 10th percentile
	High     float64 `json:"high"`     // the 90th percentile
}

// Share is the probability that what comes lies between Low and High.
const Share = 0.8

// Lack says why there is no forecast; the zero value says that there is one.
type Lack int

// What may be lacking.
const (
	Nothing       Lack = iota
	FewUseful          // fewer than Least pages were marked Useful, and no night has run
	NoLimit            // the night has no limit of pages, and none has run
	OtherStrategy      // no night has run, and those that the constants were fitted on followed another strategy
)

// Followed is the strategy of the nights that the constants were fitted on. What other strategies bring in a first night is not
// known; later nights go by the earlier ones.
const Followed = "link-value"

// Make foresees a night.
func Make(in Inputs) (Forecast, Lack) { return fitted.Make(in) }

// Make is the function of the same name with other constants.
func (c *Constants) Make(in Inputs) (Forecast, Lack) {
	switch earlier := len(in.Nights) > 0; {
	case in.Budget < 1:
		return Forecast{}, NoLimit
	case !earlier && in.Useful < Least:
		return Forecast{}, FewUseful
	case !earlier && in.Strategy != Followed:
		return Forecast{}, OtherStrategy
	case earlier:
		return c.Later.forecast(Later(in), in.Budget), Nothing
	}
	return c.First.forecast(First(in), in.Budget), Nothing
}

// Left foresees how many useful pages the next Coming nights bring in sum, each with the same budget. It is false when too
// little is known: no night has run, or nothing limits the pages of a night.
func Left(in Inputs) (Forecast, bool) {
	if len(in.Nights) == 0 || in.Budget < 1 {
		return Forecast{}, false
	}
	return fitted.Left.forecast(Later(in), Coming*in.Budget), true
}

// forecast predicts what a number of pages bring.
func (l *Line) forecast(signals []float64, budget int) Forecast {
	mean := l.Mean(signals)
	low, high := l.Bounds(mean)
	most := float64(budget)
	return Forecast{Expected: pages(mean, most), Low: pages(low, most), High: pages(high, most)}
}

// pages turns a point of the log scale into a number of pages.
func pages(log, most float64) float64 { return math.Min(math.Max(math.Expm1(log), 0), most) }

// Holds reports whether a number of pages lies in the interval. All are rounded to whole pages, as people read them.
func (f Forecast) Holds(came float64) bool {
	at := math.Round(came)
	return math.Round(f.Low) <= at && at <= math.Round(f.High)
}

// Part is the part of a night's pages that one of several topics has; 0 means no limit. They take turns, so that each has about
// the same.
func Part(pages, topics int) int {
	if pages == 0 || topics < 2 {
		return pages
	}
	return max(pages/topics, 1)
}
