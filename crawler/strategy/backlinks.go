package strategy

import (
	"context"

	"nightjar/model"
	"nightjar/model/online"
)

// backlinks are the known pages that link to a page, which [CGS] §3.3 can be told to put into their own layer's queue as
// soon as the page turns out to be relevant. Known besides the pages of the crawl, which need no fetch any more, are those
// of the session. One that no page of the crawl links to is not fetched for that: its address is known from the person's
// own browsing alone. So they rise in the queue, as soon as they are in it.
type backlinks struct {
	parents map[uint64][]int // pages of the session, by the hash of an address they link to
	address map[uint64]int   // page of the session, by the hash of its own
	risen   map[int]bool     // pages of the session that link to a relevant page
}

func newBacklinks(s *contextGraph) *backlinks {
	k := &backlinks{parents: map[uint64][]int{}, address: map[uint64]int{}, risen: map[int]bool{}}
	for i, p := range s.bundle.Pages {
		k.address[online.Key(p.URL)] = i
	}
	for _, l := range s.bundle.Lessons.Links {
		k.parents[online.Key(l.URL)] = append(k.parents[online.Key(l.URL)], l.From)
	}
	for _, e := range s.bundle.Edges { // a link may be followed that the page's HTML does not show
		to := online.Key(s.bundle.Pages[e[1]].URL)
		k.parents[to] = append(k.parents[to], e[0])
	}
	return k
}

// found notes that the page of an address is relevant, and reports whether that lets any rise.
func (k *backlinks) found(url string) bool {
	news := false
	for _, p := range k.parents[online.Key(url)] {
		news = news || !k.risen[p]
		k.risen[p] = true
	}
	return news
}

// raise is the priority of a link that would have priority p: that of the page it leads to when that has risen and its
// layer is the better one.
func (s *contextGraph) raise(url string, p Priority) Priority {
	if s.backlinks == nil {
		return p
	}
	i, known := s.backlinks.address[online.Key(url)]
	if !known || !s.backlinks.risen[i] {
		return p
	}
	if own := s.priority(fewer(s.bundle.Lessons.Pages[i])); own.Compare(p) > 0 {
		return own
	}
	return p
}

// raiseAll raises the links of a page.
func (s *contextGraph) raiseAll(v Visit, all []Priority) {
	if s.backlinks == nil || len(s.backlinks.risen) == 0 {
		return
	}
	for i, l := range v.Page.Links {
		all[i] = s.raise(l.URL, all[i])
	}
}

// The variants of context-graph by name.
const (
	withPosterior = "context-graph:posterior"
	withBacklinks = "context-graph:backlinks"
)

var (
	contextGraphPosteriorKind = Kind{
		Name:    withPosterior,
		Summary: "is context-graph with a fixed least probability of 0.5 for a page to be in a layer",
		New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
			s := makeContextGraph(b, withPosterior)
			s.options.Posterior = 0.5 // as [HMM] §5.2.1 did
			return s, s.build(ctx, 0)
		},
	}
	contextGraphBacklinksKind = Kind{
		Name:    withBacklinks,
		Summary: "is context-graph that also raises pages of the session that link to a relevant page",
		New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
			s := makeContextGraph(b, withBacklinks)
			s.backlinks = newBacklinks(s)
			return s, s.build(ctx, 0)
		},
	}
)
