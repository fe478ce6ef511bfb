package ways

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"nightjar/model/crf"
	"nightjar/model/measure"
)

const (
	maxFolds = 5    // more cost more and tell little more
	minSites = 3    // fewer are no sample of sites
	maxUnits = 4000 // links that are scored for Fold.Rank
)

// held is what a field says of a path that it did not learn from.
type held struct {
	labels      []int        // by Viterbi
	probability []float64    // of each of these labels, from the whole path
	goal        []float64    // of each page: P(goal) from the path up to it
	worth       [2][]float64 // of each link: its score with defaultGamma and with otherGamma
}

// tryFolds chooses c₂ and γ on folds, and keeps what the chosen fields say of the paths held back.
func (l *learning) tryFolds(ctx context.Context) error {
	l.c2, l.gamma, l.threshold = defaultC2, defaultGamma, defaultThreshold
	l.held = make([]*held, len(l.paths))
	fold := l.assign()
	l.fits = 1
	if l.folds < 2 {
		l.folds = 0
		return nil
	}
	l.fits += l.folds * len(triedC2)
	best := math.Inf(1)
	for _, c2 := range triedC2 {
		all, err := l.holdBack(ctx, fold, c2)
		if err != nil {
			return err
		}
		loss, err := l.rate(ctx, c2, all)
		if err != nil {
			return err
		}
		if loss <= best {
			best, l.c2, l.held = loss, c2, all
		}
	}
	if err := l.chooseGamma(ctx); err != nil {
		return err
	}
	l.threshold = l.calibrate()
	return nil
}

// assign gives each path the number of its fold and sets the number of folds: paths that end on the same site are held back
// together or, with fewer than three sites, those that begin with the same visit. The largest groups are placed first, each
// in the fold with the fewest paths.
func (l *learning) assign() []int {
	group := func(p *Path) string { return p.Tree }
	l.heldBy = HeldByTree
	if l.o.Site != nil {
		site := func(p *Path) string { return l.o.Site(p.Steps[len(p.Steps)-1].URL) }
		sites := map[string]bool{}
		for i := range l.paths {
			sites[site(&l.paths[i])] = true
		}
		if len(sites) >= minSites {
			group, l.heldBy = site, HeldBySite
		}
	}
	size := map[string]int{}
	var names []string
	for i := range l.paths {
		g := group(&l.paths[i])
		if size[g] == 0 {
			names = append(names, g)
		}
		size[g]++
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) })
	l.folds = min(len(names), maxFolds)
	load, at := make([]int, l.folds), map[string]int{}
	for _, g := range names {
		f := slices.Index(load, slices.Min(load))
		at[g] = f
		load[f] += size[g]
	}
	of := make([]int, len(l.paths))
	for i := range l.paths {
		of[i] = at[group(&l.paths[i])]
	}
	return of
}

