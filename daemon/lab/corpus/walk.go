package corpus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/recording"
)

// WalkOptions configure a walk.
type WalkOptions struct {
	Topic    string   // of the session; "" means the label
	Relevant string   // label of the useful pages
	Starts   []string // pages whose addresses the person types
	Pages    int      // distinct pages to visit
	Targets  int      // pages to mark
	Seed     uint64
	Graph    *Graph // of the recording, for several walks; nil for one of its own

	// Restart makes the person type a start page again after each mark. Else one way leads through most of the walk, and
	// few lead past a page without passing a marked one.
	Restart bool

	// Milestones makes the person name each page by its class, see Labels.Class, as soon as it is shown. It does not
	// change the walk.
	Milestones bool
}

// Probabilities of a step to the next useful page, when marks lag behind pages and when they do not, and of Back after a
// wrong turn, which is at most maxWrong pages long.
const (
	chanceBehind = 0.8
	chanceAhead  = 0.25
	chanceBack   = 0.6
	maxWrong     = 3
)

// Walk makes a session of a person who walks from the start pages, takes wrong turns, goes back, and marks pages with the
// label, spread over the walk. After the last mark the person avoids such pages.
func Walk(ctx context.Context, replay *recording.Replay, labels *Labels, o WalkOptions) ([]protocol.Event, Summary, error) {
	relevant := labels.With(o.Relevant)
	if len(relevant) == 0 {
		return nil, Summary{}, fmt.Errorf("no page has the label %q; some labels are %s", o.Relevant, strings.Join(labels.Suggest(o.Relevant), ", "))
	}
	if o.Topic == "" {
		o.Topic = o.Relevant
	}
	graph := o.Graph
	if graph == nil {
		graph = NewGraph(replay)
	}
	s, err := newRecorder(replay, o.Topic, o.Seed)
	if err != nil {
		return nil, Summary{}, err
	}
	if o.Milestones {
		s.class = func(url string) string { return labels.Class(url, o.Relevant) }
	}
	w := &walker{recorder: s, o: o, graph: graph, relevant: relevant, rng: rand.New(rand.NewPCG(o.Seed, 0x77616c6b))}
	for _, start := range o.Starts {
		final := graph.final(start)
		if final == "" {
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
