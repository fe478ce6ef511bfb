package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
)

// Number of reasons shown by name for the link to a find and for each link before it. The others are one line.
const (
	shownReasons   = 8
	earlierReasons = 4
)

// whyView shows the reasons for the weight of a link.
type whyView struct {
	Rows   []whyRow // largest weight first
	Weight string   // sum of all weights
	Likely string   // the sum as a probability
	Worth  string   // the sum as what the link is worth, "" when it is a probability
	Open   bool     // shown unfolded
}

// Says says in words what the reasons amount to.
func (v *whyView) Says() string {
	if v.Worth != "" {
		return "worth " + v.Worth + ", where a useful page is worth 1"
	}
	return v.Likely + " likely to lead to useful pages"
}

// whyStep shows why the link to a page of a trail was followed. With labels, the reasons add up to what the link is worth:
// a useful page far behind it counts for less than one behind the next link, which makes it no probability.
func whyStep(step store.TrailStep, open bool) *whyView {
	v := why(step.Why, open)
	if v != nil && len(step.Signs) > 0 {
		v.Worth = decimal(1 / (1 + math.Exp(-total(step.Why))))
	}
	return v
}

// total is the sum of the reasons.
func total(reasons []strategy.Reason) (sum float64) {
	for _, r := range reasons {
		sum += r.Value
	}
	return sum
}

// whyRow is one reason. Its bar goes from the middle of the drawing to the right (for the link) or to the left (against it).
type whyRow struct {
	Name   string
	Weight string
	For    bool
	X, W   string // left end and width of the bar, in percent of the drawing
}

// why makes a chart of the reasons, with fewer names when it is not open; nil without reasons.
func why(reasons []strategy.Reason, open bool) *whyView {
	if len(reasons) == 0 {
		return nil
	}
	sum := total(reasons)
	count := earlierReasons
	if open {
		count = shownReasons
	}
	shown := telling(reasons, count)
	var most float64
	for _, r := range shown {
		most = max(most, math.Abs(r.Value))
	}
	v := &whyView{Weight: signed(sum), Likely: percent(1 / (1 + math.Exp(-sum))), Open: open}
	for _, r := range shown {
		row := whyRow{Name: chart.Shorten(120, r.Name), Weight: signed(r.Value), For: r.Value >= 0}
		var width float64
		if most > 0 {
			width = 50 * math.Abs(r.Value) / most
		}
		row.X, row.W = "50", tenth(width)
		if !row.For {
			row.X = tenth(50 - width)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// telling returns the count reasons of largest absolute weight, sorted by weight, and after them the sum of the rest.
func telling(reasons []strategy.Reason, count int) []strategy.Reason {
	all := slices.Clone(reasons)
	for i := range all {
		all[i].Name = cmp.Or(strings.TrimSpace(printable(all[i].Name)), "unnamed")
	}
	slices.SortStableFunc(all, func(a, b strategy.Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	var rest []strategy.Reason
	if len(all) > count+1 { // a single one is shown by name
		rest = []strategy.Reason{{Name: plural(len(all)-count, "smaller reason", "smaller reasons"), Value: total(all[count:])}}
		all = all[:count]
	}
	slices.SortStableFunc(all, func(a, b strategy.Reason) int { return cmp.Compare(b.Value, a.Value) })
	return append(all, rest...)
}

func tenth(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
