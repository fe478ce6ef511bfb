package month

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/protocol"
)

// web is a recorded web with a session on another part of it, or another web.
type web struct {
	bench.Task
	replay *fetch.Replay
	labels *corpus.Labels
	events []protocol.Event
	graph  *corpus.Web // what can be reached from the start pages
	change *changing
	useful map[string]bool
	reach  int // useful pages that can be reached from the start pages
}

// open reads the webs of the tasks that have walks.
func open(ctx context.Context, o *options, seed int) ([]*web, error) {
	suite, err := bench.LoadSuite("real")
	if err == nil && len(o.Only) > 0 {
		err = suite.Only(o.Only)
	}
	if err != nil {
		return nil, err
	}
	var all []*web
	for _, t := range suite.Tasks {
		if t.Games != nil || len(t.Starts) == 0 {
			continue
		}
		w, err := read(ctx, o, t, seed)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		all = append(all, w)
	}
	return all, nil
}

func read(ctx context.Context, o *options, t bench.Task, seed int) (*web, error) {
	inside := func(names []string) []string {
		all := make([]string, len(names))
		for i, name := range names {
			all[i] = filepath.Join(o.Corpora, filepath.FromSlash(name))
		}
		return all
	}
	w := &web{Task: t}
	labels := func(files []string, replay *fetch.Replay) (*corpus.Labels, error) {
		l, err := corpus.ReadLabels(inside(files))
		if err == nil {
			l.Apply(t.Rules, replay.Pages())
		}
		return l, err
	}
	var err error
	if w.replay, _, err = fetch.OpenReplay(inside(t.Corpus)); err != nil {
		return nil, err
	}
	if w.labels, err = labels(t.Labels, w.replay); err != nil {
		return nil, err
	}
	finals, _ := corpus.Starts(ctx, w.replay, t.Starts)
	if w.graph, err = corpus.ReadWeb(ctx, w.replay, finals); err != nil {
		return nil, err
	}
	w.useful = w.labels.With(t.Relevant[0])
	w.reach = w.graph.Count(func(url string) bool { return w.useful[url] })
	w.change = unchanging(w.replay, w.graph)
	if o.Changes {
		w.change.draw(w.graph, w.useful, o.Nights, rand.New(rand.NewPCG(uint64(seed), 0x6368616e6765)))
	}
	for i, walk := range t.Walks {
		replay, _, err := fetch.OpenReplay(inside(walk.Corpus))
		if err != nil {
			return nil, err
		}
		known, err := labels(walk.Labels, replay)
		if err != nil {
			return nil, err
		}
		pages := o.Size / len(t.Walks)
		events, _, err := corpus.Walk(ctx, replay, known, corpus.WalkOptions{
			Relevant: t.Relevant[0], Starts: walk.Starts, Pages: pages, Targets: max(2, pages/8), Seed: uint64(seed) + uint64(i)<<32,
		})
		if err != nil {
			return nil, err
		}
		w.events = append(w.events, events...)
	}
	return w, nil
}
