package naivebayes

import (
	"math"
	"slices"

	"nightjar/model/tfidf"
)

// Gaussian is a Naive Bayes model that takes the weight of each term, also that of an absent one, which is 0, for a
// value of a normal distribution, in the way of Weka's NaiveBayes and NormalEstimator, which [PANORAMA] §3.3 used.
type Gaussian struct {
	LogPrior []float64   // ln of the share of the classes, each counted once more; len classes
	Step     []float64   // > 0: the precision to which the values of a term are rounded; len columns
	Mean     [][]float64 // classes×columns
	Width    [][]float64 // standard deviations, > 0; classes×columns

	absent []float64 // ln P(c) + Σ_t ln P(w_t = 0|c)
}

const (
	defaultStep = .01            // of a term with one value
	leastWidth  = 1. / 6         // of a step: three standard deviations to each side fill it
	flat        = 1e-10          // standard deviations that are less stand for none
	lnFloor     = -172.693881974 // ln 1e-75: no weight is less probable
)

// FitGaussian trains on rows; class[i] in [0, classes) is the class of row i, and the indices of the rows are in [0,
// columns). The probability of a weight is that of the interval of one step around it. A step is the mean difference of
// neighbouring values of the term in all rows.
func FitGaussian(rows []tfidf.Vector, class []int, classes, columns int) *Gaussian {
	g := &Gaussian{
		LogPrior: logShares(class, classes, 1), Step: steps(rows, columns),
		Mean: matrix(classes, columns), Width: matrix(classes, columns),
	}
	count, squares := make([]float64, classes), matrix(classes, columns)
	for i, r := range rows {
		c := class[i]
		count[c]++
		for k, t := range r.Index {
			x := g.round(r.Value[k], t)
			g.Mean[c][t] += x
			squares[c][t] += x * x
		}
	}
	for c := range classes {
		n := max(1, count[c])
		for t, sum := range g.Mean[c] {
			mean := sum / n
			g.Mean[c][t], g.Width[c][t] = mean, g.Step[t]*leastWidth
			if sd := math.Sqrt(math.Abs(squares[c][t]-mean*sum) / n); sd > flat {
				g.Width[c][t] = max(g.Width[c][t], sd)
			}
		}
	}
	g.prepare()
	return g
}

// steps gives the step of each term: (largest - smallest) / (different values - 1), counting 0 where a row lacks the
// term.
func steps(rows []tfidf.Vector, columns int) []float64 {
	values := make([][]float64, columns)
	for _, r := range rows {
		for k, t := range r.Index {
			values[t] = append(values[t], r.Value[k])
		}
	}
	out := make([]float64, columns)
	for t, all := range values {
		if len(all) < len(rows) {
			all = append(all, 0)
		}
		slices.Sort(all)
		out[t] = defaultStep
		if all = slices.Compact(all); len(all) > 1 {
			out[t] = (all[len(all)-1] - all[0]) / float64(len(all)-1)
		}
	}
	return out
}

func (g *Gaussian) round(x float64, term int32) float64 {
	return math.RoundToEven(x/g.Step[term]) * g.Step[term]
}

// prepare sums what pages without terms have, so that a page costs only its own terms.
func (g *Gaussian) prepare() {
	g.absent = slices.Clone(g.LogPrior)
	for c := range g.absent {
		for t := range g.Step {
			g.absent[c] += g.log(c, int32(t), 0)
		}
	}
}

// log is ln P(w_t = x|c), at least ln 1e-75.
func (g *Gaussian) log(class int, term int32, x float64) float64 {
	width := g.Width[class][term]
	from := (g.round(x, term) - g.Mean[class][term] - g.Step[term]/2) / width
	return max(lnFloor, math.Log(between(from, from+g.Step[term]/width)))
}

// between is the probability that a standard normal value is in [from, to], exact in the tails.
func between(from, to float64) float64 {
	tail := func(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
	switch {
	case from > 0:
		return tail(from) - tail(to)
	case to < 0:
		return tail(-to) - tail(-from)
	}
	return 1 - tail(to) - tail(-from)
}

// Joint gives ln P(c) + Σ_t ln P(w_t|c) over all terms for each class.
func (g *Gaussian) Joint(v tfidf.Vector) []float64 {
	joint := slices.Clone(g.absent)
	for c := range joint {
		for k, t := range v.Index {
			if x := v.Value[k]; x != 0 {
				joint[c] += g.log(c, t, x) - g.log(c, t, 0)
			}
		}
	}
	return joint
}
