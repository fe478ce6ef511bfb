package logistic

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// objective is what a fit minimises, as a function of x = scale·(W, bias):
//
//	F = Σ_i weight_i·loss_i + ½‖W‖²                      weight_i with the C of Options in it
//
// The scale makes the search begin in a space where rows have a length of about 1, and where the curvature along a bias,
// Σ_i weight_i·π(1-π) at the share π of its class, is 1.
type objective struct {
	ctx    context.Context
	x      design
	k      int // scores a row: 1 for the logistic loss, else the number of classes
	label  []int
	weight []float64
	scale  []float64

	at       []float64 // where residual was computed
	theta    []float64 // at / scale
	residual []float64 // n×k: ∂F/∂score
}

func newObjective(ctx context.Context, x design, k int, s *sample) *objective {
	n := x.dims() * k
	o := &objective{
		ctx: ctx, x: x, k: k, label: s.label, weight: s.weight,
		scale: make([]float64, n+k), theta: make([]float64, n+k), residual: make([]float64, len(s.use)*k),
	}
	for j := range n {
		o.scale[j] = max(1, s.norm)
	}
	all := floats.Sum(s.total)
	for c := range k {
		share := s.total[c] / all
		o.scale[n+c] = math.Sqrt(max(all*share*(1-share), 1e-3))
	}
	return o
}

// split gives the two parts of a point or gradient.
func (o *objective) split(x []float64) (weights, bias []float64) {
	return x[:len(x)-o.k], x[len(x)-o.k:]
}

// value is F at x. It leaves the residuals there.
func (o *objective) value(x []float64) float64 {
	o.at = append(o.at[:0], x...)
	floats.DivTo(o.theta, x, o.scale)
	w, bias := o.split(o.theta)
	o.x.scores(o.ctx, o.residual, w)
	sum := floats.Dot(w, w) / 2
	for i, y := range o.label {
		z := o.residual[i*o.k : (i+1)*o.k]
		floats.Add(z, bias)
		if o.k == 1 {
			sum += o.weight[i] * logisticLoss(z, y)
		} else {
			sum += o.weight[i] * softmaxLoss(z, y)
		}
		floats.Scale(o.weight[i], z)
	}
	return sum
}

// gradient sets g = ∇F(x).
func (o *objective) gradient(g, x []float64) {
	if !slices.Equal(o.at, x) {
		o.value(x)
	}
	w, _ := o.split(o.theta)
	gw, gb := o.split(g)
	o.x.gradient(o.ctx, gw, o.residual)
	floats.Add(gw, w)
	clear(gb)
	for i, r := range o.residual {
		gb[i%o.k] += r
	}
	floats.Div(g, o.scale)
}

// logisticLoss is ln(1+e^z) - y·z for one score z; it replaces z by its derivative P(1) - y.
func logisticLoss(z []float64, y int) float64 {
	score := z[0]
	e := math.Exp(-math.Abs(score))
	p := 1 / (1 + e)
	if score < 0 {
		p = e / (1 + e)
	}
	z[0] = p - float64(y)
	return max(score, 0) - float64(y)*score + math.Log1p(e)
}

// softmaxLoss is ln Σ_c e^z_c - z_y; it replaces each z_c by its derivative P(c) - [c = y].
func softmaxLoss(z []float64, y int) float64 {
	score := z[y]
	loss := softmax(z) - score
	z[y]--
	return loss
}

// softmax replaces scores by probabilities and gives ln Σ_c e^z_c.
func softmax(z []float64) float64 {
	top := slices.Max(z)
	sum := 0.0
	for c := range z {
		z[c] = math.Exp(z[c] - top)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
	return top + math.Log(sum)
}
