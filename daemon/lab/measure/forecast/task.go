package forecast

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
)

// shares are the useful pages of a walk, as shares of its pages. A walker marks as many as it is told to, unlike the person of a
// game: so each seed has another share, and the share of a walk says nothing about its web.
var shares = []float64{0.1, 0.15, 0.25}

// near is how many of the pages nearest to a task's start pages other start pages are drawn from, and otherStarts how many.
const (
	near        = 80
	otherStarts = 3
)

// task is a task of the suite with its opened web.
type task struct {
	bench.Task
	web    string // recording that is crawled
	replay *fetch.Replay
	labels *corpus.Labels
	close  []string // pages near the start pages
}

// openings opens each recording once.
type openings struct {
	dir     string
	replays map[string]*fetch.Replay
	graphs  map[string]corpus.Graph
	games   []corpus.Game
}

func (p *openings) inside(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = filepath.Join(p.dir, filepath.FromSlash(name))
	}
	return all
}

func (p *openings) replay(names []string) (*fetch.Replay, error) {
	key := strings.Join(names, "\n")
	if r := p.replays[key]; r != nil {
		return r, nil
	}
	r, _, err := fetch.OpenReplay(p.inside(names))
	if err == nil {
		p.replays[key] = r
	}
	return r, err
}

func (p *openings) graph(ctx context.Context, names []string) (corpus.Graph, error) {
	key := strings.Join(names, "\n")
	if g := p.graphs[key]; g != nil {
		return g, nil
	}
	r, err := p.replay(names)
	if err != nil {
		return nil, err
	}
	g, err := corpus.ReadGraph(ctx, r)
	if err == nil {
		p.graphs[key] = g
	}
	return g, err
}

// tasks are those of the suite to measure.
func tasks(o *options) ([]bench.Task, error) {
	suite, err := bench.LoadSuite("real")
	if err != nil {
		return nil, err
	}
	if len(o.Only) > 0 {
		if err := suite.Only(o.Only); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(suite.Tasks, func(t bench.Task) bool { return !t.LookedAt && !o.Held }), nil
}

// open reads a task's web.
func (p *openings) open(ctx context.Context, t bench.Task) (*task, error) {
	out := &task{Task: t, web: strings.TrimSuffix(filepath.Base(t.Corpus[0]), ".warc.gz")}
	if t.Group == "Documentation" {
		out.web = "documentation"
	}
	var err error
	if out.replay, err = p.replay(t.Corpus); err != nil {
		return nil, err
	}
	if out.labels, err = p.labels(t.Labels, t.Rules, out.replay); err != nil {
		return nil, err
	}
	starts := append(slices.Clone(t.Starts), t.Pool...)
	finals, _ := corpus.Starts(ctx, out.replay, starts)
	web, err := corpus.ReadWeb(ctx, out.replay, finals)
	if err != nil {
		return nil, err
	}
	pages := web.Pages()
	out.close = pages[min(len(finals), len(pages)):min(len(finals)+near, len(pages))]
	return out, nil
}

func (p *openings) labels(files []string, rules []corpus.Rule, replay *fetch.Replay) (*corpus.Labels, error) {
	labels, err := corpus.ReadLabels(p.inside(files))
	if err == nil {
		labels.Apply(rules, replay.Pages())
	}
	return labels, err
}

// starts draws the start pages of a topic's first night (draw 0) and of later ones.
func (t *task) starts(seed, draw int) []string {
	if draw == 0 && len(t.Starts) > 0 {
		return t.Starts
	}
	pool, n := t.close, otherStarts
	if len(t.Pool) > 0 {
		pool, n = t.Pool, t.Draw
	}
	var all []string
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0x6e696768)).Perm(len(pool)) {
		all = append(all, pool[i])
	}
	at := min(draw*n, max(0, len(all)-n))
	return all[at:min(at+n, len(all))]
}

// sessions makes a session of about so many pages.
func (t *task) sessions(ctx context.Context, p *openings, seed, size int) ([]*session.Session, error) {
	if t.Games != nil {
		if p.games == nil {
			games, err := corpus.ReadGames(p.inside(t.Games.Files))
			if err != nil {
				return nil, err
			}
			p.games = games
		}
		events, _, err := corpus.Games(ctx, t.replay, p.games, t.labels,
			corpus.GamesOptions{Category: t.Relevant[0], Half: t.Games.Half, Pages: size, Seed: uint64(seed)})
		if err != nil {
			return nil, fmt.Errorf("make a session of games: %w", err)
		}
		return session.Fold(events)
	}
	var recs []*session.Session
	pages := size / len(t.Walks)
	for i, w := range t.Walks {
		replay, err := p.replay(w.Corpus)
		if err != nil {
			return nil, err
		}
		labels, err := p.labels(w.Labels, t.Rules, replay)
		if err != nil {
			return nil, err
		}
		graph, err := p.graph(ctx, w.Corpus)
		if err != nil {
			return nil, err
		}
		targets := max(2, int(shares[seed%len(shares)]*float64(pages)))
		events, _, err := corpus.Walk(ctx, replay, labels, corpus.WalkOptions{
			Relevant: t.Relevant[0], Starts: w.Starts, Pages: pages, Targets: targets, Seed: uint64(seed) + uint64(i)<<32, Graph: graph,
		})
		if err != nil {
			return nil, fmt.Errorf("make a walk: %w", err)
		}
		walked, err := session.Fold(events)
		if err != nil {
			return nil, err
		}
		recs = append(recs, walked...)
	}
	return recs, nil
}
