package corpus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/daemon/protocol"
)

// WalkOptions say how a simulated person walks.
type WalkOptions struct {
	Topic    string   // of the session; empty takes the label
	Relevant string   // label of the pages that are useful
	Starts   []string // pages whose addresses the person types
	Pages    int      // distinct pages to visit
	Targets  int      // pages to mark
	Seed     uint64
}

// How the person walks. The chances are of a step towards the next useful page: when marks lag behind pages, and when
// they do not. A wrong turn ends with Back, or leads on, at most maxWrong pages deep.
const (
	chanceBehind = 0.8
	chanceAhead  = 0.25
	chanceBack   = 0.6
	maxWrong     = 3
)

// Walk makes a session of a person who wanders from the start pages, takes wrong turns, goes Back, and marks pages with
// the label, spread over the walk. After the last mark the person looks elsewhere and opens no more such page.
func Walk(ctx context.Context, replay *fetch.Replay, labels *Labels, o WalkOptions) ([]protocol.Event, Summary, error) {
	relevant := labels.With(o.Relevant)
	if len(relevant) == 0 {
		return nil, Summary{}, fmt.Errorf("no page has the label %q; there are for example %s", o.Relevant, strings.Join(labels.Suggest(o.Relevant), ", "))
	}
	if o.Topic == "" {
		o.Topic = o.Relevant
	}
	graph, err := readGraph(ctx, replay)
	if err != nil {
		return nil, Summary{}, err
	}
	s, err := newRecorder(replay, o.Topic, o.Seed)
	if err != nil {
		return nil, Summary{}, err
	}
	w := &walker{recorder: s, o: o, graph: graph, relevant: relevant, rng: rand.New(rand.NewPCG(o.Seed, 0x77616c6b))}
	for _, start := range o.Starts {
		final, ok := graph.final(ctx, replay, start)
		if !ok {
			return nil, Summary{}, fmt.Errorf("the replay has no start page %s", start)
		}
		w.starts = append(w.starts, final)
	}
	if err := w.walk(ctx); err != nil {
		return nil, Summary{}, err
	}
	if len(s.marked) == 0 {
		return nil, Summary{}, fmt.Errorf("no page labelled %q was reached from the start pages", o.Relevant)
	}
	return s.finish()
}
