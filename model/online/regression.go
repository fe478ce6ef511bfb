package online

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

const (
	tokenPenalty  = 6.0  // inverse variance of a token's weight around 0
	signalPenalty = 3.0  // and of a signal's around its prior
	biasPenalty   = 1e-3 // and of the bias around usualBias
	usualBias     = -2.0

	leastExamples = 2  // that a token must occur in to have a weight: with one it would overfit
	maxIterations = 40 // of L-BFGS; it begins where the last fit ended
	slope         = 1e-3
)

// Example is something whose outcome is known, such as a link that was followed.
type Example struct {
	Tokens  []uint32
	Signals []float32 // as many as the regression has
	Outcome float64   // in [0, 1]: 0 or 1, or how probable 1 is
	Weight  float64   // how often it counts
}

// Regression is a logistic regression with normal priors for its weights: around 0 for tokens, around their usual weights
// for signals. So its predictions make sense before it has learned anything, and it learns from few examples. NewRegression
// makes one.
type Regression struct {
	Prior   []float64 // usual weight of each signal
	Bias    float64
	Signals []float64          // weight of each signal; nil before the first fit: the prior
	Tokens  map[uint32]float64 // weights; a token without one weighs 0; changed by Fit and SetState only

	weights table // of Tokens
}

// NewRegression returns a regression that has learned nothing.
func NewRegression(prior []float64) *Regression {
	return &Regression{Prior: prior, Bias: usualBias, Signals: slices.Clone(prior), Tokens: map[uint32]float64{}, weights: newTable(nil)}
}

// LogOdds is ln P(1)/P(0) of a link with these tokens and signals.
func (r *Regression) LogOdds(tokens []uint32, signals []float32) float64 {
	x := r.Bias
	for i, v := range signals {
		x += r.Signals[i] * float64(v)
	}
	for _, t := range tokens {
		x += r.weights.weight(t)
	}
	return x
}

// Fit finds the most probable weights given the examples, which minimise Σ weight·loss + ½ Σ penalty·(w - prior)². The
// examples replace all earlier ones; the search starts from the current weights. When ctx ends, the weights stay as they
// are, and the error is ctx.Err().
func (r *Regression) Fit(ctx context.Context, examples []Example) error {
	p := newProblem(r, examples)
	best, err := p.minimise(ctx, p.start(r))
	if err != nil {
		return err
	}
	r.Bias, r.Signals = best[0], slices.Clone(best[1:1+p.signals])
	r.Tokens = make(map[uint32]float64, len(p.tokens))
	for i, t := range p.tokens {
		r.Tokens[t] = best[1+p.signals+i]
	}
	r.weights = newTable(r.Tokens)
	return nil
}

// problem is a fit: parameters are the bias, the weights of the signals, and those of the tokens.
type problem struct {
	examples []Example
	signals  int
	tokens   []uint32 // that have a weight
	columns  []int32  // of the examples' tokens, those without a weight left out, one example after the other
	end      []int    // where those of each example end
	prior    []float64
	penalty  []float64

	at   []float64 // where loss and gradient were computed last
	loss float64
	grad []float64
}

func newProblem(r *Regression, examples []Example) *problem {
	p := &problem{examples: examples, signals: len(r.Prior)}
	seen := map[uint32]int32{} // how many examples have a token, then its column + 1
	for i := range examples {
		for _, t := range examples[i].Tokens {
			seen[t]++
		}
	}
	column := make(map[uint32]int32, len(seen)/2)
	for i := range examples {
		for _, t := range examples[i].Tokens {
			if seen[t] < leastExamples {
				continue
			}
			c, known := column[t]
			if !known {
				c = int32(1 + p.signals + len(p.tokens))
				column[t] = c
				p.tokens = append(p.tokens, t)
			}
			p.columns = append(p.columns, c)
		}
		p.end = append(p.end, len(p.columns))
	}
	n := 1 + p.signals + len(p.tokens)
	p.prior, p.penalty = make([]float64, n), slices.Repeat([]float64{tokenPenalty}, n)
	p.prior[0], p.penalty[0] = usualBias, biasPenalty
	for i, w := range r.Prior {
		p.prior[1+i], p.penalty[1+i] = w, signalPenalty
	}
	return p
}

// start are the weights of the last fit.
func (p *problem) start(r *Regression) []float64 {
	w := append([]float64{r.Bias}, r.Signals...)
	for _, t := range p.tokens {
		w = append(w, r.Tokens[t])
	}
	return w
}

func (p *problem) minimise(ctx context.Context, start []float64) ([]float64, error) {
	res, err := optimize.Minimize(optimize.Problem{
		Func: func(w []float64) float64 { p.compute(w); return p.loss },
		Grad: func(g, w []float64) { p.compute(w); copy(g, p.grad) },
		Status: func() (optimize.Status, error) {
			if ctx.Err() != nil {
				return optimize.Failure, ctx.Err()
			}
			return optimize.NotTerminated, nil
		},
	}, start, &optimize.Settings{MajorIterations: maxIterations, GradientThreshold: slope}, &optimize.LBFGS{Store: 8})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case res == nil:
		return nil, fmt.Errorf("fit links: %w", err)
	case slices.ContainsFunc(res.X, Infinite[float64]):
		return nil, errors.New("fit links: the numbers do not stay finite")
	}
	return res.X, nil // also where the search could get no further: every step went down
}

// compute sets loss and gradient at w, unless they are there.
func (p *problem) compute(w []float64) {
	if p.at != nil && slices.Equal(p.at, w) {
		return
	}
	p.at = append(p.at[:0], w...)
	p.grad = append(p.grad[:0], make([]float64, len(w))...)
	p.loss = 0
	begin := 0
	for i := range p.examples {
		e, columns := &p.examples[i], p.columns[begin:p.end[i]]
		begin = p.end[i]
		x := w[0]
		for k, v := range e.Signals {
			x += w[1+k] * float64(v)
		}
		for _, c := range columns {
			x += w[c]
		}
		p.loss += e.Weight * (math.Log1p(math.Exp(-math.Abs(x))) + max(x, 0) - e.Outcome*x)
		step := e.Weight * (Probability(x) - e.Outcome)
		p.grad[0] += step
		for k, v := range e.Signals {
			p.grad[1+k] += step * float64(v)
		}
		for _, c := range columns {
			p.grad[c] += step
		}
	}
	for k := range w {
		d := w[k] - p.prior[k]
		p.loss += .5 * p.penalty[k] * d * d
		p.grad[k] += p.penalty[k] * d
	}
}
