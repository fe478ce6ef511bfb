package strategy

import "nightjar/model/online"

const (
	// discount is what a useful page behind the one that a link leads to is worth, beside one that it leads to itself: the
	// way there costs a page, and may turn out to be none.
	discount = 0.2

	// sessionAheadWeight is of a link of the session, beside one of the crawl: in a session nearly every page leads on to
	// something useful, as the person went that way.
	sessionAheadWeight = 0.3

	// aheadShare is how much less than for useful pages the usual weights say of what leads on to them.
	aheadShare = 0.5
)

// sessionLink is a link of the session to a visited page.
type sessionLink struct {
	online.Example
	ahead float64 // 1 when the page links to a target
}

// aheadWeights are the usual weights for what a link leads on to.
func aheadWeights() []float64 {
	w := usualWeights()
	for i := range w {
		w[i] *= aheadShare
	}
	return w
}

// examplesAhead are the links of session and crawl by what they led on to.
func (s *linkValue) examplesAhead() []online.Example {
	all := make([]online.Example, 0, len(s.session)+len(s.followed))
	for _, l := range s.session {
		e := l.Example
		e.Outcome, e.Weight = l.ahead, sessionAheadWeight
		all = append(all, e)
	}
	for _, f := range s.followed {
		e := f.Example
		e.Outcome, e.Weight = f.Ahead, 1
		all = append(all, e)
	}
	return all
}

// promise is by how much the log odds of a link rise for what its page may lead on to: a link that surely leads somewhere
// useful gains nothing.
func promise(logOdds, ahead float64) float64 {
	p := online.Probability(logOdds)
	return online.LogOdds(p+discount*(1-p)*online.Probability(ahead)) - online.LogOdds(p)
}
