package forecast

import (
	"math"
	"slices"

	"nightjar/daemon/forecast"
)

// ridge is the penalty of a squared weight, in nights; the constant has none. It keeps weights small that a few webs cannot tell.
const ridge = 0.02

// fit fits the constants on nights.
func fit(all []night) *forecast.Constants {
	c := &forecast.Constants{}
	var firsts, laters []night
	for _, n := range all {
		if n.Kind == first {
			firsts = append(firsts, n)
		} else {
			laters = append(laters, n)
		}
	}
	c.First = fitLine(firsts, forecast.First)
	c.Later = fitLine(laters, forecast.Later)
	return c
}

// weights give each web the same weight, each task of a web, and each kind of night of a task; they add up to 1.
func weights(all []night) []float64 {
	tasks, kinds, nights := map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]int{}
	count := func(sets map[string]map[string]bool, of, what string) {
		if sets[of] == nil {
			sets[of] = map[string]bool{}
		}
		sets[of][what] = true
	}
	for _, n := range all {
		count(tasks, n.Web, n.Task)
		count(kinds, n.Task, n.Kind)
		nights[n.Task+n.Kind]++
	}
	w := make([]float64, len(all))
	for i, n := range all {
		w[i] = 1 / float64(len(tasks)*len(tasks[n.Web])*len(kinds[n.Task])*nights[n.Task+n.Kind])
	}
	return w
}

// fitLine fits the weights by least squares, and the spread so that as many nights as Share of a web that was left out lie in their
// intervals: a spread fitted on the residuals of the same webs would be too small.
func fitLine(all []night, signals func(forecast.Inputs) []float64) forecast.Line {
	line := forecast.Line{Weights: regress(all, signals)}
	var needs []need
	for _, web := range webs(all) {
		var rest, out []night
		for _, n := range all {
			if n.Web == web {
				out = append(out, n)
			} else {
				rest = append(rest, n)
			}
		}
		if len(rest) == 0 {
			continue
		}
		without := forecast.Line{Weights: regress(rest, signals)}
		for i, w := range weights(out) {
			needs = append(needs, need{without, without.Mean(signals(out[i].In)), out[i].Came, w})
		}
	}
	line.Spread = spread(needs)
	return line
}

// need is a night left out, with its prediction.
type need struct {
	line   forecast.Line
	mean   float64
	came   float64
	weight float64
}

// spread is the smallest for which the share forecast.Share of the nights lies in the intervals.
func spread(all []need) float64 {
	total := 0.0
	for _, n := range all {
		total += n.weight
	}
	for s := 0.1; s < 4; s += 0.02 {
		in := 0.0
		for _, n := range all {
			n.line.Spread = s
			low, high := n.line.Bounds(n.mean)
			f := forecast.Forecast{Low: math.Max(math.Expm1(low), 0), High: math.Expm1(high)}
			if f.Holds(n.came) {
				in += n.weight
			}
		}
		if in >= forecast.Share*total {
			return s
		}
	}
	return 4
}

// regress solves the weighted ridge regression of log(1 + came) on the signals.
func regress(all []night, signals func(forecast.Inputs) []float64) []float64 {
	var a [][]float64 // the normal equations, with their right side as the last column
	for i, w := range weights(all) {
		x := signals(all[i].In)
		if a == nil {
			for k := range x {
				a = append(a, make([]float64, len(x)+1))
				if k > 0 {
					a[k][k] = ridge
				}
			}
		}
		right := append(slices.Clone(x), math.Log1p(all[i].Came))
		for k := range x {
			for l := range right {
				a[k][l] += w * x[k] * right[l]
			}
		}
	}
	return solve(a)
}

// solve solves linear equations of a positive definite matrix, by elimination. The last column is the right side.
func solve(a [][]float64) []float64 {
	for k := range a {
		for i := k + 1; i < len(a); i++ {
			times := a[i][k] / a[k][k]
			for l := k; l < len(a[i]); l++ {
				a[i][l] -= times * a[k][l]
			}
		}
	}
	x := make([]float64, len(a))
	for k := len(a) - 1; k >= 0; k-- {
		x[k] = a[k][len(a)]
		for l := k + 1; l < len(a); l++ {
			x[k] -= a[k][l] * x[l]
		}
		x[k] /= a[k][k]
	}
	return x
}

// webs lists the webs of nights in order.
func webs(all []night) (names []string) {
	for _, n := range all {
		if !slices.Contains(names, n.Web) {
			names = append(names, n.Web)
		}
	}
	return names
}
