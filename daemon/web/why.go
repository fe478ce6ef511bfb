package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/web/chart"
)

// How many parts of what a link was worth are shown by name, for the link that led to a find and for those before it; the
// others are one line.
const (
	shownReasons   = 8
	earlierReasons = 4
)

// whyView shows what a link was worth, taken apart.
type whyView struct {
	Rows   []whyRow // what speaks for it first, the most telling first; then what speaks against it, the most telling last
	Weight string   // of all together
	Likely string   // the same as a probability
	Open   bool     // to be seen at once
}

// whyRow is one part, with its bar from the middle of the drawing to the right (for the link) or to the left (against).
type whyRow struct {
	Name   string
	Weight string
	For    bool
	X, W   string // left end and width of the bar, in percent of the drawing
}

// why puts what a link was worth into a chart, fewer parts by name when it is not open; nil when the strategy could not
// say.
func why(reasons []strategy.Reason, open bool) *whyView {
	if len(reasons) == 0 {
		return nil
	}
	var sum float64
	for _, r := range reasons {
		sum += r.Value
	}
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

// telling is the count parts that weigh most, in the order of their values, and after them the sum of the rest.
func telling(reasons []strategy.Reason, count int) []strategy.Reason {
	all := slices.Clone(reasons)
	for i := range all {
		all[i].Name = cmp.Or(strings.TrimSpace(printable(all[i].Name)), "something without a name")
	}
	slices.SortStableFunc(all, func(a, b strategy.Reason) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	var rest []strategy.Reason
	if len(all) > count+1 { // a single one is shown by its name
		var sum float64
		for _, r := range all[count:] {
			sum += r.Value
		}
		rest = []strategy.Reason{{Name: plural(len(all)-count, "smaller reason", "smaller reasons"), Value: sum}}
		all = all[:count]
	}
	slices.SortStableFunc(all, func(a, b strategy.Reason) int { return cmp.Compare(b.Value, a.Value) })
	return append(all, rest...)
}

func tenth(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
