package rehearsal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/strategy"
	"nightjar/model"
)

// Input is what is rehearsed.
type Input struct {
	Set      model.TrainingSet // what the model was trained on
	Settings model.Settings
	Strategy string // name of the strategy, as strategy.New knows it

	// New makes the strategy from a model of a part of the session; nil means strategy.New.
	New func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error)

	// Prepare adds to such a model what the strategy needs besides, such as the ways of the session. held lists the pages
	// that were held back, by URL. nil means that nothing is added.
	Prepare func(ctx context.Context, b *model.Bundle, held map[string]bool) (*model.Bundle, error)
}

// Result is what the crawls found.
type Result = model.Rehearsal

// Limits keep the work bounded: it grows with the pages of the session times the folds.
const (
	maxFolds    = 10    // parts of the session
	minFolds    = 2     // as few for a long session
	foldPages   = 2_000 // pages of the session, over all parts
	mostPages   = 1_000 // pages of the session; older ones are left out
	maxPages    = 500   // that each crawl fetches
	randomSeeds = 5     // crawls in random order
)

// Run rehearses. progress is called with the number of folds that are done, and may be nil. Its error is ctx.Err(), or says
// which fold failed and why.
func Run(ctx context.Context, in Input, progress func(done, total int)) (*Result, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if in.New == nil {
		in.New = func(ctx context.Context, b *model.Bundle) (strategy.Strategy, error) {
			return strategy.New(ctx, in.Strategy, b)
		}
	}
	all := len(in.Set.Pages)
	in.Set = newest(in.Set, mostPages)
	r := &rehearsal{Input: in, web: newWeb(in.Set)}
	out := &Result{Strategy: in.Strategy, Pages: len(in.Set.Pages), Older: all - len(in.Set.Pages)}
	parts := in.Set.Folds(in.Settings, min(maxFolds, max(minFolds, foldPages/max(1, out.Pages))))
	if len(parts) == 0 {
		out.Why = "with only one useful page, none can be held back"
		return out, nil
	}
	if err := r.baselines(ctx); err != nil {
		return nil, err
	}
	folds := make([]*model.HeldBack, len(parts))
	err := each(ctx, len(parts), progress, func(f int) (err error) {
		if folds[f], err = r.fold(ctx, parts[f]); err != nil {
			err = fmt.Errorf("rehearse part %d of %d: %w", f+1, len(parts), err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, f := range folds {
		if f != nil {
			out.Folds = append(out.Folds, *f)
		}
	}
	if len(out.Folds) == 0 {
		out.Why = "without a part of it, the session is too small to learn from"
	}
	if r.web.reachable > maxPages {
		out.Capped = maxPages
	}
	return out, nil
}

// newest returns a training set of at most most pages: those where sessions began, and the newest others. Pages are in the
// order in which they were first visited.
func newest(set model.TrainingSet, most int) model.TrainingSet {
	if len(set.Pages) <= most {
		return set
	}
	keep := map[int]bool{}
	for _, i := range set.Entries[:min(len(set.Entries), most/2)] {
		keep[i] = true
	}
	var older []int
	for i := len(set.Pages) - 1; i >= 0; i-- {
		switch {
		case keep[i]:
		case len(keep) < most:
			keep[i] = true
		default:
			older = append(older, i)
		}
	}
	slices.Reverse(older)
	return set.Without(older)
}

// rehearsal is what all folds share.
type rehearsal struct {
	Input
	web    *web
	found  []int   // pages in the order of a crawl that takes links as it finds them
	random [][]int // the same in random order
}

// baselines crawls with the strategies that know nothing. The parts that are held back make no difference to them.
func (r *rehearsal) baselines(ctx context.Context) (err error) {
	if r.found, err = r.web.crawl(ctx, inOrder{}, maxPages, nil); err != nil {
		return err
	}
	for seed := range uint64(randomSeeds) {
		order, err := r.web.crawl(ctx, byLot{seed: seed + 1}, maxPages, nil)
		if err != nil {
			return err
		}
		r.random = append(r.random, order)
	}
	return nil
}

// fold trains without the pages held back and lets the strategy crawl. It is nil when the rest is too little to train on.
func (r *rehearsal) fold(ctx context.Context, held []int) (*model.HeldBack, error) {
	t := newTally(r.web, r.Set, held)
	h := &model.HeldBack{Pages: len(held), Useful: t.useful, Reachable: t.reachable, Wanted: t.wanted}
	h.BreadthFirst = t.course(r.found)
	for _, order := range r.random {
		h.Random = append(h.Random, t.course(order))
	}
	if t.wanted == 0 {
		return h, nil // the strategy's crawl would say nothing
	}
	b, err := model.Train(ctx, r.Set.Without(held), r.Settings, nil)
	if errors.Is(err, model.ErrNoTarget) || errors.Is(err, model.ErrTooFewPages) || errors.Is(err, model.ErrNoText) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if r.Prepare != nil {
		if b, err = r.Prepare(ctx, b, t.addresses()); err != nil {
			return nil, err
		}
	}
	if n := strategy.Needs(r.Strategy); n != strategy.Ontology && strategy.Lacks(r.Strategy, b) != "" {
		return nil, nil
	}
	s, err := r.New(ctx, b)
	if err != nil {
		return nil, err
	}
	order, err := r.web.crawl(ctx, s, maxPages, t.left())
	if err != nil {
		return nil, err
	}
	h.Strategy = t.course(order)
	return h, nil
}

// each calls work for 0 to n-1, as many calls at a time as there are processors, and reports how many are done, one report at a time. It
// returns the first error by index, and ctx.Err() when ctx ends.
func each(ctx context.Context, n int, progress func(done, total int), work func(i int) error) error {
	errs := make([]error, n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	done := 0
	progress(0, n)
	for i := range n {
		group.Go(func() error {
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = work(i)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, n)
			return nil
		})
	}
	_ = group.Wait() // errs has them all
	return cmp.Or(errs...)
}
