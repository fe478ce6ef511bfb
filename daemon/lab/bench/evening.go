package bench

import (
	"context"
	"fmt"
	"os"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
	"nightjar/model"
)

// Evening is a task with one seed, for programs that measure something else than RunSuite: what a person recorded, the model
// learned from it, and the web of the night that follows.
type Evening struct {
	Seed     uint64
	Sessions []*session.Session
	Model    *model.Bundle
	Replay   *fetch.Replay
	Starts   []string
	Relevant map[string]bool // final URLs of relevant pages outside the sessions, whether they can be reached or not
	Total    int             // of them that can be reached
	Oracle   []int           // how many of them the best crawl has found after each page of the budget
}

// Score returns an empty score of a crawl of the task's budget.
func (e *Evening) Score(t *Task) *corpus.Score {
	return &corpus.Score{Relevant: func(url string) bool { return e.Relevant[url] }, Budget: t.Budget, Total: e.Total, Oracle: e.Oracle}
}

// Evenings makes the evenings of a suite's tasks and seeds, one at a time, and hands each to visit. It needs no Program.
func (r *Runner) Evenings(ctx context.Context, s *Suite, visit func(t *Task, e *Evening) error) error {
	if err := r.open(); err != nil {
		return err
	}
	defer r.close()
	if err := r.makeUp(ctx, s); err != nil {
		return err
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		for _, seed := range t.Seeds {
			e, err := r.evening(ctx, t, seed)
			if err == nil {
				err = visit(t, e)
			}
			if err != nil {
				return fmt.Errorf("task %s, seed %d: %w", t.Name, seed, err)
			}
		}
	}
	return nil
}

func (r *Runner) evening(ctx context.Context, t *Task, seed uint64) (*Evening, error) {
	dir, err := os.MkdirTemp(r.temp, "evening-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // Runner.close removes what is left
	p := &preparation{task: t, library: r.library, dir: dir}
	made, err := p.trial(ctx, seed)
	if err != nil {
		return nil, err
	}
	e := &Evening{Seed: seed, Starts: made.Starts, Total: made.total, Oracle: made.oracle, Relevant: map[string]bool{}}
	for _, url := range made.Relevant {
		e.Relevant[url] = true
	}
	if e.Sessions, err = p.recordings(ctx, seed); err != nil {
		return nil, err
	}
	encoded, err := os.ReadFile(made.Model)
	if err != nil {
		return nil, err
	}
	if e.Model, err = model.Decode(encoded); err != nil {
		return nil, err
	}
	e.Replay, err = r.library.replay(t.Corpus)
	return e, err
}
