package pages

import (
	"fmt"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// nightView says how soon the strategy of nights found hidden useful pages in test crawls.
type nightView struct {
	Strategy string
	Says     string
	Limits   string // what was left out, "" for nothing
	Curves   *frame.Plots
	Plots    []frame.Intervals
}

// recallSteps is the number of steps of the drawn curves.
const recallSteps = 20

// nightOf reads a rehearsal; nil when there was none.
func nightOf(r *model.Rehearsal) *nightView {
	if r == nil {
		return nil
	}
	v := &nightView{Strategy: r.Strategy, Says: nightSays(r), Limits: nightLimits(r)}
	sum := r.Sum()
	if !sum.Told() {
		return v
	}
	lines := []chart.Recalled{{Name: r.Strategy, Class: "own"}, {Name: "in order", Class: "in-order"}, {Name: "random", Class: "by-lot"}}
	var rows [][]string // how many useful pages were found after a share of the hidden pages
	for i := range recallSteps + 1 {
		share := float64(i) / recallSteps
		f := r.After(share)
		for k, found := range []float64{f.Strategy, f.BreadthFirst, f.Random} {
			lines[k].Shares = append(lines[k].Shares, found/float64(sum.Wanted))
		}
		if i%5 == 0 && i > 0 {
			rows = append(rows, []string{frame.Percent(share), fmt.Sprintf("%.0f", f.Strategy), fmt.Sprintf("%.0f", f.BreadthFirst), fmt.Sprintf("%.1f", f.Random)})
		}
	}
	v.Curves = frame.PlotsOf("recall", "Useful pages found in test crawls", 620, func(width float64) chart.Plot { return chart.Recalls(lines, width) },
		"Hidden pages fetched", v.Strategy, "In order", "Random")
	v.Curves.Rows = rows
	all := []chart.Measured{
		{Name: r.Strategy, Class: "main", Digits: 2, Figure: sum.Area},
		{Name: "In order", Class: "other", Digits: 2, Figure: sum.BreadthFirst},
		{Name: "Random order", Class: "base", Digits: 2, Figure: sum.Random},
	}
	v.Plots = intervals("sure-night-plot", "Area under the recall curve", chart.FromZero(all).Named("area under the curve, 1 is best"), all)
	return v
}

// nightSays says what was tried, and what it means for nights.
func nightSays(r *model.Rehearsal) string {
	if r.Why != "" {
		return "There was no test crawl: " + r.Why + "."
	}
	s := r.Sum()
	say := fmt.Sprintf("Nightjar hid a part of your pages, learned from the rest, and let %s crawl your pages from where you began, as in a night. It did so for %s, so that each useful page was hidden once. ",
		r.Strategy, chart.Plural(len(r.Folds), "part", "parts"))
	if !s.Told() {
		return say + fmt.Sprintf("Links lead to only %s of %s, which is too little to tell how soon it finds them. Mark more pages Useful, and reach them by links.",
			chart.Number(s.Wanted), chart.Plural(s.Useful, "useful page", "useful pages"))
	}
	if !s.Sure() {
		return say + fmt.Sprintf("%s are too few to be sure: the next mark may change these lines.", chart.Plural(s.Wanted, "useful page", "useful pages"))
	}
	return say + "A line that rises early means that nights find useful pages early. How many there are, only a night can tell."
}

// nightLimits says what the test crawls left out.
func nightLimits(r *model.Rehearsal) string {
	say := ""
	if s := r.Sum(); s.Told() && s.Wanted < s.Useful {
		say = fmt.Sprintf("To %s, no link leads from the pages where you began. ", chart.Plural(s.Useful-s.Wanted, "other useful page", "other useful pages"))
	}
	if r.Older > 0 {
		say += fmt.Sprintf("Only your newest %s were tried, so that it does not take long. ", chart.Plural(r.Pages, "page", "pages"))
	}
	if r.Capped > 0 {
		say += fmt.Sprintf("Each crawl ended after %s. ", chart.Plural(r.Capped, "page", "pages"))
	}
	return say
}
