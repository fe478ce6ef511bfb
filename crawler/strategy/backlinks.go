package strategy

import (
	"context"

	"nightjar/model"
	"nightjar/model/online"
)

// backlinks are the known pages that link to a page. As an option of [CGS] §3.3, they go into the queue of their own layer
// once that page proves relevant. Pages of the crawl need no second fetch, so this concerns pages of the session. A page of
// the session is only followed when a page of the crawl links to it; then its priority rises.
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

// found notes that a page is relevant, and reports whether that raises any link.
func (k *backlinks) found(url string) bool {
	news := false
	for _, p := range k.parents[online.Key(url)] {
		news = news || !k.risen[p]
		k.risen[p] = true
	}
	return news
}

// raise returns the priority of a link that would otherwise have priority p: that of the page it leads to, if that page
// links to a relevant one and its layer is better.
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
	withLiteral   = "context-graph:literal"
)

var (
	contextGraphPosteriorKind = Kind{
		Name:    withPosterior,
		Summary: "context-graph with a fixed threshold: a page belongs to a layer from a probability of 0.5 on",
		Best:    "no other was on a page that its words placed nearer to a useful one",
		New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
			s := makeContextGraph(b, withPosterior)
			s.options.Posterior = 0.5 // as [HMM] §5.2.1 did
			return s, s.build(ctx, 0)
		},
	}
	contextGraphLiteralKind = Kind{
		Name:    withLiteral,
		Summary: "context-graph with the threshold as printed in the paper: on the product over all words of a page instead of the mean",
		Best:    "no other was on a page that its words placed nearer to a useful one",
		New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
			s := makeContextGraph(b, withLiteral)
			s.options.Literal = true
			return s, s.build(ctx, 0)
		},
	}
	contextGraphBacklinksKind = Kind{
		Name:    withBacklinks,
		Summary: "context-graph that also raises pages of the session that link to a relevant page",
		Best:    "no other was on a page that its words placed nearer to a useful one",
		New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
			s := makeContextGraph(b, withBacklinks)
			s.backlinks = newBacklinks(s)
			return s, s.build(ctx, 0)
		},
	}
)
