package forecast

import (
	"fmt"
	"math"
	"slices"

	"nightjar/daemon/forecast"
	"nightjar/daemon/lab/devtool"
)

// judged is a night with its forecast.
type judged struct {
	night
	f forecast.Forecast
}

// leaveOut foresees the nights on each web with constants that were fitted on the other webs.
func leaveOut(all []night) (out []judged) {
	for _, web := range webs(all) {
		var rest []night
		for _, n := range all {
			if n.Web != web {
				rest = append(rest, n)
			}
		}
		on := slices.DeleteFunc(slices.Clone(all), func(n night) bool { return n.Web != web })
		out = append(out, foreseen(fit(rest), on)...)
	}
	return out
}

// foreseen foresees nights; those of which too little is known are left out.
func foreseen(c *forecast.Constants, all []night) (out []judged) {
	for _, n := range all {
		if f, lack := c.Make(n.In); lack == forecast.Nothing {
			out = append(out, judged{n, f})
		}
	}
	return out
}

// factor is how much the upper end of an interval is above the lower one, in whole pages; a lower end of no page counts as one.
func (j judged) factor() float64 {
	return math.Max(math.Round(j.f.High), 1) / math.Max(math.Round(j.f.Low), 1)
}

// mostFactor is the width that an interval should have at most.
const mostFactor = 4

// row is a line of the table.
type row struct {
	nights           int
	holds            float64 // per 100
	factor, widest   float64 // median, largest
	narrow           float64 // nights whose factor is at most mostFactor, per 100
	bias             float64 // mean log of (1 + expected) / (1 + came)
	expected, median float64 // medians of what was foretold and of what came
}

func rowOf(all []judged) row {
	r := row{nights: len(all)}
	var factors, told, came []float64
	var ns []night
	for _, j := range all {
		ns = append(ns, j.night)
		factors, told, came = append(factors, j.factor()), append(told, j.f.Expected), append(came, j.Came)
	}
	for i, w := range weights(ns) {
		if all[i].f.Holds(all[i].Came) {
			r.holds += 100 * w
		}
		if all[i].factor() <= mostFactor {
			r.narrow += 100 * w
		}
		r.bias += w * (math.Log1p(all[i].f.Expected) - math.Log1p(all[i].Came))
	}
	r.factor, r.expected, r.median = median(factors), median(told), median(came)
	if len(factors) > 0 {
		r.widest = slices.Max(factors)
	}
	return r
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// table has a row for all nights and for those of each kind, size and web.
func table(title string, all []judged) devtool.Table {
	t := devtool.Table{Title: title}
	t.Add("nights", "n", "holds/100", "median factor", "largest", "at most 4/100", "bias (log)", "foretold", "came")
	line := func(name string, keep func(judged) bool) {
		kept := slices.DeleteFunc(slices.Clone(all), func(j judged) bool { return !keep(j) })
		if len(kept) == 0 {
			return
		}
		r := rowOf(kept)
		whole := func(v float64) string { return fmt.Sprintf("%.0f", v) }
		t.Add(name, r.nights, whole(r.holds), fmt.Sprintf("%.1f", r.factor), fmt.Sprintf("%.1f", r.widest), whole(r.narrow), fmt.Sprintf("%+.2f", r.bias),
			whole(r.expected), whole(r.median))
	}
	line("all", func(judged) bool { return true })
	for _, kind := range []string{first, same, other} {
		line(kind, func(j judged) bool { return j.Kind == kind })
		for _, size := range []int{60, 200} {
			line(fmt.Sprintf("  %d pages", size), func(j judged) bool { return j.Kind == kind && j.Size == size })
		}
		for _, web := range webs(nightsOf(all)) {
			line("  "+web, func(j judged) bool { return j.Kind == kind && j.Web == web })
		}
	}
	return t
}

func nightsOf(all []judged) (out []night) {
	for _, j := range all {
		out = append(out, j.night)
	}
	return out
}
