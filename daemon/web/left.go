package web

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

// leftShown is the number of topics for which Finds says what is left.
const leftShown = 3

// leftView says how many useful pages of a topic were found, and how many more the coming nights are likely to bring.
type leftView struct {
	TopicID int64
	Topic   string // its name, or "" where the page names it
	Says    string
	Little  bool // it offers what would widen the search
}

// left returns nil when too little is known.
func (s *Server) left(ctx context.Context, topicID int64, in forecast.Inputs) (*leftView, error) {
	f, ok := forecast.Left(in)
	if !ok {
		return nil, nil
	}
	found, err := calibration.TopicYield(ctx, s.Store.DB, topicID)
	little := f.Expected < littleLeft || in.Nights[len(in.Nights)-1].Ended
	return &leftView{TopicID: topicID, Says: saysLeft(likelyView{found}.About(), f), Little: little}, err
}

// leftOf says what is left of the topics of the first finds in a list.
func (s *Server) leftOf(ctx context.Context, p findsPage) (all []*leftView, err error) {
	shown := map[int64]bool{}
	for _, g := range p.Groups {
		if shown[g.TopicID] || len(shown) == leftShown {
			continue
		}
		shown[g.TopicID] = true
		v, err := s.foreseenTopic(ctx, g.TopicID)
		if err != nil {
			return nil, err
		}
		if v != nil && v.Left != nil {
			v.Left.Topic = g.Topic
			all = append(all, v.Left)
		}
	}
	return all, nil
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
