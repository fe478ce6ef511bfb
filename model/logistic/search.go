package logistic

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// convexSearch is a line search for convex functions that decides by slopes: near the minimum differences of the function
// drown in rounding long before the slopes do. It ends at a step whose slope is at most `flat` of the first one, where the
// function is no higher up to rounding: strong Wolfe conditions (Nocedal & Wright, Numerical Optimization, 2nd ed., §3.1)
// with a decrease that convexity gives for free.
type convexSearch struct {
	value, slope float64 // at step 0
	step         float64
	low, high    float64 // steps with a slope below and above 0; high is +Inf while none is known
	lowSlope     float64
	highSlope    float64
	tries        int
}

const (
	flat       = 0.9
	triesLimit = 60
)

func (s *convexSearch) Init(value, slope, step float64) optimize.Operation {
	*s = convexSearch{value: value, slope: slope, step: step, high: math.Inf(1), lowSlope: slope}
	return optimize.FuncEvaluation | optimize.GradEvaluation
}

func (s *convexSearch) Iterate(value, slope float64) (optimize.Operation, float64, error) {
	const rounding = 1e-12
	noHigher := value <= s.value+rounding*math.Abs(s.value)
	if noHigher && math.Abs(slope) <= flat*math.Abs(s.slope) {
		return optimize.MajorIteration, s.step, nil
	}
	if s.tries++; s.tries == triesLimit {
		return optimize.NoOperation, s.step, optimize.ErrLinesearcherFailure
	}
	if slope < 0 && noHigher {
		s.low, s.lowSlope = s.step, slope
	} else {
		s.high, s.highSlope = s.step, slope
	}
	s.step = s.next()
	return optimize.FuncEvaluation | optimize.GradEvaluation, s.step, nil
}

// next is a longer step while the minimum is not bracketed, then the zero of the line through both slopes, kept off the
// ends of the bracket.
func (s *convexSearch) next() float64 {
	if math.IsInf(s.high, 1) {
		return 4 * s.step
	}
	share := s.lowSlope / (s.lowSlope - s.highSlope)
	if !(share >= 0.1) { // also when the slope is not finite
		share = 0.1
	}
	return s.low + min(share, 0.9)*(s.high-s.low)
}

// nearMinimum ends a minimisation when the gradient has a length of at most near: as the penalty makes F strongly convex,
// the weights are then that near to the best.
type nearMinimum struct{ f *objective }

func (nearMinimum) Init(int) {}

func (n nearMinimum) Converged(at *optimize.Location) optimize.Status {
	if n.f.steepness(at.Gradient) <= near {
		return optimize.GradientThreshold
	}
	return optimize.NotTerminated
}
