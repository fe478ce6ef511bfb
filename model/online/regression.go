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
	Signals []float64 // weight of each signal; nil before the first fit: the prior

	weights Keys[float64] // of tokens
}

// NewRegression returns a regression that has learned nothing.
func NewRegression(prior []float64) *Regression {
	return &Regression{Prior: prior, Bias: usualBias, Signals: slices.Clone(prior)}
}

// Weight is the weight of a token, 0 when it has none.
func (r *Regression) Weight(token uint32) float64 {
	w, _ := r.weights.Get(uint64(token))
	return w
}

// LogOdds is ln P(1)/P(0) of a link with these tokens and signals.
func (r *Regression) LogOdds(tokens []uint32, signals []float32) float64 {
	x := r.Bias
	for i, v := range signals {
		x += r.Signals[i] * float64(v)
	}
	for _, t := range tokens {
		x += r.Weight(t)
	}
	return x
}

// Fit finds the most probable weights given the examples, which minimise Σ weight·loss + ½ Σ penalty·(w - prior)². The
// examples replace all earlier ones; the search starts from the current weights. When ctx ends, the weights stay as they
// are, and the error is ctx.Err().
func (r *Regression) Fit(ctx context.Context, examples []Example) error {
	return r.FitTo(ctx, NewDesign(examples), examples)
}

// FitTo is Fit to examples with the tokens of a design: regressions that learn other outcomes of the same examples share it.
func (r *Regression) FitTo(ctx context.Context, d *Design, examples []Example) error {
	p := newProblem(r, d, examples)
	best, err := p.minimise(ctx, p.start(r))
	if err != nil {
		return err
	}
	r.Bias, r.Signals, r.weights = best[0], slices.Clone(best[1:1+p.signals]), Keys[float64]{}
	for i, t := range d.tokens {
		r.weights.Set(uint64(t), best[1+p.signals+i])
	}
	return nil
}

// Design numbers the tokens of examples.
type Design struct {
	tokens  []uint32 // that get a weight
	numbers []int32  // of the examples' tokens, those without a weight left out, one example after the other
	end     []int    // where those of each example end
}

// NewDesign numbers the tokens that at least leastExamples of the examples have.
func NewDesign(examples []Example) *Design {
	n := 0
	for i := range examples {
		n += len(examples[i].Tokens)
	}
	d := &Design{numbers: make([]int32, 0, n), end: make([]int, len(examples))}
	var met Keys[int32] // how many examples have a token
	for i := range examples {
		for _, t := range examples[i].Tokens {
			at := met.Place(uint64(t))
			if at < 0 {
				at = met.Len()
				met.Set(uint64(t), 0)
			}
			met.entries[at].value++
			d.numbers = append(d.numbers, int32(at))
		}
		d.end[i] = len(d.numbers)
	}
	number := make([]int32, met.Len()) // of each token that was met, -1 for one without a weight
	for at, e := range met.entries {
		if number[at] = -1; e.value >= leastExamples {
			number[at] = int32(len(d.tokens))
			d.tokens = append(d.tokens, uint32(e.key))
		}
	}
	kept, begin := 0, 0
	for i, end := range d.end {
		for _, at := range d.numbers[begin:end] {
			if number[at] >= 0 {
				d.numbers[kept] = number[at]
				kept++
			}
		}
		begin, d.end[i] = end, kept
	}
	d.numbers = d.numbers[:kept]
	return d
}

// problem is a fit: parameters are the bias, the weights of the signals, and those of the tokens.
type problem struct {
	*Design
	examples []Example
	signals  int
	rows     []float64 // signals of the examples, one example after the other
	sums     []float64 // log odds of the examples
	prior    []float64
	penalty  []float64

	at   []float64 // where loss and gradient were computed last
	loss float64
	grad []float64
}

func newProblem(r *Regression, d *Design, examples []Example) *problem {
	p := &problem{Design: d, examples: examples, signals: len(r.Prior)}
	n := 1 + p.signals + len(p.tokens)
	p.grad = make([]float64, n)
	p.sums, p.rows = make([]float64, len(examples)), make([]float64, 0, len(examples)*p.signals)
	for i := range examples {
		for _, v := range examples[i].Signals[:p.signals] {
			p.rows = append(p.rows, float64(v))
		}
	}
	p.prior, p.penalty = make([]float64, n), slices.Repeat([]float64{tokenPenalty}, n)
	p.prior[0], p.penalty[0] = usualBias, biasPenalty
	for i, w := range r.Prior {
		p.prior[1+i], p.penalty[1+i] = w, signalPenalty
	}
	return p
}

// start are the weights of the last fit.
func (p *problem) start(r *Regression) []float64 {
	w := append(make([]float64, 0, len(p.prior)), r.Bias)
	w = append(w, r.Signals...)
	for _, t := range p.tokens {
		w = append(w, r.Weight(t))
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

// sum sets the log odds of each example at w: bias, signals and tokens, added in this order.
func (p *problem) sum(w []float64) {
	signals, tokens := w[1:1+p.signals], w[1+p.signals:]
	begin := 0
	for i, end := range p.end {
		x := w[0]
		for k, v := range p.rows[i*p.signals:][:len(signals)] {
			x += signals[k] * v
		}
		for _, t := range p.numbers[begin:end] {
			x += tokens[t]
		}
		p.sums[i], begin = x, end
	}
}

// compute sets loss and gradient at w, unless they are there.
func (p *problem) compute(w []float64) {
	if p.at != nil && slices.Equal(p.at, w) {
		return
	}
	p.at = append(p.at[:0], w...)
	clear(p.grad)
	p.loss = 0
	p.sum(w)
	bySignal, byToken := p.grad[1:1+p.signals], p.grad[1+p.signals:]
	begin := 0
	for i := range p.examples {
		e, x := &p.examples[i], p.sums[i]
		small := math.Exp(-math.Abs(x))
		chance := 1 / (1 + small) // Probability(x)
		if x < 0 {
			chance = Probability(x)
		}
		p.loss += e.Weight * (math.Log1p(small) + max(x, 0) - e.Outcome*x)
		step := e.Weight * (chance - e.Outcome)
		p.grad[0] += step
		row := p.rows[i*p.signals:][:len(bySignal)]
		for k, v := range row {
			bySignal[k] += step * v
		}
		for _, t := range p.numbers[begin:p.end[i]] {
			byToken[t] += step
		}
		begin = p.end[i]
	}
	for k := range w {
		d := w[k] - p.prior[k]
		p.loss += .5 * p.penalty[k] * d * d
		p.grad[k] += p.penalty[k] * d
	}
}
