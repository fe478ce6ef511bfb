package model

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"nightjar/model/hmm"
	"nightjar/model/measure"
)

// Assess measures how reliable the model is; see Report. The same training gives the same report. It reports progress
// fold by fold. Its only error is ctx.Err(), which it returns as soon as ctx ends.
func (t *Training) Assess(ctx context.Context) (*Report, error) {
	a := &assessment{material: &t.material, paths: t.paths(), children: t.children(), anchors: newAnchors(&t.features)}
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
	paths    paths
	children [][]int
	anchors  *anchors
	state    []int // the real hop label of each page
}

// reader is one way to read pages: their evidence for each state, and the value of a prediction.
type reader struct {
	evidence [][]float64 // by page
	worth    func([]float64) float64
}

// answers is what the model of one fold says about the pages that were held back.
type answers struct {
	by     [2]readings // by the hard and by the soft emission
	link   []float64   // reciprocal rank of the best right link, for each page
	anchor []float64   // the same when links are ordered by the cosine of their anchor text to a target
	chance []float64   // the same in random order
	pages  []asked     // each page held back
}

// readings are the answers that depend on the emission.
type readings struct {
	state     []int   // predicted state of each page held back
	area      float64 // under the recall curve of the rehearsal
	reachable bool
}

// asked is a page that was held back.
type asked struct {
	state  int // the real one
	target bool
	cosine float64 // largest to a known target
	useful float64 // the judge's probability
}

const (
	hard = iota
	soft
)

// ask trains on the pages that a fold keeps, and asks about those it holds back.
func (a *assessment) ask(ctx context.Context, f fold) (*answers, error) {
	l, err := a.learn(ctx, f.left)
	if err != nil {
		return nil, err
	}
	out := &answers{}
	wanted := map[int]bool{}
	known := l.targets()
	for _, i := range f.out {
		p := asked{state: a.state[i], target: a.set.Pages[i].Target}
		p.cosine, p.useful = nearest(a.vectors[i], a.vectors, known, -1), l.judge.probability(a.rows[i])
		out.pages = append(out.pages, p)
		if p.target {
			wanted[i] = true
		}
	}
	for k, r := range a.readers(f, l) {
		alpha := a.paths.filter(l.hmm, r.evidence)
		for _, i := range f.out {
			out.by[k].state = append(out.by[k].state, likeliest(alpha[i]))
		}
		out.by[k].area, out.by[k].reachable = a.rehearse(l.hmm, r, a.children, wanted)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, c := range a.links(f) {
		out.link = append(out.link, measure.ReciprocalRank(a.values(l, c), c.right))
		out.anchor = append(out.anchor, measure.ReciprocalRank(a.cosines(c, known), c.right))
		out.chance = append(out.chance, measure.ChanceReciprocalRank(len(c.right), count(c.right)))
	}
	return out, nil
}

// readers returns the two ways to read the session's pages with what a fold learned. A page that was held back is in the
// cluster of its nearest neighbours among the known pages.
func (a *assessment) readers(f fold, l *learned) [2]reader {
	n := len(a.set.Pages)
	byCluster, byWords := make([][]float64, n), make([][]float64, n)
	clusterOf := slices.Repeat([]int{hmm.NoCluster}, n)
	for _, i := range l.known {
		clusterOf[i] = l.cluster[i]
	}
	known := func(i int) int { return clusterOf[i] }
	for i := range n {
		c := clusterOf[i]
		if c == hmm.NoCluster && !zero(a.vectors[i]) {
			c = Classify(a.vectors[i], a.vectors, a.settings.Neighbours, known)
		}
		byCluster[i] = l.hmm.Evidence(c)
		if len(a.rows[i].Index) > 0 {
			byWords[i] = l.soft.evidence(a.rows[i])
		}
	}
	return [2]reader{{byCluster, lexicalWorth}, {byWords, ExpectedValue}}
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
