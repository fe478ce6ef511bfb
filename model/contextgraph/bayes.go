package contextgraph

import "math"

// rounding is the largest difference of two mean logs that is due to rounding.
const rounding = 1e-9

// Other is the layer of a page that fits no layer.
const Other = -1

// Class is the result of classifying a page.
type Class struct {
	Layer     int     // j of the winning layer, or Other
	Mean      float64 // mean log likelihood of a word of the page in the layer that fits best, at most 0; -Inf without words
	Posterior float64 // P(c_j|d) of that layer; 0 without words
	Odds      float64 // mean log likelihood in layer 0 less the best of the other layers; 0 when there are none
}

// addClass trains the classifier of a layer on its reduced pages. A layer whose pages have no words has none.
//
//	P(w_t|c_j) = (1 + Σ_{d∈D_j} N(w_t,d)) / (|V| + Σ_{d∈D_j} Σ_s N(w_s,d))        [CGS] §3.2, eq. (4)
//
// P(c_j|d) of the printed equation is 1 for the pages of the layer and 0 for others.
func (m *Model) addClass(layer int, docs []Document) {
	total := 0.0
	logWord := make([]float64, len(m.inverse))
	for _, d := range docs {
		for k, w := range d.Index {
			logWord[w] += float64(d.Count[k])
			total += float64(d.Count[k])
		}
	}
	if total == 0 {
		return
	}
	for w, n := range logWord {
		logWord[w] = math.Log((1 + n) / (float64(m.vocabulary) + total))
	}
	least := math.Inf(1)
	for _, d := range docs {
		if sum, n := likelihood(logWord, d); n > 0 {
			least = math.Min(least, sum/n)
		}
	}
	m.layer, m.logWord, m.threshold = append(m.layer, layer), append(m.logWord, logWord), append(m.threshold, least)
}

// likelihood is ln P(d|c_j), the sum of [CGS] eq. (3) over the words of a page as often as they occur, and their number.
func likelihood(logWord []float64, d Document) (sum, words float64) {
	for k, w := range d.Index {
		sum += float64(d.Count[k]) * logWord[w]
		words += float64(d.Count[k])
	}
	return sum, words
}

// Classify returns the layer of a page: the one with the largest P(c_j|d), where all layers have the prior 1/C. The layer is
// Other when the page has no word of the vocabulary, or when it does not fit: its words are less likely in that layer than
// those of each training page, [CGS] §3.3.
func (m *Model) Classify(d Document) Class {
	c := Class{Layer: Other, Mean: math.Inf(-1)}
	d = m.reduce(d)
	if len(d.Index) == 0 || len(m.layer) == 0 {
		return c
	}
	scores, words := make([]float64, len(m.layer)), 0.0
	best := 0
	for j, logWord := range m.logWord {
		if scores[j], words = likelihood(logWord, d); scores[j] > scores[best] {
			best = j // on a tie the layer nearest to the targets stays
		}
	}
	rest, sum := math.Inf(-1), 0.0
	for j, s := range scores {
		sum += math.Exp(s - scores[best])
		if m.layer[j] != 0 {
			rest = math.Max(rest, s)
		}
	}
	c.Mean, c.Posterior = math.Min(0, scores[best]/words), 1/sum
	if m.layer[0] == 0 && len(m.layer) > 1 {
		c.Odds = (scores[0] - rest) / words
	}
	if scores[best]/words >= m.threshold[best]-rounding {
		c.Layer = m.layer[best]
	}
	return c
}
