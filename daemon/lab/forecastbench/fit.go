package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

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

// weights give each web the same weight, and each task of a web; they add up to 1.
func weights(all []night) []float64 {
	tasks, nights := map[string]map[string]bool{}, map[string]int{}
	for _, n := range all {
		if tasks[n.Web] == nil {
			tasks[n.Web] = map[string]bool{}
		}
		tasks[n.Web][n.Task] = true
		nights[n.Task]++
	}
	w := make([]float64, len(all))
	for i, n := range all {
		w[i] = 1 / float64(len(tasks)*len(tasks[n.Web])*nights[n.Task])
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
	var a *mat.SymDense
	var b []float64
	for i, w := range weights(all) {
		x := signals(all[i].In)
		if a == nil {
			a, b = mat.NewSymDense(len(x), nil), make([]float64, len(x))
			for k := 1; k < len(x); k++ {
				a.SetSym(k, k, ridge)
			}
		}
		y := math.Log1p(all[i].Came)
		for k := range x {
			b[k] += w * x[k] * y
			for l := k; l < len(x); l++ {
				a.SetSym(k, l, a.At(k, l)+w*x[k]*x[l])
			}
		}
	}
	var out mat.VecDense
	if err := out.SolveVec(a, mat.NewVecDense(len(b), b)); err != nil {
		panic("forecastbench: " + err.Error()) // the ridge keeps it regular
	}
	return slices.Clone(out.RawVector().Data)
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
