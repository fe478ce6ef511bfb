package strategy

import (
	"context"
	"errors"
	"fmt"

	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/online"
)

// sessionWeight is the weight of a link of the session, relative to one that the crawl followed. Links of one page are much
// alike, and so are the paths of one person, so each says less.
const sessionWeight = 0.3

// readSession makes examples of the session's links to visited pages; the outcome is whether the page is a target. Links
// that the person did not follow are left out: nobody knows where they lead. The signals must be those that a similar page
// of the web would have, so each page is judged by a judge that was trained without it.
func (s *linkValue) readSession(ctx context.Context) error {
	b := s.bundle
	parent, err := s.judge.Unseen(ctx)
	switch {
	case errors.Is(err, logistic.ErrNoRows):
		return nil // no page of the session has a known word: the crawl teaches instead
	case err != nil:
		return fmt.Errorf("learn from the session: %w", err)
	}
	s.ways.said = parent
	state := make([]float64, len(b.Pages))
	for i, w := range b.Lessons.Pages {
		alpha := s.hmm.Start(b.Evidence(w))
		state[i] = online.LogOdds(model.ExpectedValue(s.hmm.Predict(alpha)))
	}
	linked := map[string]linkedFrom{}
	for _, l := range b.Lessons.Links {
		at, useful := linked[l.URL], float32(online.Probability(parent[l.From]))
		linked[l.URL] = linkedFrom{at.N + 1, at.Sum + useful, max(at.Best, useful)}
	}
	leads := make([]float64, len(b.Pages))
	for _, e := range b.Edges {
		if b.Pages[e[1]].Target {
			leads[e[0]] = 1
		}
	}
	usual := s.brought[byFolder].Usual()
	for _, l := range b.Lessons.Links {
		if l.To < 0 {
			continue
		}
		e := online.Example{Weight: sessionWeight, Signals: make([]float32, signalCount)}
		if b.Pages[l.To].Target {
			e.Outcome = 1
		}
		in := b.LanguageOf(l.From)
		read := s.vocabulary.Link(in, l.Link, weburl.Site(b.Pages[l.From].URL) == weburl.Site(l.URL))
		e.Tokens = read.Tokens
		e.Signals[parentSignal], e.Signals[stateSignal] = float32(parent[l.From]), float32(state[l.From])
		e.Signals[anchorSignal] = float32(s.judge.Said(read.Anchor.Row))
		e.Signals[aroundSignal] = float32(s.judge.Said(read.Around.Row))
		e.Signals[linkedSignal], e.Signals[linkedMeanSignal], e.Signals[linkedBestSignal] = linked[l.URL].signals(usual)
		s.session = append(s.session, sessionLink{e, leads[l.To]})
	}
	return nil
}
