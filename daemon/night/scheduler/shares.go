package scheduler

import "slices"

// leastShare is the share of the turns that each crawl gets at least, as far as there are not too many for it.
const leastShare = 0.1

// next returns the run whose turn it is, nil when none may run. Turns go where the next pages promise most: a run that promises
// twice as much gets twice as many, and none is left out. Of runs that are equal in this, the one that has waited longest is next.
func (s *Scheduler) next() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Clock.Now()
	best := -1
	var resting []*run
	for i, r := range s.runs {
		after := r.after.Sub(now)
		if r.rests() || after > 0 && after <= retry { // more: the clock was set back
			resting = append(resting, r)
		} else if best < 0 || r.turns < s.runs[best].turns {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	r := s.runs[best]
	for _, other := range resting { // it need not catch up later
		other.turns = max(other.turns, r.turns)
	}
	s.runs = append(slices.Delete(s.runs, best, best+1), r)
	r.turns += 1 / s.shareOf(r)
	return r
}

// shareOf is a run's share of the turns.
func (s *Scheduler) shareOf(r *run) float64 {
	promised := make([]*float64, len(s.runs))
	for i, other := range s.runs {
		promised[i] = other.promised
	}
	return shares(promised)[slices.Index(s.runs, r)]
}

// shares divides the turns by what runs promise; each gets at least leastShare. nil stands for an unknown promise, which counts as the mean
// of the others.
func shares(promised []*float64) []float64 {
	weights := weigh(promised)
	all, least := make([]float64, len(weights)), min(leastShare, 1/float64(len(weights)))
	for low := -1; ; { // each round raises those that have less; what the others have to divide becomes less
		free, sum := 1.0, 0.0
		for i, w := range weights {
			if all[i] == least {
				free -= least
			} else {
				sum += w
			}
		}
		before := low
		low = 0
		for i, w := range weights {
			if all[i] != least {
				all[i] = max(least, free*w/sum)
			}
			if all[i] == least {
				low++
			}
		}
		if low == before {
			return all
		}
	}
}

// weigh returns what runs promise: the mean of the others where that is unknown, and 1 for all when nothing is promised.
func weigh(promised []*float64) []float64 {
	sum, known := 0.0, 0
	for _, p := range promised {
		if p != nil {
			sum, known = sum+*p, known+1
		}
	}
	all, mean := make([]float64, len(promised)), sum/float64(max(1, known))
	for i, p := range promised {
		switch {
		case mean == 0:
			all[i] = 1
		case p == nil:
			all[i] = mean
		default:
			all[i] = *p
		}
	}
	return all
}

// begins gives a run that joins others as many turns as the one that had fewest.
func (s *Scheduler) begins(r *run) {
	for i, other := range s.runs {
		if i == 0 || other.turns < r.turns {
			r.turns = other.turns
		}
	}
}
