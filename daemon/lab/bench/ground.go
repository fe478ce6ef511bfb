package bench

import (
	"context"
	"fmt"
	"maps"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// Ground is a task with one seed, for a program that measures a part of a training or of a crawl by itself.
type Ground struct {
	Task     Task
	Seed     uint64
	Sessions []*session.Session
	Set      model.TrainingSet // of the sessions
	Replay   *fetch.Replay
	Web      *corpus.Web     // what can be reached from the start pages
	Relevant map[string]bool // final URLs outside the sessions
	Oracle   []int           // relevant pages that the oracle has found after n pages of budget, at n-1
}

// Grounds calls use for each seed of each of the suite's tasks, in order. It trains no models. It ends with the first error.
func (r *Runner) Grounds(ctx context.Context, s *Suite, use func(*Ground) error) error {
	if err := r.open(); err != nil {
		return err
	}
	defer r.close()
	if err := r.makeUp(ctx, s); err != nil {
		return err
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if err := t.complete(); err != nil { // flags may have changed it
			return fmt.Errorf("task %s: %w", t.Name, err)
		}
		p := &preparation{task: t, library: r.library}
		for _, seed := range t.Seeds {
			g, err := p.ground(ctx, seed)
			if err == nil {
				err = use(g)
			}
			if err != nil {
				return fmt.Errorf("task %s, seed %d: %w", t.Name, seed, err)
			}
		}
	}
	return nil
}

func (p *preparation) ground(ctx context.Context, seed uint64) (*Ground, error) {
	recs, err := p.recordings(ctx, seed)
	if err != nil {
		return nil, err
	}
	g := &Ground{Task: *p.task, Seed: seed, Sessions: recs, Set: trainer.Set(recs[0].Topic, recs, nil)}
	if _, g.Relevant, err = p.relevant(seed, sessionPages(&g.Set, recs)); err != nil {
		return nil, err
	}
	t := &trial{Seed: seed, visits: visitsOf(recs)}
	if g.Web, err = p.start(ctx, t, g.Relevant); err != nil {
		return nil, err
	}
	if t.total == 0 {
		return nil, p.nothing(t)
	}
	g.Oracle = t.oracle
	if g.Replay, err = p.library.replay(p.task.Corpus); err != nil {
		return nil, err
	}
	return g, ctx.Err()
}

// visitsOf lists the final URLs of the pages of sessions in the order of their first visits.
func visitsOf(recs []*session.Session) (pages []string) {
	seen := map[string]bool{}
	for _, r := range recs {
		for _, v := range r.Visits {
			if !seen[v.URL] {
				seen[v.URL] = true
				pages = append(pages, v.URL)
			}
		}
	}
	return pages
}

// sessionPages are the final URLs of the pages that count for nothing in a crawl: those of the sessions, also frames and pages that
// are not in the graph.
func sessionPages(set *model.TrainingSet, recs []*session.Session) map[string]bool {
	all := make(map[string]bool)
	for _, page := range set.Pages {
		all[page.URL] = true
	}
	for _, r := range recs {
		for _, v := range r.Visits {
			all[v.URL] = true
		}
	}
	return all
}

// relevant are the pages with the task's label, and those of them that a crawl is to find.
func (p *preparation) relevant(seed uint64, known map[string]bool) (labelled, relevant map[string]bool, err error) {
	labels, err := p.library.labelled(p.task.Labels, p.task.Corpus, p.task.Rules)
	if err != nil {
		return nil, nil, err
	}
	labelled, unknown := labels.Any(p.task.Relevant)
	if unknown != "" {
		return nil, nil, problemf(fmt.Sprintf("some labels are %v", labels.Suggest(unknown)), "no page has the label %q", unknown)
	}
	relevant = labelled
	if g := p.task.Games; g != nil && g.Half > 0 {
		relevant = corpus.Half(labelled, 3-g.Half, seed)
	}
	relevant = maps.Clone(relevant)
	maps.DeleteFunc(relevant, func(url string, _ bool) bool { return known[url] })
	return labelled, relevant, nil
}
