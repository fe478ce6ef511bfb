package crawler

import (
	"math/rand/v2"
	"slices"

	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
)

// Choice says how a link was chosen among those that waited. It is worked out when the link is taken from the frontier, if
// Options.Explain says so.
type Choice struct {
	How       How    `json:"how"`
	By        string `json:"by,omitempty"`        // strategy.Pick.By
	Waiting   int    `json:"waiting"`             // links that waited, this one included
	Preferred int    `json:"preferred,omitempty"` // hosts with a better link: they could not be asked then, or the crawl explored

	// A sample of the other links: how many were looked at, how many of them had a lower priority, and how many the same.
	Sample int `json:"sample,omitempty"`
	Lower  int `json:"lower,omitempty"`
	Level  int `json:"level,omitempty"`

	// The value of the link and the mean value of the links of the sample, in the unit that strategy.Measure names; only if
	// Compared is above 0. The reasons add up to the difference.
	Compared int               `json:"compared,omitempty"` // links of the sample with which the strategy compared it
	Worth    float64           `json:"worth,omitempty"`
	Typical  float64           `json:"typical,omitempty"`
	Why      []strategy.Reason `json:"-"` // stored as Judgement.Why
}

// How says by which rule a link was chosen.
type How string

// The rules.
const (
	ByStart    How = "start"    // a start page
	ByLink     How = "link"     // the person said that a link to it looks useful
	ByBest     How = "best"     // the best link of all that waited
	ByReady    How = "ready"    // the best link of those whose host could be asked then
	ByExplorer How = "explorer" // the best link of the host with the fewest attempts, since the strategy explores
	ByLook     How = "look"     // a page that was read before, on which new links may be
	ByNews     How = "news"     // the best new link on a page that was read before
	ByRetry    How = "retry"    // its fetch was interrupted before, so that it comes first
)

// sampled is the number of waiting links that a link is compared with: enough for means, and few enough to cost little beside
// reading a page.
const sampled = 200

// explain works out how the link that was just popped was chosen. It changes nothing in the crawl.
func (c *Crawl) explain(e *frontier.Entry, explored bool, pick strategy.Pick) Choice {
	ch := Choice{How: ByBest, Waiting: c.frontier.Len() + 1}
	switch {
	case c.looks.of(e.URL) != nil:
		ch.How = ByLook
		return ch
	case isNews(e):
		ch.How = ByNews
		return ch
	}
	ch.By = pick.By
	if ch.Preferred = c.frontier.Preferred(pick.Order, e); ch.Preferred > 0 {
		ch.How = ByReady
	}
	switch {
	case e.Depth == 0:
		ch.How = ByStart
		if slices.Contains(c.o.Links, e.URL) {
			ch.How = ByLink
		}
		return ch
	case e.Attempts > 0:
		ch.How = ByRetry
	case explored && ch.Preferred > 0:
		ch.How = ByExplorer
	}
	var others []strategy.Waiting
	random := rand.New(rand.NewPCG(uint64(c.intake.lastN), uint64(ch.Waiting)))
	c.frontier.Sample(sampled, random, func(o *frontier.Entry) {
		if o.Depth == 0 {
			return
		}
		ch.Sample++
		switch order := c.frontier.Compare(pick.Order, e.Priority, o.Priority); {
		case order > 0:
			ch.Lower++
		case order == 0:
			ch.Level++
		}
		others = append(others, waiting(o))
	})
	if c.learning.explainer == nil {
		return ch
	}
	if x, ok := c.learning.explainer.Explain(waiting(e), others); ok {
		ch.Compared, ch.Typical, ch.Worth, ch.Why = x.Others, x.Typical, x.Typical, x.Reasons
		for _, r := range x.Reasons {
			ch.Worth += r.Value
		}
	}
	return ch
}

func waiting(e *frontier.Entry) strategy.Waiting {
	return strategy.Waiting{URL: e.URL, Anchor: e.Anchor, Note: e.Note}
}
