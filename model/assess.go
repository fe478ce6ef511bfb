package model

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"

	"nightjar/model/measure"
)

// Assess measures how reliable the model is; see Report. The same training gives the same report. It reports progress
// fold by fold. Its only error is ctx.Err(), which it returns as soon as ctx ends.
func (t *Training) Assess(ctx context.Context) (*Report, error) {
	a := &assessment{material: &t.material, paths: t.paths(), anchors: newAnchors(&t.features)}
	for _, p := range t.bundle.Pages {
		a.state = append(a.state, p.State)
	}
	folds := t.folds(maxFolds)
	asked := make([]*answers, len(folds))
	t.progress(Progress{Stage: StageAssess, Done: 0, Total: len(folds)})
	ended := make(chan error, len(folds))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for f := range folds {
		running.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			var err error
			asked[f], err = a.ask(ctx, folds[f])
			ended <- err
		})
	}
	for f := range folds {
		select {
		case err := <-ended:
			if err != nil {
				return nil, err
			}
			t.progress(Progress{Stage: StageAssess, Done: f + 1, Total: len(folds)})
		case <-ctx.Done(): // the folds under way finish, and their answers are discarded
			return nil, ctx.Err()
		}
	}
	running.Wait()
	return a.report(asked), nil
}

// assessment holds what all folds share.
type assessment struct {
	*material
	paths   paths
	anchors *anchors
	state   []int // the real hop label of each page
}

// answers is what the model of one fold says about the pages that were held back.
type answers struct {
	link   []float64 // reciprocal rank of the best right link, for each page
	anchor []float64 // the same when links are ordered by the cosine of their anchor text to a target
	chance []float64 // the same in random order
	pages  []asked   // each page held back
}

// asked is a page that was held back.
type asked struct {
	state  int // the real one
	said   int // the predicted one
	target bool
	cosine float64 // largest to a known target
	useful float64 // the judge's probability
}

// ask trains on the pages that a fold keeps, and asks about those it holds back.
func (a *assessment) ask(ctx context.Context, f fold) (*answers, error) {
	l, err := a.learn(ctx, f.left)
	if err != nil {
		return nil, err
	}
	out := &answers{}
	known := l.targets()
	alpha := a.paths.filter(l.hmm, a.evidence(l))
	for _, i := range f.out {
		p := asked{state: a.state[i], said: likeliest(alpha[i]), target: a.set.Pages[i].Target}
		p.cosine, p.useful = nearest(a.vectors[i], a.vectors, known, -1), l.judge.probability(a.rows[i])
		out.pages = append(out.pages, p)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, c := range a.links(f) {
		out.link = append(out.link, measure.ReciprocalRank(a.values(l, c), c.right))
		out.anchor = append(out.anchor, measure.ReciprocalRank(a.cosines(c, known), c.right))
		out.chance = append(out.chance, measure.ChanceReciprocalRank(len(c.right), count(c.right)))
	}
	return out, nil
}

// evidence reads the words of the session's pages with what a fold learned.
func (a *assessment) evidence(l *learned) [][]float64 {
	all := make([][]float64, len(a.set.Pages))
	for i := range all {
		if len(a.rows[i].Index) > 0 {
			all[i] = l.soft.evidence(a.rows[i])
		}
	}
	return all
}

// likeliest is the state of largest probability; ties go to the state nearer to a target.
func likeliest(p []float64) int {
	best := 0
	for j, x := range p {
		if x > p[best] {
			best = j
		}
	}
	return best
}

func count(marks []bool) int {
	n := 0
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// random returns the random source for the figure of the given number. Each figure has its own, so that none depends on
// another.
func (a *assessment) random(figure uint64) *rand.Rand {
	return rand.New(rand.NewPCG(a.settings.Seed, 100+figure))
}
