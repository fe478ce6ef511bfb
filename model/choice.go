package model

import (
	"fmt"

	"nightjar/model/measure"
)

// With fewer targets or links than these, the report says that there is too little data.
const (
	fewTargets = 5
	fewLinks   = 10
)

// defaultChoice is used until there is a report, and when the report cannot tell: the soft emission, which reads more of a
// page than the number of its cluster, and the paper's test of relevance.
func defaultChoice() Choice {
	return Choice{Emission: SoftEmission, Relevance: RelevantByCosine, Why: "Not measured on this session. By default, words say how far a page is from a useful one, and similarity to the useful pages decides what is shown."}
}

// choose takes the emission that finds the held-back useful pages earlier, and the test of relevance that tells them
// better from others.
func (a *assessment) choose(r *Report, folds []*answers) Choice {
	c := defaultChoice()
	if r.Crawl.Soft.N < 2 || r.AUC.Judge.N == 0 {
		return c
	}
	c.Measured = true
	if r.Crawl.Hard.Value > r.Crawl.Soft.Value {
		c.Emission = HardEmission
	}
	d := measure.Difference(areas(folds, soft), areas(folds, hard), a.random(figureDifference))
	c.Why = fmt.Sprintf("In test crawls of the session's own pages, words found the useful pages that were held back with an area of %.2f and clusters with %.2f, so %s do better here%s.",
		r.Crawl.Soft.Value, r.Crawl.Hard.Value, c.Emission, unsure(d))
	if r.AUC.Judge.Value > r.AUC.Cosine.Value {
		c.Relevance = RelevantByJudge
	}
	cosines, said, useful := heldBack(folds)
	d = measure.AUCDifference(said, cosines, useful, a.random(figureDifference))
	c.Why += fmt.Sprintf(" The judge tells useful pages from others with an area of %.2f, similarity to the useful ones with %.2f, so %s decides%s.",
		r.AUC.Judge.Value, r.AUC.Cosine.Value, relevanceName(c.Relevance), unsure(d))
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

// verdict says in words how reliable the model is.
func verdict(r *Report) string {
	useful := 0
	for _, b := range r.Reliability {
		useful += int(b.Useful*float64(b.N) + 0.5)
	}
	switch {
	case r.Folds == 0:
		return "Too little to tell: with only one useful page, none can be held back to test the model. Mark more pages Useful."
	case useful < fewTargets:
		return fmt.Sprintf("Too little to tell: %d useful pages are too few to say how sure the model is. Mark more pages Useful.", useful)
	}
	return linkVerdict(r) + " " + judgeVerdict(r)
}

func linkVerdict(r *Report) string {
	base, name := r.ChanceMRR, "chance"
	if r.AnchorMRR.Value > base.Value {
		base, name = r.AnchorMRR, "the anchor texts alone"
	}
	switch {
	case r.LinkMRR.N < fewLinks:
		return fmt.Sprintf("Too little to tell how well it chooses links: only %d pages could be asked about.", r.LinkMRR.N)
	case r.LinkMRR.Low > base.High:
		return fmt.Sprintf("It chooses links clearly better than %s.", name)
	case r.LinkMRR.Value > base.Value:
		return fmt.Sprintf("It seems to choose links better than %s, but the session is too small to be sure.", name)
	default:
		return fmt.Sprintf("It does not choose links better than %s.", name)
	}
}

func judgeVerdict(r *Report) string {
	best := r.AUC.Cosine
	if r.Choice.Relevance == RelevantByJudge {
		best = r.AUC.Judge
	}
	switch {
	case best.Low > 0.8:
		return fmt.Sprintf("It tells useful pages from others well: of a useful and another page it prefers the useful one %.0f times in 100.", 100*best.Value)
	case best.Low > 0.5:
		return fmt.Sprintf("It tells useful pages from others, with mistakes: of a useful and another page it prefers the useful one %.0f times in 100.", 100*best.Value)
	default:
		return "Whether it tells useful pages from others cannot be said from this session."
	}
}
