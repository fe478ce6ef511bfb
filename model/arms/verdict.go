package arms

import "math"

const (
	// Alpha is the probability, at most, that an arm ever wins that is no better.
	Alpha = .05

	// LeastUseful is the sum of worth before which nothing is said.
	LeastUseful = 5

	// Unbounded is the upper end of an interval that has none.
	Unbounded = math.MaxFloat64

	z = 1.959963984540054 // of a 95 % interval
)

// Interval is a value with its 95 % interval.
type Interval struct{ Value, Low, High float64 }

// Arm is what one strategy brought.
type Arm struct {
	Picks   int
	Useful  float64  // sum of worth
	Harvest Interval // useful pages of one pick
}

// Verdict is the comparison of two arms.
type Verdict struct {
	Nights int
	Arms   [2]Arm // A, B
	Enough bool   // at least LeastUseful useful pages, and both have picked; nothing below is set otherwise

	Ratio Interval // B's harvest by A's, for one look; Value and High may be Unbounded

	// Winner is the arm that brings more by more than chance. Evidence is how much speaks for one of them: at 2/Alpha it
	// wins.
	Winner   Winner
	Evidence float64
}

// Winner says which arm brings more by more than chance.
type Winner int

// The winners.
const (
	None Winner = iota
	A
	B
)

// Compare compares two strategies over their nights.
func Compare(nights []Night) Verdict {
	v := Verdict{Nights: len(nights)}
	var sum, squares [2]float64
	for i := range nights {
		n := &nights[i]
		for _, f := range n.Finds {
			k := n.arm(f)
			sum[k] += f.Worth
			squares[k] += f.Worth * f.Worth
		}
		for k := range v.Arms {
			v.Arms[k].Picks += n.Picks[k]
		}
	}
	for k := range v.Arms {
		a := &v.Arms[k]
		a.Useful, a.Harvest = sum[k], wilson(sum[k], squares[k], a.Picks)
	}
	total := sum[0] + sum[1]
	if total < LeastUseful || v.Arms[0].Picks == 0 || v.Arms[1].Picks == 0 {
		return v
	}
	v.Enough = true
	v.Ratio = ratio(nights, (squares[0]+squares[1])/total)
	v.Winner, v.Evidence = winner(nights)
	return v
}

// wilson is the mean worth of n picks with Wilson's score interval. Finds that are worth less than 1 count as fewer of the
// mean worth that each brings to the variance, squares/sum.
func wilson(sum, squares float64, picks int) Interval {
	if picks == 0 {
		return Interval{High: 1}
	}
	unit := 1.0
	if sum > 0 {
		unit = squares / sum
	}
	n := float64(picks)
	p := min(1, sum/unit/n)
	middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := unit / (1 + z*z/n)
	return Interval{sum / n, max(0, (middle-half)*scale), min(1, (middle+half)*scale)}
}

// stratum is a night for ratio: the picks of each arm, and the worth of what they found.
type stratum struct{ picks, worth [2]float64 }

// strata are the nights that brought something.
func strata(nights []Night) (all []stratum) {
	for i := range nights {
		n := &nights[i]
		s := stratum{picks: [2]float64{float64(n.Picks[0]), float64(n.Picks[1])}}
		for _, f := range n.Finds {
			s.worth[n.arm(f)] += f.Worth
		}
		if s.worth[0]+s.worth[1] > 0 {
			all = append(all, s)
		}
	}
	return all
}

// deviation is how much more B brought than a ratio r lets expect, and the standard deviation of that. Given a night's finds,
// each is B's with probability r·b/(r·b+a) for the numbers of picks a and b: the night's level cancels out. unit is the worth
// of an average find, by its part of the variance.
func deviation(all []stratum, r, unit float64) (more, sd float64) {
	variance := 0.0
	for _, s := range all {
		total, picks := s.worth[0]+s.worth[1], s.picks[0]+s.picks[1]
		share := r * s.picks[1] / (r*s.picks[1] + s.picks[0])
		more += s.worth[1] - total*share
		// Where many picks are finds, fewer ways are left to share them out.
		variance += unit * total * share * (1 - share) * max(0, 1-total/picks)
	}
	return more, math.Sqrt(variance)
}

// ratio is B's harvest by A's. The interval has the ratios from which what B brought deviates by at most z standard deviations.
func ratio(nights []Night, unit float64) Interval {
	all := strata(nights)
	at := func(z float64) float64 {
		const most = 20 // e^20 is as good as infinite
		low, high := -float64(most), float64(most)
		for range 50 {
			middle := (low + high) / 2
			if more, sd := deviation(all, math.Exp(middle), unit); more > z*sd {
				low = middle
			} else {
				high = middle
			}
		}
		switch {
		case low < 1-most:
			return 0
		case low > most-1:
			return Unbounded
		}
		return math.Exp(low)
	}
	return Interval{Value: at(0), Low: at(z), High: at(-z)}
}
