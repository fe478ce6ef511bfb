package report

import (
	"fmt"
	"math"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/panorama/communities"
)

// The picture of the harvest, in its own units.
const (
	curveWidth, curveHeight = 720, 260
	curveLeft, curveRight   = 52, 700
	curveTop, curveBottom   = 14, 214
	mostPoints              = 200
)

// curve is the harvest along the crawl, drawn.
type curve struct {
	Path    string
	Across  []tick // grid lines of the rate, from 0 to 100 %
	Along   []tick // of the pages
	Summary string
	Rows    []harvestRow
}

type tick struct {
	At   string
	Text string
}

// harvestRow is a line of the table beside the curve.
type harvestRow struct{ Pages, Rate string }

// newCurve draws at most mostPoints points, the first and the last among them; nil for none.
func newCurve(points []communities.HarvestPoint) *curve {
	if len(points) == 0 {
		return nil
	}
	last := points[len(points)-1]
	x := func(pages float64) float64 {
		return curveLeft + (curveRight-curveLeft)*pages/math.Max(1, float64(last.Pages))
	}
	y := func(rate float64) float64 {
		return curveBottom - (curveBottom-curveTop)*math.Min(1, math.Max(0, rate))
	}
	c := &curve{Summary: fmt.Sprintf("After %s, the harvest was %s.", chart.Plural(last.Pages, "page", "pages"), percent(last.Rate))}
	var path strings.Builder
	for i, p := range thin(points, mostPoints) {
		command := " L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", command, x(float64(p.Pages)), y(p.Rate))
	}
	c.Path = path.String()
	for rate := 0.0; rate < 1.1; rate += .25 {
		c.Across = append(c.Across, tick{fmt.Sprintf("%.1f", y(rate)), percent(rate)})
	}
	for quarter := range 5 {
		pages := last.Pages * quarter / 4
		c.Along = append(c.Along, tick{fmt.Sprintf("%.1f", x(float64(pages))), chart.Thousands(pages)})
	}
	for _, p := range thin(points, 10) {
		c.Rows = append(c.Rows, harvestRow{chart.Thousands(p.Pages), percent(p.Rate)})
	}
	return c
}

// thin takes at most n of the points, at equal distances, the first and the last among them.
func thin(points []communities.HarvestPoint, n int) []communities.HarvestPoint {
	if len(points) <= n {
		return points
	}
	all := make([]communities.HarvestPoint, n)
	for i := range all {
		all[i] = points[i*(len(points)-1)/(n-1)]
	}
	return all
}
