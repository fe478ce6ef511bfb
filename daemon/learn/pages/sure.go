package pages

import (
	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/measure"
)

// sureView says how sure a model is: its figures beside the baselines' figures.
type sureView struct {
	State    string     // "measured", "little" (too little data), "assessing", "none"
	Progress int        // in percent, while State is "assessing"
	Verdict  string     // in words
	Night    *nightView // nil without a rehearsal
	Cards    []sureCard
	Chosen   *chosenView // nil when the model names no choice
	Figures  []figureLine
	Bands    []model.Band // of the reliability diagram
}

// sureCard shows the figures for one question.
type sureCard struct {
	ID, Title string
	Says      string // what the figures mean
	Plots     []frame.Intervals
	Matrix    *matrix
	Diagram   *reliabilityView
}

// reliabilityView is a reliability diagram with its name.
type reliabilityView struct {
	ID, Title, Caption string
	Plot               chart.Reliability
}

// chosenView says how the model picks finds, and why.
type chosenView struct {
	Relevance, RelevanceMeans string
	Why                       string
	Measured                  bool
}

// figureLine is a measure in the table of all of them.
type figureLine struct {
	What, Value, Low, High string
	N                      int
}

// sureOf reads a model's report. It shows no figure of fewer than five useful pages. progress is its percentage, nil when no assessment is running.
func sureOf(b *model.Bundle, progress *int) sureView {
	r := b.Report
	v := sureView{State: "none", Chosen: chosen(b.Choice)}
	switch {
	case r == nil && progress != nil:
		v.State, v.Progress = "assessing", *progress
		return v
	case r == nil:
		return v
	}
	v.Verdict = frame.Sentence(r.Verdict)
	if v.State = "measured"; r.Folds == 0 || r.Useful() < measure.EnoughUseful {
		v.State = "little"
		return v
	}
	v.Night = nightOf(r.Rehearsal)
	v.Cards = append(v.Cards, linkCard(r), usefulCard(r), hopCard(r), trustCard(r))
	v.Figures, v.Bands = figureLines(r), r.Reliability
	return v
}

// intervals draws figures; nothing when none of them was measured.
func intervals(id, title string, s chart.Scale, all []chart.Measured) []frame.Intervals {
	p := chart.DrawIntervals(s, all)
	if len(p.Lines) == 0 {
		return nil
	}
	n := 0
	for _, m := range all {
		n = max(n, m.Figure.N)
	}
	return []frame.Intervals{{ID: id, Title: title, Plot: p, Caption: "Dots are values, lines their 95 % intervals; n = " + chart.Number(n) + "."}}
}

func linkCard(r *model.Report) sureCard {
	all := []chart.Measured{
		{Name: "The judge", Class: "main", Digits: 2, Figure: r.LinkMRR},
		{Name: "Likeness", Class: "other", Digits: 2, Figure: r.AnchorMRR},
		{Name: "Chance", Class: "base", Digits: 2, Figure: r.ChanceMRR},
	}
	return sureCard{ID: "sure-links", Title: "What the text of a link tells", Says: linkSays(r),
		Plots: intervals("sure-links-plot", "Mean reciprocal rank of the right link", chart.FromZero(all).Named("mean reciprocal rank, 1 is best"), all)}
}

func usefulCard(r *model.Report) sureCard {
	digits := 2
	if max(r.AUC.Judge.Value, r.AUC.Cosine.Value) >= 0.985 { // or a value near 1 would be shown as 1.00
		digits = 3
	}
	all := []chart.Measured{
		{Name: "The judge", Class: "main", Digits: digits, Figure: r.AUC.Judge},
		{Name: "LSI cosine", Class: "other", Digits: digits, Figure: r.AUC.Cosine},
	}
	return sureCard{ID: "sure-useful", Title: "Which page is useful", Says: usefulSays(r),
		Plots: intervals("sure-useful-plot", "Area under the ROC curve", chart.AroundHalf(all).Named("area under the curve, 1 is best"), all)}
}

