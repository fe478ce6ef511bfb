package web

import (
	"context"
	"fmt"
	"math"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/calibration"
)

// likelyLeast is the smallest number of finds of which a number is told: of fewer the person reads each probability.
const likelyLeast = 5

// likelyView says how many finds of a crawl are probably useful.
type likelyView struct{ calibration.Yield }

// Says is the number in a sentence.
func (v likelyView) Says() string {
	switch finds := chart.Plural(v.Finds, "find", "finds"); {
	case v.Open == 0:
		return fmt.Sprintf("%s, %s of them useful: you have marked all.", finds, chart.Number(v.Known))
	case v.Low == v.High:
		return fmt.Sprintf("%s, most likely %s of them useful.", finds, chart.Number(v.Low))
	default:
		return fmt.Sprintf("%s, about %s of them useful, most likely %s to %s.", finds, chart.Number(v.About()), chart.Number(v.Low), chart.Number(v.High))
	}
}

// About is the expected number, rounded, within the interval.
func (v likelyView) About() int {
	return min(max(int(math.Round(v.Expected)), v.Low), v.High)
}

// likely returns how many finds of each crawl are probably useful. It leaves out crawls with too few finds,
// and those whose finds are older than the judge.
func (s *Server) likely(ctx context.Context, crawls []int64) (map[int64]*likelyView, error) {
	yields, err := calibration.Yields(ctx, s.Store.DB, crawls)
	views := map[int64]*likelyView{}
	for crawl, y := range yields {
		if y.Finds >= likelyLeast && y.Unjudged == 0 {
			views[crawl] = &likelyView{y}
		}
	}
	return views, err
}
