package calibration

import (
	"context"
	"fmt"
	"math"

	"nightjar/daemon/chart"
	"nightjar/daemon/db"
)

// likelyLeast is the smallest number of finds of which a number is told: of fewer the person reads each probability.
const likelyLeast = 5

// Says is the number in a sentence.
func (y Yield) Says() string {
	switch finds := chart.Plural(y.Finds, "find", "finds"); {
	case y.Open == 0:
		return fmt.Sprintf("%s, %s of them useful: you have marked all.", finds, chart.Number(y.Known))
	case y.Low == y.High:
		return fmt.Sprintf("%s, most likely %s of them useful.", finds, chart.Number(y.Low))
	default:
		return fmt.Sprintf("%s, about %s of them useful, most likely %s to %s.", finds, chart.Number(y.About()), chart.Number(y.Low), chart.Number(y.High))
	}
}

// About is the expected number, rounded, within the interval.
func (y Yield) About() int {
	return min(max(int(math.Round(y.Expected)), y.Low), y.High)
}

// Likely is Yields without crawls that have too few finds, and without those whose finds are older than the judge.
func Likely(ctx context.Context, d *db.DB, crawls []int64) (map[int64]*Yield, error) {
	yields, err := Yields(ctx, d, crawls)
	told := map[int64]*Yield{}
	for crawl, y := range yields {
		if y.Finds >= likelyLeast && y.Unjudged == 0 {
			told[crawl] = &y
		}
	}
	return told, err
}
