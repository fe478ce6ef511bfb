package logistic

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

var (
	// ErrNoRows means that no row has a weight above 0.
	ErrNoRows = errors.New("logistic: no rows to learn from")
	// ErrNotFinite means that a row or weight in use is NaN or infinite.
	ErrNotFinite = errors.New("logistic: row or weight is not finite")
	// ErrNoConvergence means that no minimum was found, which does not happen with finite data of usual size.
	ErrNoConvergence = errors.New("logistic: no minimum found")
)

// absent is the bias of a class without rows. The loss falls forever as that bias goes to -∞ and the weights to 0; from
// about -745 on its probability is 0 in float64, unless the other scores are as low.
const absent = -1000

// Options are the settings of a fit. The zero value means the defaults.
type Options struct {
	// C is the inverse strength of the penalty, as in scikit-learn: C·Σ weight_i·loss_i + ½‖W‖² is minimised. Biases are
	// not penalised. 0 means 1.
	C float64
}

// Fit trains on the rows listed in use (indices into the problem's rows): row use[i] has the class label[i], in
// [0, classes), and the weight weight[i] >= 0. classes is at least 2. The same arguments give the same model, bit for bit.
//
// It panics when the lengths differ, or a label or index is out of range. The errors are ErrNoRows, ErrNotFinite,
// ErrNoConvergence, and ctx.Err() within a few milliseconds after ctx has ended.
func (p *Problem) Fit(ctx context.Context, use, label []int, weight []float64, classes int, o Options) (*Model, error) {
	if o.C == 0 {
		o.C = 1
	}
	s, err := p.sample(use, label, weight, classes, o.C)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(s.present) == 1 {
		return constant(p.columns, classes, s.present[0]), nil
	}
	k := len(s.present)
	if classes == 2 {
		k = 1
	}
	x, err := p.design(ctx, s.use, k)
	if err != nil {
		return nil, err
	}
	f, at, err := minimise(ctx, x, k, s)
	if err != nil {
		return nil, err
	}
	return p.model(f, at, s, classes), nil
}

// sample is what a fit learns from: rows of weight above 0, with labels into the classes that are present.
type sample struct {
	use, label []int
	weight     []float64 // times C
	present    []int     // ascending
	total      []float64 // weight of each present class
	norm       float64   // root mean square of the rows' lengths
}

func (p *Problem) sample(use, label []int, weight []float64, classes int, c float64) (*sample, error) {
	if len(use) != len(label) || len(use) != len(weight) {
		panic("logistic: rows, labels and weights of different length")
	}
	if classes < 2 || !(c > 0) {
		panic("logistic: fewer than two classes, or C below 0")
	}
	s, total, squares := &sample{}, make([]float64, classes), 0.0
	for n, i := range use {
		w := c * weight[n]
		if w < 0 || label[n] < 0 || label[n] >= classes {
			panic("logistic: weight below 0 or label out of range")
		}
		if math.IsNaN(w) || math.IsInf(w, 0) || math.IsNaN(p.norm[i]) || math.IsInf(p.norm[i], 0) {
			return nil, ErrNotFinite
		}
		if w == 0 {
			continue
		}
		s.use = append(s.use, i)
		s.label = append(s.label, label[n])
		s.weight = append(s.weight, w)
		total[label[n]] += w
		squares += p.norm[i] * p.norm[i]
	}
	if len(s.use) == 0 {
		return nil, ErrNoRows
	}
	s.norm = math.Sqrt(squares / float64(len(s.use)))
	s.number(total)
	return s, nil
}

// number gives the classes that are present consecutive labels.
func (s *sample) number(total []float64) {
	number := make([]int, len(total))
	for c, w := range total {
		if w > 0 {
			number[c] = len(s.present)
			s.present = append(s.present, c)
			s.total = append(s.total, w)
		}
	}
	for n, c := range s.label {
		s.label[n] = number[c]
	}
}

