package tonight

import (
	"context"
	"math"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/night/forecast"
)

// littleLeft is the number of expected useful pages below which a page offers to widen the search: so few are expected after six
// nights or more, if the last one brought none.
const littleLeft = 2.5

// Left says how many useful pages of a topic were found, and how many more the coming nights are likely to bring.
type Left struct {
	TopicID int64
	Topic   string // its name, or "" where the page names it
	Says    string
	Little  bool // it offers what would widen the search
}

// left returns nil when too little is known.
func (n Night) left(ctx context.Context, topicID int64, in forecast.Inputs) (*Left, error) {
	f, ok := forecast.Left(in)
	if !ok {
		return nil, nil
	}
	found, err := calibration.TopicYield(ctx, n.Store.DB, topicID)
	little := f.Expected < littleLeft || in.Nights[len(in.Nights)-1].Ended
	return &Left{TopicID: topicID, Says: saysLeft(found.About(), f), Little: little}, err
}

// saysLeft writes: 61 useful pages found so far, about 9 (1 to 50) more are likely in the next 5 nights.
func saysLeft(found int, f forecast.Forecast) string {
	n, most := int(math.Round(f.Expected)), int(math.Round(f.High))
	more := "about " + chart.Number(n) + " (" + chart.FromTo(f.Low, f.High) + ") more "
	switch {
	case most == 0:
		n, more = most, "no more "
	case n == 0:
		n, more = most, "at most "+chart.Number(most)+" more "
	}
	are := "are"
	if n == 1 {
		are = "is"
	}
	return chart.Plural(found, "useful page", "useful pages") + " found so far, " + more + are + " likely in the next " + chart.Plural(forecast.Coming, "night", "nights") + "."
}
