package month

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
)

// web is a recorded web with a session on another part of it, or another web.
type web struct {
	bench.Task
	seed   int // of the session, the marks and the changes
	change *changing
	events []protocol.Event
	second []protocol.Event // of a session that the person sends later
	again  int              // the night after which that is; 0 for never
	graph  *corpus.Web      // what can be reached from the start pages
	useful map[string]bool
	reach  int // useful pages that can be reached from the start pages
}

// open reads the webs of the tasks.
func open(ctx context.Context, o *options, seed int) ([]*web, error) {
	suite, err := bench.LoadSuite("real")
	if err == nil && len(o.Only) > 0 {
		err = suite.Only(o.Only)
	}
	if err != nil {
		return nil, err
	}
	l := bench.NewLibrary(o.Corpora, nil)
	var all []*web
	for _, t := range suite.Tasks {
		w, err := read(ctx, l, o, t, seed)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		all = append(all, w)
	}
	return all, nil
}

func read(ctx context.Context, l *bench.Library, o *options, t bench.Task, seed int) (*web, error) {
	t.Starts = t.StartPages(uint64(seed))
	replay, err := l.Replay(t.Corpus)
	if err != nil {
		return nil, err
	}
	labels, err := l.Labels(t.Labels, t.Corpus, t.Rules)
	if err != nil {
		return nil, err
	}
	w := &web{Task: t, seed: seed, change: newChanging(replay), useful: labels.With(t.Relevant[0])}
	finals, _ := corpus.Starts(ctx, replay, t.Starts)
	if w.graph, err = corpus.ReadWeb(ctx, replay, finals); err != nil {
		return nil, err
	}
	w.reach = w.graph.Count(func(url string) bool { return w.useful[url] })
	if t.Games != nil {
		t.Games.Pages = o.Size
	}
	for i := range t.Walks {
		pages := o.Size / len(t.Walks)
		t.Walks[i].Pages, t.Walks[i].Targets = pages, max(2, pages/8)
	}
	stay := map[string]bool{}
	for i, events := range []*[]protocol.Event{&w.events, &w.second} {
		walks, err := l.Events(ctx, &t, uint64(seed+i<<16))
		if err != nil {
			return nil, err
		}
		*events = slices.Concat(walks...)
		for _, e := range *events {
			stay[e.URL] = true
		}
	}
	for _, url := range finals {
		stay[url] = true
	}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x6368616e6765))
	if !o.Still {
		w.change.draw(w.graph.Pages(), stay, o.Nights, rng)
	}
	if rng.IntN(2) == 0 {
		w.again = 1 + rng.IntN(o.Nights)
	}
	return w, errors.Join(w.change.show(ctx, w.events, 1), w.change.show(ctx, w.second, w.again))
}
