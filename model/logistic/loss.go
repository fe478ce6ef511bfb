package logistic

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// objective is what a fit minimises, as a function of x = (s·W, t·(bias + W·mean)):
//
//	F = Σ_i weight_i·loss_i + ½‖W‖²                      weight_i with the C of Options in it
//
// These parameters have the same minimum and are much easier to search: rows get a length of about 1 and lose what they
// all have in common, which the bias says already, and the curvature along a bias is about 1. Measured on 2,200 rows with
// 4 classes, L-BFGS needs 13 iterations where it took 70 without the mean.
type objective struct {
	ctx    context.Context
	x      design
	k      int // scores a row: 1 for the logistic loss, else the number of classes
	label  []int
	weight []float64
	mean   []float64 // weighted mean of the rows, in the design's coordinates
	s      float64
	t      []float64 // k

	at       []float64 // where residual was computed
	residual []float64 // n×k: ∂F/∂score
	scaled   []float64 // n×k: residual/s
}

func newObjective(ctx context.Context, x design, k int, s *sample) *objective {
	o := &objective{
		ctx: ctx, x: x, k: k, label: s.label, weight: s.weight, mean: make([]float64, x.dims()), s: max(1, s.norm),
		t: make([]float64, k), residual: make([]float64, len(s.use)*k), scaled: make([]float64, len(s.use)*k),
	}
	all := floats.Sum(s.total)
	for c := range k {
		share := s.total[c] / all
		o.t[c] = math.Sqrt(max(all*share*(1-share), 1e-3)) // root of the curvature along the bias at that share
	}
	share := make([]float64, len(s.weight))
	floats.ScaleTo(share, 1/all, s.weight)
	x.mean(o.mean, share)
	return o
}

// split gives the two parts of a point or gradient.
func (o *objective) split(x []float64) (weights, bias []float64) {
	return x[:len(x)-o.k], x[len(x)-o.k:]
}

// bias sets b to the biases at x.
func (o *objective) bias(b, x []float64) {
	w, top := o.split(x)
	perTerm, perClass := o.x.strides()
	for c := range b {
		shift := 0.0
		for j, m := range o.mean {
			shift += m * w[j*perTerm+c*perClass]
		}
		b[c] = top[c]/o.t[c] - shift/o.s
	}
}

// value is F at x. It leaves the residuals there.
func (o *objective) value(x []float64) float64 {
	o.at = append(o.at[:0], x...)
	w, _ := o.split(x)
	bias := make([]float64, o.k)
	o.bias(bias, x)
	o.x.scores(o.ctx, o.residual, w)
	sum := floats.Dot(w, w) / (2 * o.s * o.s)
	for i, y := range o.label {
		z := o.residual[i*o.k : (i+1)*o.k]
		for c := range z {
			z[c] = z[c]/o.s + bias[c]
		}
		if o.k == 1 {
			sum += o.weight[i] * logisticLoss(z, y)
		} else {
			sum += o.weight[i] * softmaxLoss(z, y)
		}
		for c := range z {
			z[c] *= o.weight[i]
		}
	}
	return sum
}

// gradient sets g = ∇F(x).
func (o *objective) gradient(g, x []float64) {
	if !slices.Equal(o.at, x) {
		o.value(x)
	}
	w, _ := o.split(x)
	gw, gb := o.split(g)
	floats.ScaleTo(o.scaled, 1/o.s, o.residual)
	o.x.gradient(o.ctx, gw, o.scaled)
	floats.AddScaled(gw, 1/(o.s*o.s), w)
	clear(gb)
	for i, r := range o.residual {
		gb[i%o.k] += r
	}
	perTerm, perClass := o.x.strides()
	for c, r := range gb {
		for j, m := range o.mean {
			gw[j*perTerm+c*perClass] -= m * r / o.s
		}
		gb[c] /= o.t[c]
	}
}

// steepness is the length of the gradient g of F in W and in t·bias.
func (o *objective) steepness(g []float64) float64 {
	gw, gb := o.split(g)
	return math.Hypot(o.s*floats.Norm(gw, 2), floats.Norm(gb, 2))
}

// logisticLoss is ln(1+e^z) - y·z for one score z; it replaces z by its derivative P(1) - y.
func logisticLoss(z []float64, y int) float64 {
	score := z[0]
	z[0] = sigmoid(score) - float64(y)
	return max(score, 0) - float64(y)*score + math.Log1p(math.Exp(-math.Abs(score)))
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
