package crf

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// ErrNoSequences means that there is nothing to learn from.
var ErrNoSequences = errors.New("crf: no paths to learn from")

// ConvergenceError means that training found no minimum of F.
type ConvergenceError struct {
	C2        float64 // of the penalty
	Iteration int     // the last one begun
	Err       error   // why it stopped
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("crf: training with c₂ = %v stopped in iteration %d: %v; try a larger c₂", e.C2, e.Iteration, e.Err)
}

// Unwrap gives the reason.
func (e *ConvergenceError) Unwrap() error { return e.Err }

var errNotFinite = errors.New("the objective or its gradient is not finite")

// Options are the settings of a training.
type Options struct {
	C2            float64 // c₂, at least 0; the larger, the smaller the weights
	MaxIterations int     // after which training ends wherever it is; 0 means 1000, where some 100 are usual
}

// Fitted is how a training ended.
type Fitted struct {
	Objective  float64 // F
	Gradient   float64 // ‖∇F‖∞
	Iterations int     // of L-BFGS
	Weights    int     // that were learned
}

const (
	store          = 6    // pairs that L-BFGS remembers
	flat           = 1e-3 // ‖∇F‖∞ at which a search ends
	relativeChange = 1e-9 // of F in an iteration, below which a search ends
	slack          = 1e-6 // share of F that a search may be above the minimum when it cannot go on, see nearlyBest
	maxIterations  = 1000
)

// Fit learns the weights that minimise, [CRF] §4.3.2,
//
//	F(w) = Σ_l m_l (log Z_l - score(y_l | x_l)) + c₂‖w‖²;   ∇F = Σ_l m_l (E[features] - observed) + 2 c₂ w
//
// The printed gradient takes the expectation under Pr(y′ given W); it is under Pr(y′ given x_l and W).
//
// There is a weight for each pair of a feature and a label, and of a label and the next, that set has; all others are 0, and
// nothing is forbidden. labels is L; pageFeatures and linkFeatures are the numbers of rows of the model's tables. F is
// convex, so that a search from any point leads to the same F; this one, by L-BFGS, begins at 0. It ends when ‖∇F‖∞ < 1e-3,
// when F changes by less than 1e-9 of itself in an iteration, or after o.MaxIterations.
//
// Neither the order of set nor the number of processors changes a bit of the result. set is not changed. Fit panics when a
// Sequence breaks what its fields say, or C2 is below 0. The errors are ErrNoSequences, a *ConvergenceError, and ctx.Err()
// within some milliseconds of the end of ctx; the model is then nil.
func Fit(ctx context.Context, set []Sequence, labels, pageFeatures, linkFeatures int, o Options) (*Model, Fitted, error) {
	return fit(ctx, set, size{labels, pageFeatures, linkFeatures}, o, search{flat: flat, change: relativeChange})
}

// size is the shape of a model.
type size struct{ labels, pages, links int }

// search says where L-BFGS begins and ends.
type search struct {
	start        func(i int) float64 // the weights to begin with; nil means 0
	flat, change float64
}

// fit is Fit with another search.
func fit(ctx context.Context, set []Sequence, n size, o Options, by search) (*Model, Fitted, error) {
	if !(o.C2 >= 0) || math.IsInf(o.C2, 1) || o.MaxIterations < 0 {
		panic("crf: C2 or MaxIterations out of range")
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = maxIterations
	}
	check(set, n)
	if err := ctx.Err(); err != nil {
		return nil, Fitted{}, err
	}
	if len(set) == 0 {
		return nil, Fitted{}, ErrNoSequences
	}
	m, err := newMaterial(ctx, set, n)
	if err != nil {
		return nil, Fitted{}, err
	}
	f := newObjective(ctx, m, o.C2)
	at := make([]float64, f.weights)
	for i := range at {
		if by.start != nil {
			at[i] = by.start(i)
		}
	}
	at, iterations, err := f.minimise(at, o.MaxIterations, by)
	if err != nil {
		return nil, Fitted{}, err
	}
	value, gradient := f.evaluate(at)
	if err := ctx.Err(); err != nil {
		return nil, Fitted{}, err
	}
	return f.model(at), Fitted{
		Objective: value, Gradient: floats.Norm(gradient, math.Inf(1)), Iterations: iterations, Weights: f.weights,
	}, nil
}

// check panics when a sequence is not as its fields say.
func check(set []Sequence, n size) {
	if n.labels < 1 || n.pages < 0 || n.links < 0 {
		panic("crf: number of labels or features out of range")
	}
	for i := range set {
		s := &set[i]
		if len(s.Steps) == 0 || len(s.Steps) != len(s.Labels) {
			panic("crf: not one label for each page of a path")
		}
		if !(s.Count > 0) {
			panic("crf: Count of a path not above 0")
		}
		for t, y := range s.Labels {
			if y < 0 || y >= n.labels {
				panic("crf: label out of range")
			}
			checkFeatures(s.Steps[t].Page, n.pages)
			if t > 0 {
				checkFeatures(s.Steps[t].Link, n.links)
			}
		}
	}
}

func checkFeatures(features []int32, n int) {
	last := int32(-1)
	for _, f := range features {
		if f <= last || int(f) >= n {
			panic("crf: features not ascending, or out of range")
		}
		last = f
	}
}

// minimise searches from a point on.
func (o *objective) minimise(at []float64, most int, by search) ([]float64, int, error) {
	value, gradient := o.evaluate(at)
	switch {
	case o.ctx.Err() != nil:
		return nil, 0, o.ctx.Err()
	case !finite(value) || !finite(floats.Norm(gradient, 1)):
		return nil, 0, &ConvergenceError{o.c2, 0, errNotFinite}
	case floats.Norm(gradient, math.Inf(1)) < by.flat:
		return at, 0, nil
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func:   func(x []float64) float64 { v, _ := o.evaluate(x); return v },
		Grad:   func(to, x []float64) { _, g := o.evaluate(x); copy(to, g) },
		Status: o.status,
	}, at, &optimize.Settings{
		Converger:       &optimize.FunctionConverge{Relative: by.change, Iterations: 1},
		MajorIterations: most + 1, // the first one counted is the point where the search begins
	}, &optimize.LBFGS{Store: store, Linesearcher: &optimize.MoreThuente{}, GradStopThreshold: by.flat})
	if o.ctx.Err() != nil {
		return nil, 0, o.ctx.Err()
	}
	iterations := max(0, result.MajorIterations-1)
	if err != nil && !o.nearlyBest(result.X) {
		return nil, 0, &ConvergenceError{o.c2, iterations + 1, err}
	}
	return result.X, iterations, nil
}

// status stops the search when the context has ended, or F is no number.
func (o *objective) status() (optimize.Status, error) {
	if err := o.ctx.Err(); err != nil {
		return optimize.Failure, err
	}
	if !finite(o.value) {
		return optimize.Failure, errNotFinite
	}
	return optimize.NotTerminated, nil
}

// nearlyBest reports whether F at x cannot be much above the minimum: its curvature is at least 2c₂ in each direction, so
// that it is at most ‖∇F‖²/4c₂ above. A line search that finds no lower point there fails by rounding.
func (o *objective) nearlyBest(x []float64) bool {
	value, gradient := o.evaluate(x)
	return floats.Dot(gradient, gradient) <= 4*o.c2*slack*math.Abs(value)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
