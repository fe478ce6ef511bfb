package model

import (
	"fmt"

	"nightjar/model/measure"
)

// defaultChoice is used where the session is too small to measure the tests of relevance: the paper's test.
func defaultChoice() Choice {
	return Choice{Relevance: RelevantByCosine, Why: "Not measured on this session. By default, similarity to the useful pages decides what is shown."}
}

// choose takes the test of relevance that tells useful pages better from others, by what each said of pages that it had not
// seen: their cosines and what the judge said of them. A training chooses by the folds that calibrate the judge, a report by its own.
func choose(cosines, said []float64, useful []bool) Choice {
	c := defaultChoice()
	if count(useful) < measure.EnoughUseful || len(said) == 0 {
		return c
	}
	cosine, judge := measure.AUC(cosines, useful, nil), measure.AUC(said, useful, nil)
	if judge.N == 0 {
		return c
	}
	c.Measured = true
	if judge.Value > cosine.Value {
		c.Relevance = RelevantByJudge
	}
	d := measure.AUCDifference(said, cosines, useful, nil)
	c.Why = fmt.Sprintf("The judge tells useful pages from others with an area of %.2f, similarity to the useful ones with %.2f, so %s decides%s.",
		judge.Value, cosine.Value, relevanceName(c.Relevance), unsure(d))
	return c
}

func relevanceName(r string) string {
	if r == RelevantByJudge {
		return "the judge"
	}
	return "similarity"
}

// unsure returns a remark when a difference may be chance.
func unsure(d measure.Figure) string {
	if d.Low > 0 || d.High < 0 {
		return ""
	}
	return ", though the difference may be chance"
}

// Useful returns how many useful pages were held back in all.
func (r *Report) Useful() int {
	useful := 0
	for _, b := range r.Reliability {
		useful += int(b.Useful*float64(b.N) + 0.5)
	}
	return useful
}

// Rehearsed returns the report with what test crawls found, and with the verdict that follows.
func (r *Report) Rehearsed(found *Rehearsal) *Report {
	with := *r
	with.Rehearsal = found
	with.Verdict = verdict(&with)
	return &with
}

// verdict says in words how reliable the model is.
func verdict(r *Report) string {
	switch useful := r.Useful(); {
	case r.Folds == 0:
		return "Too little to tell: with only one useful page, none can be held back to test the model. Mark more pages Useful."
	case useful < measure.EnoughUseful:
		return fmt.Sprintf("Too little to tell: %d useful pages are too few to say how sure the model is. Mark more pages Useful.", useful)
	case r.Rehearsal == nil:
		return judgeVerdict(r)
	}
	return r.Rehearsal.Verdict() + " " + judgeVerdict(r)
}

func judgeVerdict(r *Report) string {
	best := r.AUC.Cosine
	if r.Choice.Relevance == RelevantByJudge {
		best = r.AUC.Judge
	}
	switch {
	case best.Low > 0.8:
		return fmt.Sprintf("It tells useful pages from others well: of a useful and another page it prefers the useful one %.0f times in 100.", 100*best.Value)
	case best.Low > 0.5 && best.Value > 0.95: // the session is small, not the model bad
		return fmt.Sprintf("It tells useful pages from others: of a useful and another page it prefers the useful one %.0f times in 100.", 100*best.Value)
	case best.Low > 0.5:
		return fmt.Sprintf("It tells useful pages from others, with mistakes: of a useful and another page it prefers the useful one %.0f times in 100.", 100*best.Value)
	default:
		return "This session cannot show whether it tells useful pages from others."
	}
}
