package strategy

import (
	"context"

	"nightjar/model"
	"nightjar/model/hmm"
)

var hmmKind = Kind{
	Name:    "hmm",
	Summary: "follows the link that a hidden Markov model estimates to lead nearest to a useful page, by its text and the words of the pages on the way to it",
	Look:    1,
	Best:    "no other seemed to lead nearer to a useful page, by its text and the words of the pages on the way to it",
	New: func(_ context.Context, b *model.Bundle) (Strategy, error) {
		s := newHMMSoft("hmm", b)
		s.links = newLinkStates(b)
		return s, nil
	},
}

var hmmSoftKind = Kind{
	Name:    "hmm-soft",
	Summary: "follows links from the page that a hidden Markov model estimates to be nearest to a useful page, using all words of the page",
	Look:    4,
	Best:    "no other was on a page that seemed nearer to a useful one",
	New:     func(_ context.Context, b *model.Bundle) (Strategy, error) { return newHMMSoft("hmm-soft", b), nil },
}

// newHMMSoft follows links by the hidden Markov model of the paper, but observes all words of a page instead of the number of its
// cluster: the evidence for a state is P(T_j | page)/P(T_j), which is proportional to P(page | T_j) as [HMM] §3.3 wants it. Links
// are ordered by an expected value, so that a slightly larger probability of being at a target does not outweigh a much larger one
// of being near.
func newHMMSoft(name string, b *model.Bundle) *hmmStrategy {
	return &hmmStrategy{
		reader: reader{b, name}, model: b.HMM(), key: expectedValue,
		evidence: func(o model.Observation) []float64 { return o.Emission },
	}
}

// expectedValue is model.ExpectedValue as a key, the same by which a model rehearses hmm-soft.
func expectedValue(prediction []float64) Priority { return fine(model.ExpectedValue(prediction)) }

var hmmPaperKind = Kind{
	Name:    "hmm-paper",
	Summary: "hmm as in the paper: a page is observed by the number of its cluster alone, and all links of a page have the same value",
	Look:    1,
	Best:    hmmSoftKind.Best,
	New:     newHMMPaper,
}

// newHMMPaper follows links as the hidden Markov model of [HMM] §4 predicts: a page is observed by its cluster, and links are
// ordered by the probabilities of the predicted states, nearest first.
//
// Departures from the paper: a link that several pages hold is queued once, with the prediction of the page that gives it the
// highest priority, and α goes on along that path, where fig. 7 queues it once for each page (frontier.Add). Probabilities are
// compared in steps of ε (quantise). Which pages are relevant is said by the judge that all strategies share, which is the
// cosine and γ of §4 only where the model chose it (model.Choice).
func newHMMPaper(_ context.Context, b *model.Bundle) (Strategy, error) {
	m := b.HMM()
	return &hmmStrategy{
		reader: reader{b, "hmm-paper"}, model: m, key: hmmPriority,
		evidence: func(o model.Observation) []float64 { return m.Evidence(o.Cluster) },
	}, nil
}

// hmmStrategy follows links by a hidden Markov model. It carries along a path the distribution over the states of the last
// page. The state of the page behind a link is predicted from that distribution, and observed twice: by the words of the link
// as soon as it is found, if links is not nil, and by the page itself once it is read.
type hmmStrategy struct {
	reader
	model    *hmm.Model
	evidence func(model.Observation) []float64 // proportional to P(page | state) for each state; nil for a page that says nothing
	links    *linkStates                       // nil: all links of a page have the same priority, the prediction for its children
	key      func(prediction []float64) Priority
}

// Read follows [HMM] §4.3, fig. 7: a start page has α = π·b(o), any other the filtered α of its parent, and its
// children the prediction. In print the second line has α(j,t) for α(j,t-1).
func (s *hmmStrategy) Read(_ context.Context, v Visit) (Judgement, error) {
	o, _, in := s.bundle.ReadPage(v.Page.Language, v.Page.Text)
	j := s.judgement(o)
	j.Evidence = s.evidence(o)
	if s.links != nil {
		j.Evidence = both(j.Evidence, alphaOf(v.Note))
	}
	alpha := filter(s.model, v, j.Evidence)
	j.States, j.Path = alpha, pathOf(alpha)
	if s.links == nil {
		j.Priorities = same(v, s.key(s.model.Predict(alpha)))
		return j, nil
	}
	j.Priorities, j.Notes = make([]Priority, len(v.Page.Links)), make([][]byte, len(v.Page.Links))
	for i, l := range v.Page.Links {
		said := s.links.evidence(in, l.Anchor)
		if j.Priorities[i] = s.key(s.model.Filter(alpha, said)); said != nil {
			j.Notes[i] = pathOf(said)
		}
	}
	return j, nil
}

// filter is α of a page by its path and its own evidence.
func filter(m *hmm.Model, v Visit, evidence []float64) []float64 {
	if alpha := alphaOf(v.Parent); !v.Start && hmm.Distribution(alpha, m.States(), epsilon) {
		return m.Filter(alpha, evidence)
	}
	return m.Start(evidence) // also if the path state was lost or belongs to another model
}

// both is the evidence of a page and of the link to it, which are independent given the state. link comes from a store: what does
// not fit is left out.
func both(page, link []float64) []float64 {
	switch {
	case len(link) == 0 || !positive(link):
		return page
	case page == nil:
		return link
	case len(link) != len(page):
		return page
	}
	e := make([]float64, len(page))
	for i := range e {
		e[i] = page[i] * link[i]
	}
	return e
}

// hmmPriority is the key (P(T_0), P(T_1), …) of [HMM] §4.1, in steps of ε.
func hmmPriority(prediction []float64) Priority {
	p := make(Priority, len(prediction))
	for i, x := range prediction {
		p[i] = quantise(x)
	}
	return p
}
