package strategy

import "nightjar/model/online"

const (
	// discount is the value of a useful page two links away, relative to one that is a single link away: reaching it costs
	// another page, and it may turn out not to be useful.
	discount = 0.2

	// sessionAheadWeight is the weight of a link of the session, relative to one of the crawl. In a session nearly every page
	// leads to something useful, because the person went that way.
	sessionAheadWeight = 0.3

	// aheadShare scales the usual weights of useful pages to those of pages that link to them.
	aheadShare = 0.5
)

// sessionLink is a link of the session to a visited page.
type sessionLink struct {
	online.Example
	ahead float64 // 1 when the page links to a target
}

// aheadWeights are the usual weights for the page behind a link to link to a useful one.
func aheadWeights() []float64 {
	w := usualWeights()
	for i := range w {
		w[i] *= aheadShare
	}
	return w
}

// examplesAhead are the links of session and crawl, with whether the pages behind them link to useful ones as outcome.
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

// promise is how much the pages beyond the next raise the log odds of a link. A link that surely leads to a useful page
// gains nothing.
func promise(logOdds, ahead float64) float64 {
	p := online.Probability(logOdds)
	return online.LogOdds(p+discount*(1-p)*online.Probability(ahead)) - online.LogOdds(p)
}
