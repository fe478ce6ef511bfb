package logistic

import "math"

// Sigmoid turns a score into a probability: P = 1/(1+exp(A·score+B)). With A < 0 higher scores are more probable.
type Sigmoid struct {
	A float64
	B float64
}

// P is the probability of a score, in [0, 1].
func (s Sigmoid) P(score float64) float64 { return sigmoid(-(s.A*score + s.B)) }

// sigmoid is 1/(1+e^-z), without overflow.
func sigmoid(z float64) float64 {
	e := math.Exp(-math.Abs(z))
	if z < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// Platt fits P(positive | score): Platt, "Probabilistic Outputs for Support Vector Machines", 1999, §2.2, by Newton's
// method with backtracking as in Lin, Lin & Weng, Machine Learning 68, 2007, §2-3. The targets are Platt's, (N₊+1)/(N₊+2)
// for positives and 1/(N₋+2) for others, so that few samples, or a perfect split, never give certainty. weight counts how
// often a sample stands; nil means once. The scores must be finite. It panics when the lengths differ. Without samples
// all probabilities are ½. Scores that carry no information give A about 0, and misleading ones A > 0.
//
// Isotonic regression is nearer to the truth only from about a hundred positives on, and only where the truth is no
// sigmoid (TestWhichCalibration); a session has some dozens.
func Platt(scores []float64, positive []bool, weight []float64) Sigmoid {
	check(scores, positive, weight)
	centre, spread := location(scores, weight)
	f := newPlattLoss(scores, positive, weight, centre, spread)
	s := Sigmoid{B: math.Log((f.negatives + 1) / (f.positives + 1))}
	value := f.value(s)
	for range 100 { // Newton's method takes some ten steps
		next, lower, ok := f.step(s, value)
		if !ok {
			break
		}
		s, value = next, lower
	}
	return Sigmoid{A: s.A / spread, B: s.B - s.A*centre/spread}
}

// plattLoss is the cross entropy of targets and probabilities, with the scores centred and scaled: the fit is then as
// exact for scores of any size.
type plattLoss struct {
	score, target, weight []float64
	positives, negatives  float64
}

func newPlattLoss(scores []float64, positive []bool, weight []float64, centre, spread float64) *plattLoss {
	f := &plattLoss{}
	for i, yes := range positive {
		w := weightOf(weight, i)
		f.score = append(f.score, (scores[i]-centre)/spread)
		f.weight = append(f.weight, w)
		if yes {
			f.positives += w
		} else {
			f.negatives += w
		}
	}
	for _, yes := range positive {
		if yes {
			f.target = append(f.target, (f.positives+1)/(f.positives+2))
		} else {
			f.target = append(f.target, 1/(f.negatives+2))
		}
	}
	return f
}

// value is Σ weight·(t·ln(1+e^z) + (1-t)·ln(1+e^-z)) with z = A·score + B, in the form of Lin, Lin & Weng, eq. (5).
func (f *plattLoss) value(s Sigmoid) float64 {
	sum := 0.0
	for i, x := range f.score {
		z := s.A*x + s.B
		sum += f.weight[i] * (f.target[i]*z + max(-z, 0) + math.Log1p(math.Exp(-math.Abs(z))))
	}
	return sum
}

// step makes one Newton step, halved until it descends enough; ok is false at the minimum.
func (f *plattLoss) step(s Sigmoid, value float64) (next Sigmoid, lower float64, ok bool) {
	const (
		ridge    = 1e-12 // keeps the Hessian invertible when all scores are equal
		flatness = 1e-12 // of the gradient, relative to the weights
		decrease = 1e-4
		rounding = 1e-14
		shortest = 1e-10
	)
	var ga, gb, haa, hab, hbb, all float64
	haa, hbb = ridge, ridge
	for i, x := range f.score {
		p := s.P(x)
		d := f.weight[i] * (f.target[i] - p)
		ga += d * x
		gb += d
		h := f.weight[i] * p * (1 - p)
		haa += h * x * x
		hab += h * x
		hbb += h
		all += f.weight[i]
	}
	if math.Abs(ga)+math.Abs(gb) <= flatness*all {
		return s, value, false
	}
	det := haa*hbb - hab*hab
	da, db := -(hbb*ga-hab*gb)/det, -(haa*gb-hab*ga)/det
	for t := 1.0; t >= shortest; t /= 2 {
		next = Sigmoid{A: s.A + t*da, B: s.B + t*db}
		// Close to the minimum the descent is less than the rounding of the value.
		if lower = f.value(next); lower <= value+decrease*t*(ga*da+gb*db)+rounding*value {
			return next, lower, true
		}
	}
	return s, value, false
}

// location is the weighted mean and standard deviation of the scores, the latter 1 when it would be 0.
func location(scores, weight []float64) (centre, spread float64) {
	all := 0.0
	for i, x := range scores {
		w := weightOf(weight, i)
		all += w
		if all > 0 {
			centre += (x - centre) * w / all
		}
	}
	for i, x := range scores {
		if w := weightOf(weight, i); w > 0 {
			spread += (x - centre) * (x - centre) * w / all
		}
	}
	if spread = math.Sqrt(spread); !(spread > 0) || math.IsInf(spread, 1) {
		spread = 1
	}
	return centre, spread
}

func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

func check(scores []float64, positive []bool, weight []float64) {
	if len(scores) != len(positive) || weight != nil && len(weight) != len(scores) {
		panic("logistic: scores, labels and weights of different length")
	}
}
