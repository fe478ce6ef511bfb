package pages

import (
	"fmt"
	"math"
	"strconv"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/measure"
)

// unmeasured is shown for a figure that the session has too little data for.
const unmeasured = "This could not be measured: the session has too little data."

// compare returns how a compares to b: ±2 when their intervals do not overlap, ±1 when they do and the values differ, else
// 0; positive when a is larger.
func compare(a, b measure.Figure) int {
	switch {
	case a.Low > b.High:
		return 2
	case a.High < b.Low:
		return -2
	case a.Value > b.Value:
		return 1
	case a.Value < b.Value:
		return -1
	}
	return 0
}

// verdictOn compares a figure with its baseline in a sentence.
func verdictOn(subject string, a measure.Figure, other string, b measure.Figure) string {
	switch compare(a, b) {
	case 2:
		return subject + " is clearly better than " + other + "."
	case 1:
		return subject + " is better than " + other + ", but this may be chance: the intervals overlap."
	case -1:
		return subject + " is worse than " + other + ", but this may be chance: the intervals overlap."
	case -2:
		return subject + " is clearly worse than " + other + "."
	}
	return subject + " is no better than " + other + "."
}

// linkSays explains mean reciprocal ranks by their inverse, the harmonic mean of the ranks.
func linkSays(r *model.Report) string {
	if r.LinkMRR.N == 0 {
		return unmeasured
	}
	say := "Of the links of a page, the first that leads nearer to a useful page is typically at place " + place(r.LinkMRR) + " when the judge reads their texts"
	if r.AnchorMRR.N > 0 {
		say += ", at " + place(r.AnchorMRR) + " by their likeness to useful pages"
	}
	if r.ChanceMRR.N > 0 {
		say += ", at " + place(r.ChanceMRR) + " by chance"
	}
	say += "."
	if r.AnchorMRR.N > 0 {
		say += " " + verdictOn("The judge", r.LinkMRR, "likeness", r.AnchorMRR)
	}
	if r.ChanceMRR.N > 0 && compare(r.LinkMRR, r.ChanceMRR) < 2 {
		say += " It is not clearly better than chance."
	}
	return say
}

func place(f measure.Figure) string {
	if f.Value <= 0 {
		return "∞"
	}
	return strconv.FormatFloat(1/f.Value, 'f', 1, 64)
}

func usefulSays(r *model.Report) string {
	judge, cosine := r.AUC.Judge, r.AUC.Cosine
	guessing := measure.Figure{Value: 0.5, Low: 0.5, High: 0.5, N: 1}
	switch {
	case judge.N == 0 && cosine.N == 0:
		return unmeasured
	case judge.N == 0:
		return fmt.Sprintf("Given a useful page and another one, the LSI cosine puts the useful one first %s of the time. ", frame.Percent(cosine.Value)) +
			verdictOn("It", cosine, "guessing", guessing)
	case cosine.N == 0:
		return fmt.Sprintf("Given a useful page and another one, the judge puts the useful one first %s of the time. ", frame.Percent(judge.Value)) +
			verdictOn("It", judge, "guessing", guessing)
	}
	say := fmt.Sprintf("Given a useful page and another one, the judge puts the useful one first %s of the time, the LSI cosine %s.",
		frame.Percent(judge.Value), frame.Percent(cosine.Value))
	if compare(judge, guessing) < 2 {
		say += " It is not clearly better than guessing."
	}
	return say
}

func hopSays(r *model.Report) string {
	if r.HopAgreement.N == 0 {
		return unmeasured
	}
	common, most := 0, -1
	for i, row := range r.HopConfusion {
		sum := 0
		for _, n := range row {
			sum += n
		}
		if sum > most {
			common, most = i, sum
		}
	}
	base := measure.Figure{Value: r.HopBaseline, Low: r.HopBaseline, High: r.HopBaseline}
	return fmt.Sprintf("Of %s, the model gives %s the right number of links to a useful page; giving all of them %s would be right for %s. ",
		chart.Plural(r.HopAgreement.N, "page", "pages"), frame.Percent(r.HopAgreement.Value), stateName(common), frame.Percent(r.HopBaseline)) +
		verdictOn("The model", r.HopAgreement, "that", base)
}

// trustSays gives the mean difference between the probabilities and the shares of useful pages, weighted by the pages of
// each band.
func trustSays(r *model.Report) string {
	if r.Brier.N == 0 {
		return unmeasured
	}
	say := ""
	sum, pages := 0.0, 0
	for _, b := range r.Reliability {
		sum += math.Abs(b.Said-b.Useful) * float64(b.N)
		pages += b.N
	}
	if pages > 0 {
		off := sum / float64(pages)
		say = fmt.Sprintf("The probabilities of the judge are off by %s on average. ", points(off))
	}
	if r.BrierBase.N == 0 {
		return say
	}
	low := func(f measure.Figure) measure.Figure { // lower is better
		return measure.Figure{Value: -f.Value, Low: -f.High, High: -f.Low, N: f.N}
	}
	return say + verdictOn("The judge", low(r.Brier), "giving every page the share of useful pages", low(r.BrierBase))
}

// points writes a difference of shares in percentage points.
func points(v float64) string {
	text := strconv.FormatFloat(v*100, 'f', 0, 64)
	if v*100 < 9.95 {
		text = strconv.FormatFloat(v*100, 'f', 1, 64)
	}
	if text == "1.0" {
		return "1 percentage point"
	}
	return text + " percentage points"
}