// design chooses the coordinates: those of the rows' span while the problem is small, those of the terms when it is large.
func (p *Problem) design(ctx context.Context, use []int, k int) (design, error) {
	if len(p.rows) > spanLimit {
		return newSparse(ctx, p, use, k)
	}
	s, err := p.span.get(ctx, func() (*span, error) { return newSpan(ctx, p) })
	if err != nil {
		return nil, err
	}
	return newDense(s, use, k), nil
}

const (
	store      = 5    // pairs that L-BFGS remembers
	iterations = 5000 // at most; a fit needs some dozens
	near       = 1e-5 // length of the gradient at a minimum; see nearMinimum
)

// minimise runs L-BFGS from weights of 0 and the biases that fit the classes' shares.
func minimise(ctx context.Context, x design, k int, s *sample) (*objective, []float64, error) {
	f := newObjective(ctx, x, k, s)
	result, err := optimize.Minimize(optimize.Problem{
		Func: f.value,
		Grad: f.gradient,
		Status: func() (optimize.Status, error) {
			if err := ctx.Err(); err != nil {
				return optimize.Failure, err
			}
			return optimize.NotTerminated, nil
		},
	}, f.start(s.total), &optimize.Settings{
		Converger:       nearMinimum{f},
		MajorIterations: iterations,
	}, &optimize.LBFGS{Store: store, Linesearcher: &convexSearch{}, GradStopThreshold: math.NaN()})
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if result == nil {
		return nil, nil, err
	}
	gradient := make([]float64, len(result.X))
	f.gradient(gradient, result.X)
	if !(f.steepness(gradient) <= 1000*near) {
		return nil, nil, ErrNoConvergence
	}
	return f, result.X, nil
}

// start is the point of weights 0 and the biases of the best model without terms.
func (o *objective) start(total []float64) []float64 {
	x := make([]float64, (o.x.dims()+1)*o.k)
	_, bias := o.split(x)
	if o.k == 1 {
		bias[0] = math.Log(total[1] / total[0])
	} else {
		for c, w := range total {
			bias[c] = math.Log(w)
		}
		centre(bias)
	}
	floats.Mul(bias, o.t)
	return x
}

// centre makes the biases of several classes sum to 0: only their differences count.
func centre(bias []float64) {
	if len(bias) > 1 {
		floats.AddConst(-floats.Sum(bias)/float64(len(bias)), bias)
	}
}

// model turns the minimum into weights of terms. There, ∇F = 0 says W = -Σ_i residual_i x_i, whatever the coordinates.
func (p *Problem) model(f *objective, at []float64, s *sample, classes int) *Model {
	f.value(at)
	bias := make([]float64, f.k)
	f.bias(bias, at)
	centre(bias)
	m := &Model{Classes: classes, Bias: slices.Repeat([]float64{absent}, width(classes))}
	k := len(m.Bias)
	sums := make([]float64, p.columns*k)
	target := s.present
	if k == 1 {
		target = []int{0}
	}
	for c, to := range target {
		m.Bias[to] = bias[c]
	}
	for n, i := range s.use {
		r := f.residual[n*f.k : (n+1)*f.k]
		for e, t := range p.rows[i].Index {
			v := float64(p.rows[i].Value[e])
			for c, to := range target {
				sums[int(t)*k+to] -= v * r[c]
			}
		}
	}
	m.Weights = make([]float32, len(sums))
	for j, w := range sums {
		m.Weights[j] = float32(w)
	}
	return m
}

// constant is the model of rows that are all of one class.
func constant(columns, classes, class int) *Model {
	k := width(classes)
	m := &Model{Classes: classes, Weights: make([]float32, columns*k), Bias: slices.Repeat([]float64{absent}, k)}
	switch {
	case k > 1:
		m.Bias[class] = 0
	case class == 1:
		m.Bias[0] = -absent
	}
	return m
}

// width is the number of scores a row.
func width(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}
