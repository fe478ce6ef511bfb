package ways

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
)

// task is something to learn from and a web to look for more of it.
type task struct {
	Name, Group string
	Budget      int
	sessions    func(ctx context.Context, seed uint64) (learn, test []*session.Session, err error) // test may be nil
	starts      func(seed uint64) []string
	relevant    func(seed uint64) map[string]bool // final URLs, session pages included
	web         *recording
}

// recording is a recorded web with its labels.
type recording struct {
	name   string
	replay *fetch.Replay
	labels *corpus.Labels
	graph  corpus.Graph // nil where nobody walks
	start  string       // of walks
}

// universities are those of WebKB, with their first pages.
var universities = [][2]string{
	{"cornell", "http://www.cs.cornell.edu/"}, {"texas", "http://www.cs.utexas.edu/"}, {"washington", "http://www.cs.washington.edu/"},
}

// goals are the classes of WebKB that a person looks for.
var goals = []string{"course", "faculty", "student"}

// Useful pages that a person marks on each university when learning and on the one to label, and all pages visited.
const (
	learnTargets, testTargets = 39, 43
	walkPages                 = 220
)

// tasks opens the recordings and lists what can be measured on them.
func tasks(ctx context.Context, o *options) ([]*task, error) {
	l := bench.NewLibrary(o.Corpora, nil)
	all, err := universityTasks(ctx, l, o)
	if err != nil {
		return nil, err
	}
	games, err := gameTasks(l)
	if err != nil {
		return nil, err
	}
	all = append(all, games...)
	if len(o.Only) == 0 {
		return all, nil
	}
	var kept []*task
	for _, name := range o.Only {
		i := slices.IndexFunc(all, func(t *task) bool { return t.Name == name })
		if i < 0 {
			var known []string
			for _, t := range all {
				known = append(known, t.Name)
			}
			return nil, fmt.Errorf("no task %s: there are %s", name, strings.Join(known, ", "))
		}
		kept = append(kept, all[i])
	}
	return kept, nil
}

// universityTasks are the nine of WebKB.
func universityTasks(ctx context.Context, l *bench.Library, o *options) ([]*task, error) {
	var webs []*recording
	for _, u := range universities {
		archive := []string{"webkb/" + u[0] + ".warc.gz"}
		w, err := open(l, u[0], archive, []string{"webkb/" + u[0] + ".labels.tsv"})
		if err != nil {
			return nil, err
		}
		w.start = u[1]
		if w.graph, err = l.Graph(ctx, archive); err != nil {
			return nil, err
		}
		webs = append(webs, w)
	}
	var all []*task
	for _, goal := range goals {
		for i, held := range webs {
			others := slices.Delete(slices.Clone(webs), i, i+1)
			all = append(all, &task{
				Name: goal + "-" + held.name, Group: "WebKB", Budget: o.Budget, web: held,
				starts:   func(uint64) []string { return []string{held.start} },
				relevant: func(uint64) map[string]bool { return held.labels.With(goal) },
				sessions: func(ctx context.Context, seed uint64) (learn, test []*session.Session, err error) {
					for k, w := range others {
						// Walks with the same seed must not draw the same IDs.
						walked, err := w.walk(ctx, goal, seed+uint64(k+1)<<32, learnTargets)
						if err != nil {
							return nil, nil, err
						}
						learn = append(learn, walked...)
					}
					test, err = held.walk(ctx, goal, seed, testTargets)
					return learn, test, err
				},
			})
		}
	}
	return all, nil
}

// walk is a simulated session that marks pages of a class.
func (w *recording) walk(ctx context.Context, goal string, seed uint64, targets int) ([]*session.Session, error) {
	events, _, err := corpus.Walk(ctx, w.replay, w.labels, corpus.WalkOptions{
		Relevant: goal, Starts: []string{w.start}, Pages: walkPages, Targets: min(targets, len(w.labels.With(goal))), Seed: seed, Graph: w.graph,
		Restart: true, Milestones: true,
	})
	if err != nil {
		return nil, fmt.Errorf("walk over %s: %w", w.name, err)
	}
	return session.Fold(events)
}

// gameTasks are those of Wikispeedia in the suite real.
func gameTasks(l *bench.Library) ([]*task, error) {
	suite, err := bench.LoadSuite("real")
	if err != nil {
		return nil, err
	}
	var all []*task
	for _, t := range suite.Tasks {
		if t.Games == nil {
			continue
		}
		web, err := open(l, "wikispeedia", t.Corpus, t.Labels)
		if err != nil {
			return nil, err
		}
		goal := t.Relevant[0]
		all = append(all, &task{
			Name: t.Name, Group: t.Group, Budget: t.Budget, web: web,
			starts:   func(seed uint64) []string { return drawn(t.Pool, t.Draw, seed) },
			relevant: func(seed uint64) map[string]bool { return corpus.Half(web.labels.With(goal), 3-t.Games.Half, seed) },
			sessions: func(ctx context.Context, seed uint64) (learn, test []*session.Session, err error) {
				learn, err = l.Sessions(ctx, &t, seed)
				return learn, nil, err
			},
		})
	}
	return all, nil
}

// drawn draws n pages of a pool.
func drawn(pool []string, n int, seed uint64) []string {
	var pages []string
	for _, i := range rand.New(rand.NewPCG(seed, 0x77617973)).Perm(len(pool))[:n] {
		pages = append(pages, pool[i])
	}
	return pages
}

func open(l *bench.Library, name string, archives, labels []string) (*recording, error) {
	replay, err := l.Replay(archives)
	if err != nil {
		return nil, err
	}
	known, err := l.Labels(labels, archives, nil)
	return &recording{name: name, replay: replay, labels: known}, err
}