// holdBack fits a field for each fold, two at a time, and asks it about the fold's paths. A fold without which there
// would be no way to a useful page, or none that led nowhere, is left out.
func (l *learning) holdBack(ctx context.Context, fold []int, c2 float64) ([]*held, error) {
	all, errs := make([]*held, len(l.paths)), make([]error, l.folds)
	var wg sync.WaitGroup
	turn, told := make(chan struct{}, 2), sync.Mutex{}
	for f := range l.folds {
		wg.Add(1)
		turn <- struct{}{}
		go func() {
			defer func() { <-turn; wg.Done() }()
			errs[f] = l.askFold(ctx, fold, f, c2, all)
			told.Lock()
			defer told.Unlock()
			l.step()
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (l *learning) askFold(ctx context.Context, fold []int, f int, c2 float64, all []*held) error {
	var rest []crf.Sequence
	positive := 0
	for i, s := range l.set {
		if fold[i] != f {
			rest = append(rest, s)
			positive += b2i(s.Positive)
		}
	}
	if positive == 0 || positive == len(rest) {
		return ctx.Err()
	}
	m, _, err := l.fit(ctx, rest, c2)
	if err != nil {
		return err
	}
	var worth [2][]float64
	for k, gamma := range triedGamma {
		if worth[k], err = l.worth(ctx, m, rest, Visits, gamma); err != nil {
			return err
		}
	}
	for i := range l.set {
		if err := ctx.Err(); err != nil {
			return err
		}
		if fold[i] == f {
			all[i] = ask(m, l.set[i].Steps, l.labelled.Goal, worth)
		}
	}
	return nil
}

// ask labels a path as a whole, and walks it as a crawl would.
func ask(m *crf.Model, steps []crf.Step, goal int, worth [2][]float64) *held {
	h := &held{}
	h.labels, h.probability = predict(m, steps)
	state := m.Start(steps[0].Page)
	h.goal = append(h.goal, crf.Softmax(state.Alpha)[goal])
	for _, s := range steps[1:] {
		follow := m.From(state)
		for k, reward := range worth {
			score, _ := follow.Score(s.Link, reward)
			h.worth[k] = append(h.worth[k], score)
		}
		state = m.Arrive(follow.Link(s.Link), s.Page)
		h.goal = append(h.goal, crf.Softmax(state.Alpha)[goal])
	}
	return h
}

// worth is the value of each label by some of the paths. Its only error is ctx.Err().
func (l *learning) worth(ctx context.Context, m *crf.Model, set []crf.Sequence, r Reward, gamma float64) ([]float64, error) {
	return unlessDone(ctx, func() []float64 {
		if r == Printed {
			return m.RewardPrinted(set, l.labelled.Goal, gamma)
		}
		return m.RewardVisits(set, gamma)
	})
}

// predict is the best labelling of a path, and the probability of each of its labels.
func predict(m *crf.Model, steps []crf.Step) (labels []int, probability []float64) {
	labels, _ = m.Viterbi(steps)
	lattice := m.Lattice(steps)
	for t, y := range labels {
		probability = append(probability, lattice.Marginal(t)[y])
	}
	return labels, probability
}

// rate notes how a choice of c₂ did, with each γ, and returns the loss.
func (l *learning) rate(ctx context.Context, c2 float64, all []*held) (loss float64, err error) {
	const least = 1e-15 // probability that counts; a loss must stay finite
	var weight float64
	for i, h := range all {
		if h == nil {
			continue
		}
		for t, p := range h.goal {
			if l.set[i].Labels[t] != l.labelled.Goal {
				p = 1 - p
			}
			loss -= l.set[i].Count * math.Log(max(p, least))
			weight += l.set[i].Count
		}
	}
	if weight > 0 {
		loss /= weight
	}
	scores, positive := l.links(all)
	for k, gamma := range triedGamma {
		rank, err := unlessDone(ctx, func() measure.Figure { return measure.AUC(scores[k], positive, l.rng()) })
		if err != nil {
			return 0, err
		}
		l.tried = append(l.tried, Fold{C2: c2, Gamma: gamma, Loss: loss, Rank: rank})
	}
	return loss, nil
}

// links lists the scores of the links of the paths held back, by each γ, and whether each is of a way to a useful page. Of
// many links some are taken, evenly.
func (l *learning) links(all []*held) (scores [2][]float64, positive []bool) {
	total := 0
	for _, h := range all {
		if h != nil {
			total += len(h.worth[0])
		}
	}
	every, n := 1+total/maxUnits, 0
	for i, h := range all {
		if h == nil {
			continue
		}
		for t := range h.worth[0] {
			if n++; n%every != 0 {
				continue
			}
			for k := range scores {
				scores[k] = append(scores[k], h.worth[k][t])
			}
			positive = append(positive, l.set[i].Positive)
		}
	}
	return scores, positive
}

// chooseGamma takes the larger γ when it ranks links better beyond chance.
func (l *learning) chooseGamma(ctx context.Context) error {
	scores, positive := l.links(l.held)
	more, err := unlessDone(ctx, func() measure.Figure {
		return measure.AUCDifference(scores[1], scores[0], positive, l.rng())
	})
	if more.Low > 0 {
		l.gamma = otherGamma
	}
	return err
}

// rng is the random source of figures, the same one whenever it is asked.
func (l *learning) rng() *rand.Rand { return rand.New(rand.NewPCG(l.o.Seed, 13)) }

// unlessDone returns what f computes, or ctx.Err() when ctx ends first. f is then left to finish, and must change nothing.
func unlessDone[T any](ctx context.Context, f func() T) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case v := <-done:
		return v, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
