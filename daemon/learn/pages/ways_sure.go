package pages

import (
	"fmt"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model/measure"
	"nightjar/model/ways"
)

// waysSure says how well labels are guessed on ways that were held back.
type waysSure struct {
	Says    string
	Plots   []frame.Intervals
	Figures []figureLine
}

// stepLine is a step between labels with its weight.
type stepLine struct{ From, To, Weight string }

// wayKinds describe the kinds of ways, one and many, in the order in which they are told.
var wayKinds = []struct {
	kind      ways.Kind
	one, many string
}{
	{ways.Marked, "1 way you walked to a useful page", "ways you walked to a useful page"},
	{ways.Left, "1 way you turned back from", "ways you turned back from"},
	{ways.Find, "1 trail of a find you marked", "trails of finds you marked"},
	{ways.Graph, "1 shortest way in the session's web graph that you did not walk",
		"shortest ways in the session's web graph that you did not walk"},
}

// waysSay says how many ways of which kind were learned from.
func waysSay(f ways.Facts) string {
	var parts []string
	for _, k := range wayKinds {
		switch n := f.Paths[k.kind]; n {
		case 0:
		case 1:
			parts = append(parts, k.one)
		default:
			parts = append(parts, chart.Number(n)+" "+k.many)
		}
	}
	if len(parts) == 0 {
		parts = []string{"no ways"}
	}
	return "Learned from " + frame.Listing(parts) + "."
}

// waysSureOf reads the report on the ways that were held back.
func waysSureOf(w *ways.Ways) waysSure {
	r := w.Report
	if r == nil {
		return waysSure{Says: "This was not measured: there are too few ways to hold some of them back."}
	}
	goal := frame.LabelName(w.Labels[w.Goal]) + ": "
	figures := []struct {
		whose, what, of string
		figure          measure.Figure
	}{
		{goal, "precision", "pages guessed to be useful", r.Precision},
		{goal, "recall", "useful pages", r.Recall},
		{goal, "F1", "", r.F1},
		{"all: ", "accuracy", "pages", r.Accuracy},
	}
	v := waysSure{Says: heldBackSays(r)}
	var all []chart.Measured
	var counts []string
	for i, f := range figures {
		class := "main"
		if i == len(figures)-1 {
			class = "other"
		}
		all = append(all, chart.Measured{Name: f.whose + f.what, Class: class, Figure: f.figure})
		if f.figure.N == 0 {
			continue
		}
		v.Figures = append(v.Figures, figureLine{f.whose + f.what,
			frame.Percent(f.figure.Value), frame.Percent(f.figure.Low), frame.Percent(f.figure.High), f.figure.N})
		if f.of != "" {
			counts = append(counts, f.what+" is a share of "+chart.Number(f.figure.N)+" "+f.of)
		}
	}
	v.Plots = intervals("ways-sure-plot", "Labels guessed on ways held back", chart.Scale{Name: "share", To: 1, Percent: true}, all)
	if v.Plots != nil {
		v.Plots[0].Caption = "Dots are values, lines their 95 % intervals. " + frame.Sentence(frame.Listing(counts))
	}
	return v
}

// heldBackSays says what was held back, and how it did.
func heldBackSays(r *ways.Report) string {
	together := "ways that end on one site"
	if r.HeldBy == ways.HeldByTree {
		together = "ways that began with the same visit"
	}
	text := fmt.Sprintf("The ways were split into %s; %s stay together. For each part, a model learned from the other parts "+
		"and guessed the labels in this one, of %s on %s in all.",
		chart.Plural(r.Folds, "part", "parts"), together, chart.Plural(r.Pages, "page", "pages"), chart.Plural(r.Paths, "way", "ways"))
	if r.Accuracy.N > 0 {
		text += fmt.Sprintf(" %s of the labels were right.", frame.Percent(r.Accuracy.Value))
	}
	return text
}

// waysNumbers are the numbers of a training.
func waysNumbers(w *ways.Ways) []toldLine {
	f := w.Facts
	all := []toldLine{
		{"Ways", fmt.Sprintf("%s to a useful page, %s elsewhere", chart.Number(f.Positive), chart.Number(f.Negative))},
		{"Pages on them", chart.Number(f.Pages)},
		{"Labels", chart.Number(len(w.Labels))},
		{"Features", fmt.Sprintf("%s of pages, %s of links", chart.Number(len(w.PageFeatures)), chart.Number(len(w.LinkFeatures)))},
		{"Weights", chart.Number(f.Weights)},
	}
	if f.Dropped > 0 {
		all = append(all, toldLine{"Features left out", chart.Number(f.Dropped) + ", the rarest"})
	}
	if len(f.Unused) > 0 {
		var names []string
		for _, name := range f.Unused {
			names = append(names, frame.LabelName(name))
		}
		all = append(all, toldLine{"Milestones on no way", frame.Listing(names)})
	}
	return append(all,
		toldLine{"γ, discount of a link", frame.Decimal(w.Gamma)},
		toldLine{"c₂, of the penalty c₂‖w‖²", frame.Short(w.C2)},
		toldLine{"F, at the end", fmt.Sprintf("%.1f after %s", f.Objective, chart.Plural(f.Iterations, "iteration", "iterations"))},
		toldLine{"Relevant by the labels alone", "P(goal) ≥ " + frame.Percent(w.Threshold)})
}

// stepLines lists the steps that are shown.
func stepLines(w *ways.Ways) []stepLine {
	var all []stepLine
	for _, s := range strongSteps(len(w.Labels), w.Field.Steps) {
		all = append(all, stepLine{frame.LabelName(w.Labels[s.From]), frame.LabelName(w.Labels[s.To]), frame.Signed(s.Weight)})
	}
	return all
}
