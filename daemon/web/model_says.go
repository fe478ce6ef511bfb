package web

import (
	"fmt"
	"math"
	"strconv"

	"nightjar/model"
	"nightjar/model/measure"
)

// unmeasured is said of what the session gave nothing to measure by.
const unmeasured = "This could not be measured: the session holds too little for it."

// standing is how one figure stands to another: 2 above it beyond both intervals, 1 above within them, 0 equal, and the
// same below.
func standing(a, b measure.Figure) int {
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

// verdictOn says in a sentence how what is measured stands to what would do without it.
func verdictOn(subject string, a measure.Figure, other string, b measure.Figure) string {
	switch standing(a, b) {
	case 2:
		return subject + " is clearly better than " + other + "."
	case 1:
		return subject + " is ahead of " + other + ", but not by enough to be sure: the intervals overlap."
	case -1:
		return subject + " is behind " + other + ", though it may be chance: the intervals overlap."
	case -2:
		return subject + " is clearly worse than " + other + "."
	}
	return subject + " is no better than " + other + "."
}

// linkSays tells the ranks that a mean reciprocal rank stands for: its inverse, the harmonic mean of the ranks.
func linkSays(r *model.Report) string {
	if r.LinkMRR.N == 0 {
		return unmeasured
	}
	say := "Among the links of a page, the first that leads nearer to a useful page stands typically at place " + place(r.LinkMRR) + " in the model's order"
	if r.AnchorMRR.N > 0 {
		say += ", at " + place(r.AnchorMRR) + " by anchor text alone"
	}
	if r.ChanceMRR.N > 0 {
		say += ", at " + place(r.ChanceMRR) + " by chance"
	}
	say += "."
	if r.AnchorMRR.N > 0 {
		say += " " + verdictOn("The model's order", r.LinkMRR, "anchor text alone", r.AnchorMRR)
	}
	if r.ChanceMRR.N > 0 && standing(r.LinkMRR, r.ChanceMRR) < 2 {
		say += " It cannot be told from chance."
	}
	return say
}

// crawlSays says what the crawls of a report are. Which emission does better is said by the choice that was made by them.
const crawlSays = "How soon crawls of your own sessions come to useful pages that were hidden from the model: 1 would be all of them at once."

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
		return fmt.Sprintf("Of a useful page and another one, the LSI cosine puts the useful one first %s of the time. ", percent(cosine.Value)) +
			verdictOn("It", cosine, "guessing", guessing)
	case cosine.N == 0:
		return fmt.Sprintf("Of a useful page and another one, the judge puts the useful one first %s of the time. ", percent(judge.Value)) +
			verdictOn("It", judge, "guessing", guessing)
	}
	say := fmt.Sprintf("Of a useful page and another one, the judge puts the useful one first %s of the time, the LSI cosine %s.",
		percent(judge.Value), percent(cosine.Value))
	if standing(judge, guessing) < 2 {
		say += " It cannot be told from guessing."
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
	return fmt.Sprintf("Of %s, the model names the right number of links to a useful page for %s; saying %s of all of them would be right for %s. ",
		plural(r.HopAgreement.N, "page", "pages"), percent(r.HopAgreement.Value), stateName(common), percent(r.HopBaseline)) +
		verdictOn("The model", r.HopAgreement, "that", base)
}

// trustSays tells the mean distance between what was said and what is, weighted by the pages of the bands.
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
		say = fmt.Sprintf("When the judge gives a probability, it is off by %s on average. ", points(off))
	}
	if r.BrierBase.N == 0 {
		return say
	}
	low := func(f measure.Figure) measure.Figure { // lower is better
		return measure.Figure{Value: -f.Value, Low: -f.High, High: -f.Low, N: f.N}
	}
	return say + verdictOn("Asking the judge", low(r.Brier), "saying the share of useful pages of every page", low(r.BrierBase))
}

// points writes a difference of shares.
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
