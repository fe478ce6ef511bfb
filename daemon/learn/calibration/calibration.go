// Package calibration corrects the probabilities that the judge gives to finds by the person's marks, and says how many finds are
// probably useful (Yields). It is learned per topic, from pairs of what the judge said of a find and what the person said of it.
//
// The judge is off by about the same on all pages of a night: a crawl meets pages that the session did not have. Estimates of
// single finds are therefore not independent, and an interval that takes them as independent is far too narrow. So the log odds of
// all finds of a topic are taken to be off by one amount δ:
//
//	P(find i is useful | δ) = 1/(1 + exp(-(ln(p_i/(1-p_i)) + δ))),  δ ~ Normal(0, Spread²) before any mark
//
// This is Platt's calibration (J. Platt, Probabilistic outputs for support vector machines, 1999) with a fixed slope of 1 and a
// normal prior for its intercept. The number of useful finds is that of the known ones and a sum of independent ones for each δ,
// averaged over the distribution of δ given the marks.
//
// Spread was chosen on 44 crawls of benchmark tasks, where the intervals held the number 36 times, and 39 times after ten
// marks. One of the sum times a factor whose log has the standard deviation .34 held it 27 times. The report of the lab's verb bench
// says how often they hold.
//
// Everything that is said of past finds uses it: the number beside a crawl's finds, what a night brought beside its forecast, and
// the nights that a forecast (package forecast) goes by. The estimate of a crawl's next pages (package promise of the crawler) does
// not. Its factor corrects something else, which marks on finds do not tell; daemon/lab/reports/STOPPING.md has the figures.
package calibration

import "math"

const (
	Spread  = 1.0 // standard deviation of δ before any mark
	Covered = .8  // share of crawls whose number lies in the interval
)

// Mark is a find that the person called useful or not.
type Mark struct {
	P      float64 // the judge's probability, in [0, 1]
	Useful bool    // what the person said
}

// Calibration is the distribution of δ for a topic, given its marks. Make it with Learn.
type Calibration struct{ shifts []shift }

// shift is a value of δ and its probability.
type shift struct{ by, weight float64 }

// Learn learns δ from marks, on a grid. Values that are too improbable to matter are left out.
func Learn(marks []Mark) Calibration {
	const step, widest, improbable = .1, 6, 1e-6
	var all []shift
	most := math.Inf(-1)
	for k := -int(widest / step); k <= int(widest/step); k++ {
		s := shift{by: step * float64(k)}
		s.weight = -s.by * s.by / (2 * Spread * Spread)
		for _, m := range marks {
			q := shifted(m.P, s.by)
			if !m.Useful {
				q = 1 - q
			}
			s.weight += math.Log(q)
		}
		all, most = append(all, s), max(most, s.weight)
	}
	var c Calibration
	sum := 0.0
	for _, s := range all {
		if s.weight = math.Exp(s.weight - most); s.weight > improbable {
			c.shifts, sum = append(c.shifts, s), sum+s.weight
		}
	}
	for i := range c.shifts {
		c.shifts[i].weight /= sum
	}
	return c
}

// shifted adds to the log odds of a probability. Probabilities within 1e-4 of 0 and 1 count as that far away.
func shifted(p, by float64) float64 {
	const least = 1e-4
	p = min(max(p, least), 1-least)
	return 1 / (1 + (1-p)/p*math.Exp(-by))
}

// Number is how many of some finds are useful. Known <= Low <= High <= Known + Open <= Finds.
type Number struct {
	Finds    int     // all of them
	Known    int     // marked useful
	Open     int     // not marked
	Expected float64 // useful, the known ones included
	Low      int     // with probability Covered the number is at least this
	High     int     // and at most this
}

// Count says how many of some finds are useful: marked ones, and open ones with these probabilities. The marks only count here:
// Learn must have seen them.
func (c Calibration) Count(marked []Mark, open []float64) Number {
	n := Number{Finds: len(open) + len(marked), Open: len(open)}
	for _, m := range marked {
		if m.Useful {
			n.Known++
		}
	}
	n.Expected = float64(n.Known)
	parts := make([]part, len(c.shifts))
	for i, s := range c.shifts {
		p := part{weight: s.weight}
		for _, q := range open {
			q = shifted(q, s.by)
			p.mean, p.variance = p.mean+q, p.variance+q*(1-q)
		}
		parts[i] = p
		n.Expected += p.weight * p.mean
	}
	n.Low, n.High = n.Known, n.Known+n.Open
	for below(parts, n.Low-n.Known) < (1-Covered)/2 && n.Low < n.High {
		n.Low++
	}
	for n.High > n.Low && below(parts, n.High-1-n.Known) >= (1+Covered)/2 {
		n.High--
	}
	return n
}

// part is the number of useful open finds with one δ, in a mixture.
type part struct{ weight, mean, variance float64 }

// below is the probability of a number of at most k. Each part is taken as normal, with a correction for continuity.
func below(parts []part, k int) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p.weight * .5 * math.Erfc((p.mean-float64(k)-.5)/math.Sqrt(2*p.variance+1e-12))
	}
	return sum
}
