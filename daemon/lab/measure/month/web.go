package month

import (
	"context"
	"fmt"
	"slices"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// web is a recorded web with a session on another part of it, or another web.
type web struct {
	bench.Task
	replay *recording.Replay
	events []protocol.Event
	graph  *corpus.Web // what can be reached from the start pages
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
	w := &web{Task: t, replay: replay, useful: labels.With(t.Relevant[0])}
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
	walks, err := l.Events(ctx, &t, uint64(seed))
	w.events = slices.Concat(walks...)
	return w, err
}
