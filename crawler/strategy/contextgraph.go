package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/online"
)

var contextGraphKind = Kind{
	Name:    "context-graph",
	Summary: "follows links from the page that appears, by its words, to be the fewest links from a useful page; learns from your marks",
	Look:    5,
	Best:    "no other was on a page that its words placed nearer to a useful one",
	New: func(ctx context.Context, b *model.Bundle) (Strategy, error) {
		s := makeContextGraph(b, "context-graph")
		return s, s.build(ctx, 0)
	},
}

// contextGraph follows links by the layer of the page that holds them, [CGS] §3.3: one queue a layer, sorted by
// likelihood, the first that is not empty first, and the class "other" last. Its relevant pages are those of the judge that
// all strategies share, not those of layer 0, so that results can be compared.
//
// [CGS] downloads the children of a page, classifies each and queues it by its own class. As in [HMM] fig. 7, links here
// have the class of the page that holds them, since each page fetched counts. Start pages come before all queues. Within a
// layer, links are sorted by the mean likelihood of a word, not by the product, which would put short pages first.
//
// The layers come from the session and from the known pages that lead to it (model.Ancestor): the table of all links that were
// ever seen stands for the search engine's backlinks. Marks on pages of the crawl rebuild them: a page marked Useful is a seed from
// then on, and pages of the crawl that lead to it join the layers, as with the periodic new context graphs of [CGS] §3.3. Without
// marks the layers stay as they are, as in the paper's tests (§5).
type contextGraph struct {
	reader
	memory
	options contextgraph.Options
	model   *contextgraph.Model
	through int  // pages below this number are part of what the model was built from, 0 for the session alone
	stale   bool // the person's marks since then would change it
	news    bool // it was rebuilt, and no judgement has reported that yet
}

// makeContextGraph makes a contextGraph without layers.
func makeContextGraph(b *model.Bundle, name string) *contextGraph {
	o := contextgraph.Defaults()
	o.Seed = b.Settings.Seed
	return &contextGraph{reader: reader{b, name}, memory: newMemory(), options: o}
}

func (s *contextGraph) Read(ctx context.Context, v Visit) (Judgement, error) {
	o, words, _ := s.bundle.ReadPage(v.Page.Language, v.Page.Text)
	j := s.judgement(o)
	if s.memory.forget() && s.through > 0 {
		s.stale = true
	}
	s.settle(ctx)
	j.Reorder, s.news = s.news, false
	words = fewer(words)
	s.remember(remembered{URL: v.Page.URL, Alias: online.Key(v.URL), Words: words, Links: addresses(v)})
	p := s.priority(words)
	j.Priorities, j.Notes = same(v, p), sameNote(v, pageNote(v.Page.URL, p))
	return j, nil
}

// priority puts a page's links into the queue of its layer, the targets' highest and "other" 0, and there by the geometric
// mean of the probabilities of its words.
func (s *contextGraph) priority(words model.Words) Priority {
	const steps = 1e9
	c := s.model.Classify(words)
	mean := int32(math.Round(math.Exp(c.Mean) * steps))
	if c.Layer == contextgraph.Other {
		return Priority{0, mean}
	}
	return Priority{int32(s.model.Layers() - c.Layer), mean}
}

// Priority classifies the page that holds the link again. For a page that was forgotten, it is the priority in the note.
func (s *contextGraph) Priority(_ string, note []byte) Priority {
	holder, was, ok := readPageNote(note)
	if !ok {
		return Priority{}
	}
	if p := s.at(holder); p != nil {
		return s.priority(p.Words)
	}
	return was
}

// Teach makes a page a seed, or removes it from the seeds.
func (s *contextGraph) Teach(m Mark) { s.stale = s.mark(m) || s.stale }

// Ask lists the pages that are hardest to tell from targets.
func (s *contextGraph) Ask(n int) []string {
	return s.ask(n, func(p *remembered) float64 {
		c := s.model.Classify(p.Words)
		if c.Posterior == 0 {
			return math.Inf(-1)
		}
		return -math.Abs(c.Odds)
	})
}

// settle rebuilds the layers and their classifiers when the person's marks changed them: from the session and all remembered
// pages of the crawl, or from the session alone if none of those is marked. If ctx ends first, they stay unchanged.
func (s *contextGraph) settle(ctx context.Context) {
	if !s.stale {
		return
	}
	through := 0
	if slices.ContainsFunc(s.pages, func(p remembered) bool { return p.Mark != online.Unmarked }) {
		through = s.judged
	}
	if s.build(ctx, through) == nil {
		s.stale, s.news = false, true
	}
}

// build learns from the session and the pages below number through. Its only error is that of ctx.
func (s *contextGraph) build(ctx context.Context, through int) error {
	b := s.bundle
	g := contextgraph.Graph{Pages: slices.Clip(b.Lessons.Pages), Edges: slices.Clip(b.Edges), Reference: b.Lessons.Background}
	node := map[uint64]int{} // of each address
	for i, p := range b.Pages {
		g.Target = append(g.Target, p.Target)
		node[online.Key(p.URL)] = i
	}
	for i, a := range b.Ancestors {
		g.Pages, g.Target = append(g.Pages, a.Words), append(g.Target, false)
		if _, known := node[a.Key]; !known {
			node[a.Key] = len(b.Pages) + i
		}
		for _, to := range a.Links {
			g.Edges = append(g.Edges, [2]int{len(b.Pages) + i, to})
		}
	}
	of := make([]int, len(s.pages)) // node of each page of the crawl
	for k, p := range s.pages {
		if p.Number >= through {
			break
		}
		i, known := node[online.Key(p.URL)]
		if !known {
			i = len(g.Pages)
			g.Pages, g.Target = append(g.Pages, p.Words), append(g.Target, false)
			node[online.Key(p.URL)] = i
		}
		if of[k] = i; p.Mark != online.Unmarked {
			g.Target[i] = p.Mark == online.Useful
		}
		if _, taken := node[p.Alias]; !taken {
			node[p.Alias] = i
		}
	}
	for k, p := range s.pages {
		if ctx.Err() != nil {
			break
		}
		for _, l := range p.Links {
			if to, known := node[l]; known && p.Number < through && to != of[k] {
				g.Edges = append(g.Edges, [2]int{of[k], to})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.through = through
	s.model = contextgraph.Learn(g, len(b.Features.Terms), s.options)
	return nil
}

// contextGraphState is what was learned, as it is stored: the pages, and how many of them the layers were built from.
type contextGraphState struct {
	Memory      memoryState
	Through     int
	Stale, News bool
}

// Snapshot returns what was learned so far.
func (s *contextGraph) Snapshot() []byte {
	return s.pack(contextGraphState{Memory: s.memory.state(), Through: s.through, Stale: s.stale, News: s.news})
}

// Restore continues from a snapshot; anything else is online.ErrSnapshot.
func (s *contextGraph) Restore(data []byte) error {
	return restore(s.reader, data, s.restore)
}

// restore takes over a state, all of it or nothing.
func (s *contextGraph) restore(state *contextGraphState) error {
	m, err := memoryOf(state.Memory, len(s.bundle.Features.Terms))
	if err != nil {
		return err
	}
	if state.Through < 0 || state.Through > m.judged {
		return fmt.Errorf("%w: layers of pages that were not read yet", online.ErrSnapshot)
	}
	s.memory, s.stale, s.news = m, state.Stale, state.News
	return s.build(context.Background(), state.Through)
}
