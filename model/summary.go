package model

import (
	"slices"

	"nightjar/model/measure"
)

// Numbers of the figures, each of which has a random source of its own.
const (
	figureLink = iota
	figureAnchor
	figureChance
	figureHops
	figureCosine
	figureJudge
	figureBrier
	figureBase
)

// bands is the number of bands of the reliability diagram.
const bands = 10

// report sums up the answers of the folds, which are in order.
func (a *assessment) report(folds []*answers) *Report {
	r := &Report{Folds: len(folds)}
	a.relevanceFigures(r, folds)
	r.Choice = choose(heldBack(folds))
	a.linkFigures(r, folds)
	a.hopFigures(r, folds)
	for _, f := range r.figures() {
		*f = f.Within(0, 1)
	}
	r.Verdict = verdict(r)
	return r
}

func (a *assessment) linkFigures(r *Report, folds []*answers) {
	var link, anchor, chance []float64
	for _, f := range folds {
		link, anchor, chance = append(link, f.link...), append(anchor, f.anchor...), append(chance, f.chance...)
	}
	r.LinkMRR = measure.Mean(link, a.random(figureLink))
	r.AnchorMRR = measure.Mean(anchor, a.random(figureAnchor))
	r.ChanceMRR = measure.Mean(chance, a.random(figureChance))
}

func (a *assessment) hopFigures(r *Report, folds []*answers) {
	n := a.settings.States
	r.HopConfusion = make([][]int, n)
	for i := range r.HopConfusion {
		r.HopConfusion[i] = make([]int, n)
	}
	var agrees []float64
	real := make([]int, n)
	for _, f := range folds {
		for _, p := range f.pages {
			r.HopConfusion[p.state][p.said]++
			real[p.state]++
			agree := 0.0
			if p.said == p.state {
				agree = 1
			}
			agrees = append(agrees, agree)
		}
	}
	r.HopAgreement = measure.Ratio(agrees, slices.Repeat([]float64{1}, len(agrees)), a.random(figureHops))
	if len(agrees) > 0 {
		r.HopBaseline = float64(slices.Max(real)) / float64(len(agrees))
	}
}

// relevanceFigures measures how well the cosine and the judge tell useful pages from others, and how good the judge's
// probabilities are.
func (a *assessment) relevanceFigures(r *Report, folds []*answers) {
	cosines, said, useful := heldBack(folds)
	r.AUC.Cosine = measure.AUC(cosines, useful, a.random(figureCosine))
	r.AUC.Judge = measure.AUC(said, useful, a.random(figureJudge))
	r.Brier = measure.Brier(said, useful, a.random(figureBrier))
	if len(useful) == 0 {
		return
	}
	share := float64(count(useful)) / float64(len(useful))
	r.BrierBase = measure.Brier(slices.Repeat([]float64{share}, len(useful)), useful, a.random(figureBase))
	r.Reliability = reliability(said, useful)
}

// heldBack lists for all pages that were held back their cosine to a known target, the judge's probability, and whether
// they are useful.
func heldBack(folds []*answers) (cosines, said []float64, useful []bool) {
	for _, f := range folds {
		for _, p := range f.pages {
			cosines, said, useful = append(cosines, p.cosine), append(said, p.useful), append(useful, p.target)
		}
	}
	return cosines, said, useful
}

// reliability puts probabilities into bands of equal width, and compares their mean with the share of useful pages. Empty
// bands are left out.
func reliability(said []float64, useful []bool) []Band {
	all := make([]Band, bands)
	for i, p := range said {
		b := &all[min(int(p*bands), bands-1)]
		b.N++
		b.Said += p
		if useful[i] {
			b.Useful++
		}
	}
	var out []Band
	for k, b := range all {
		if b.N == 0 {
			continue
		}
		b.Low, b.High = float64(k)/bands, float64(k+1)/bands
		b.Said, b.Useful = b.Said/float64(b.N), b.Useful/float64(b.N)
		out = append(out, b)
	}
	return out
}