func hopCard(r *model.Report) sureCard {
	c := sureCard{ID: "sure-hops", Title: "How many links away a page is", Says: hopSays(r)}
	if r.HopAgreement.N == 0 {
		return c
	}
	base := measure.Figure{Value: r.HopBaseline, Low: r.HopBaseline, High: r.HopBaseline, N: r.HopAgreement.N}
	all := []chart.Measured{
		{Name: "The model", Class: "main", Figure: r.HopAgreement},
		{Name: "Most common state", Class: "base", Figure: base, Alone: true},
	}
	c.Plots = intervals("sure-hops-plot", "Share of pages with the right state", chart.Scale{Name: "share of pages", To: 1, Percent: true}, all)
	m := confusion(r.HopConfusion)
	c.Matrix = &m
	return c
}

// confusion is the table of real and predicted states, farthest first as in the other pictures.
func confusion(counts [][]int) matrix {
	m := matrix{Corner: "Real", Caption: "Pages by their real state (row) and the state that the model gives (column), with their share of the row. Right states are framed."}
	for i := len(counts) - 1; i >= 0; i-- {
		m.Columns = append(m.Columns, "as "+stateName(i))
		total := 0
		for _, n := range counts[i] {
			total += n
		}
		row := matrixRow{Name: stateName(i)}
		for j := len(counts[i]) - 1; j >= 0; j-- {
			cell := matrixCell{Text: chart.Number(counts[i][j]), Note: "–"}
			if total > 0 {
				cell.Share = float64(counts[i][j]) / float64(total)
				cell.Note = frame.Percent(cell.Share)
			}
			if i == j {
				cell.Class = "right"
			}
			row.Cells = append(row.Cells, cell)
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func trustCard(r *model.Report) sureCard {
	c := sureCard{ID: "sure-trust", Title: "Whether its probabilities are right", Says: trustSays(r)}
	if p := chart.DrawReliability(r.Reliability); len(p.Bands) > 0 && r.Brier.N > 0 {
		c.Diagram = &reliabilityView{ID: "sure-trust-bands", Title: "Reliability of the judge", Plot: p,
			Caption: "On the dashed line, the probability equals the share of useful pages. A larger dot stands for more pages."}
	}
	all := []chart.Measured{
		{Name: "The judge", Class: "main", Digits: 3, Figure: r.Brier},
		{Name: "Base rate", Class: "base", Digits: 3, Figure: r.BrierBase},
	}
	c.Plots = intervals("sure-trust-plot", "Brier score, lower is better", chart.FromZero(all).Named("Brier score, 0 is best"), all)
	return c
}

// chosen describes a model's choice.
func chosen(c model.Choice) *chosenView {
	v := &chosenView{Why: frame.Sentence(c.Why), Measured: c.Measured}
	switch c.Relevance {
	case model.RelevantByCosine:
		v.Relevance, v.RelevanceMeans = "LSI cosine", "a page is a find if it is similar enough to one you marked Useful"
	case model.RelevantByJudge:
		v.Relevance, v.RelevanceMeans = "Judge", "a page is a find if you would probably mark it Useful"
	default:
		return nil
	}
	return v
}

// figureLines lists all figures, for readers who cannot see the pictures or want the numbers.
func figureLines(r *model.Report) []figureLine {
	var all []figureLine
	add := func(what string, f measure.Figure) {
		if f.N > 0 {
			all = append(all, figureLine{what, frame.Three(f.Value), frame.Three(f.Low), frame.Three(f.High), f.N})
		}
	}
	add("Mean reciprocal rank of the right link, by the judge's reading of its text", r.LinkMRR)
	add("… by the likeness of its text to useful pages", r.AnchorMRR)
	add("… by chance", r.ChanceMRR)
	add("Area under the ROC curve, by the judge", r.AUC.Judge)
	add("… by the LSI cosine", r.AUC.Cosine)
	add("Share of pages with the right state", r.HopAgreement)
	if r.HopAgreement.N > 0 {
		all = append(all, figureLine{What: "… with the most common state for every page", Value: frame.Three(r.HopBaseline), N: r.HopAgreement.N})
	}
	add("Brier score of the judge", r.Brier)
	add("… with the share of useful pages for every page", r.BrierBase)
	if r.Rehearsal != nil {
		sum := r.Rehearsal.Sum()
		add("Area under the recall curve of test crawls, by "+r.Rehearsal.Strategy, sum.Area)
		add("… by links in the order found", sum.BreadthFirst)
		add("… by links in random order", sum.Random)
	}
	return all
}
