// Package yield says how many of the pages that a crawl found are probably useful, from the probability that the judge
// gave each of them and from the marks of the person.
//
// The judge is off by about the same on all pages of a night: a crawl meets pages that the session did not have. Estimates of
// single finds are therefore not independent, and an interval that takes them as independent is far too narrow. Of
// supposes that the log odds of all finds of a topic are off by one amount δ, which it learns from the marked ones:
//
//	P(find i is useful | δ) = 1/(1 + exp(-(ln(p_i/(1-p_i)) + δ))),  δ ~ Normal(0, Spread²) before any mark
//
// This is a logistic regression with a fixed slope of 1 and a normal prior for its intercept. The number of useful finds is
// the known ones and a sum of independent ones for each δ, averaged over the distribution of δ given the marks.
//
// Spread was chosen on 44 crawls of benchmark tasks, where the intervals held the number 36 times, and 39 times after ten
// marks. One of the sum times a factor whose log has the standard deviation .34 held it 27 times. The report of nightjar
// bench says how often they hold.
package yield

import "math"

// Spread is the standard deviation of δ before any mark. Covered is the share of crawls whose number lies in the interval.
const (
	Spread  = 1.0
	Covered = .8
)

// Enough is the smallest number of finds of which a number is told: of fewer the person reads each probability.
const Enough = 5

// Marked is a find that the person marked.
type Marked struct {
	P      float64 // the judge's probability, in [0, 1]
	Useful bool    // what the person said
}

// Number is how many of some finds are useful. Known <= Low <= High <= Finds.
type Number struct {
	Finds    int     // all of them
	Known    int     // marked useful
	Open     int     // not marked
	Expected float64 // useful, the known ones included
	Low      int     // with probability Covered the number is at least this
	High     int     // and at most this
}

// Of counts the useful ones among finds: open ones with these probabilities, and marked ones. Others are marked finds of the
// same topic that are not counted, but tell δ.
func Of(open []float64, marked, others []Marked) Number {
	n := Number{Finds: len(open) + len(marked), Open: len(open)}
	for _, m := range marked {
		if m.Useful {
			n.Known++
		}
	}
	var parts []part
	all := 0.0
	for _, s := range shifts(marked, others) {
		p := part{weight: s.weight}
		for _, q := range open {
			q = shifted(q, s.by)
			p.mean, p.variance = p.mean+q, p.variance+q*(1-q)
		}
		parts, all = append(parts, p), all+s.weight
		n.Expected += s.weight * p.mean
	}
	n.Expected = float64(n.Known) + n.Expected/all
	n.Low, n.High = n.Known, n.Known+n.Open
	for below(parts, n.Low-n.Known)/all < (1-Covered)/2 && n.Low < n.High {
		n.Low++
	}
	for n.High > n.Low && below(parts, n.High-1-n.Known)/all >= (1+Covered)/2 {
		n.High--
	}
	return n
}

// part is the number of useful open finds with one δ, in a mixture.
type part struct{ weight, mean, variance float64 }

// below is the summed weight of numbers of at most k. Each part is taken as normal, with a correction for continuity.
func below(parts []part, k int) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p.weight * .5 * math.Erfc((p.mean-float64(k)-.5)/math.Sqrt(2*p.variance+1e-12))
	}
	return sum
}

// shift is a value of δ and its probability, up to a factor.
type shift struct{ by, weight float64 }

// shifts is the distribution of δ given the marks, on a grid.
func shifts(lists ...[]Marked) []shift {
	const step, widest = .1, 6
	var all []shift
	most := math.Inf(-1)
	for k := -int(widest / step); k <= int(widest/step); k++ {
		s := shift{by: step * float64(k)}
		s.weight = -s.by * s.by / (2 * Spread * Spread)
		for _, list := range lists {
			for _, m := range list {
				q := shifted(m.P, s.by)
				if !m.Useful {
					q = 1 - q
				}
				s.weight += math.Log(q)
			}
		}
		all, most = append(all, s), max(most, s.weight)
	}
	for i := range all {
		all[i].weight = math.Exp(all[i].weight - most)
	}
	return all
}

// shifted adds to the log odds of a probability. Probabilities within 1e-4 of 0 and 1 count as that far away.
func shifted(p, by float64) float64 {
	const least = 1e-4
	p = min(max(p, least), 1-least)
	return 1 / (1 + (1-p)/p*math.Exp(-by))
}

// Tendency is the distribution of δ that the marks of a topic give. It is made once for the finds of many crawls.
type Tendency struct {
	shifts []shift
	all    float64
}

// Tell learns δ from marked finds.
func Tell(marked []Marked) Tendency {
	t := Tendency{shifts: shifts(marked)}
	for _, s := range t.shifts {
		t.all += s.weight
	}
	return t
}

// Expected is the number to expect of useful ones among open finds: with all marks of the topic, Number.Expected without Known.
func (t Tendency) Expected(open []float64) float64 {
	sum := 0.0
	for _, s := range t.shifts {
		if s.weight < 1e-4*t.all/float64(len(t.shifts)) {
			continue // too improbable to matter
		}
		for _, p := range open {
			sum += s.weight * shifted(p, s.by)
		}
	}
	return sum / t.all
}
