package ways

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"nightjar/model/crf"
)

// Options are the settings of Learn. The zero value means the defaults.
type Options struct {
	States      int                     // hop labels; 0 is as many as occur
	Names       []string                // all names that the person gave; those on no page of a way are told
	Site        func(url string) string // site of a page, for folds that leave one out; nil holds back trees of visits
	HeadingSets string                  // as in their file, kept in Ways
	Seed        uint64
}

// Learn learns which links to follow. It labels the paths, chooses C2 and Gamma on folds, fits the field to all paths and
// computes the value of each label. The same paths in any order, with the same options, give the same Ways, bit for bit.
//
// C2 is the one with the least log loss of "is this page the goal" on the paths held back, a page being judged from the
// path up to it, as in a crawl; ties go to the stronger penalty. Gamma is .5 unless .8 ranks the links of held-back paths
// better beyond chance: the 95 % interval of the difference in Fold.Rank lies above 0. With fewer than two folds nothing
// is held back: C2 is .5, Gamma .5 and Threshold .5.
//
// progress may be nil; it is called with the number of fits done. The error is one for which Unlearnable holds, that of a
// fit, or ctx.Err(), within some milliseconds after ctx ends.
func Learn(ctx context.Context, paths []Path, o Options, progress func(done, total int)) (*Ways, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if err := checkInput(paths); err != nil {
		return nil, err
	}
	type prepared struct {
		l   *learning
		err error
	}
	p, err := unlessDone(ctx, func() (p prepared) {
		p.l, p.err = prepare(ctx, paths, o)
		return p
	})
	if err = cmp.Or(err, p.err); err != nil {
		return nil, err
	}
	l := p.l
	l.progress = progress
	if err := l.tryFolds(ctx); err != nil {
		return nil, err
	}
	return l.learn(ctx)
}

// Defaults, and what is tried in their place.
const (
	defaultC2        = .5
	defaultGamma     = .5
	otherGamma       = .8
	defaultThreshold = .5
)

var (
	triedC2    = []float64{.05, .5, 2}
	triedGamma = [2]float64{defaultGamma, otherGamma}
)

func checkInput(paths []Path) error {
	few := &TooFewError{}
	for i, p := range paths {
		switch {
		case len(p.Steps) == 0 || len(p.Steps) > MaxSteps:
			return fmt.Errorf("way %d has %d pages, want 1 to %d", i, len(p.Steps), MaxSteps)
		case !(p.Count > 0 && p.Count < maxCount):
			return fmt.Errorf("way %d was met %g times, want more than 0", i, p.Count)
		}
		if p.Positive {
			few.Positive++
		} else {
			few.Negative++
		}
	}
	switch {
	case len(paths) > MaxPaths:
		return fmt.Errorf("%d ways are more than %d", len(paths), MaxPaths)
	case few.Positive < MinPositive || few.Negative < MinNegative:
		return few
	}
	return nil
}

// maxCount is more often than anybody walked a way.
const maxCount = 1e9

// learning is one call of Learn.
type learning struct {
	o        Options
	paths    []Path // sorted, so that their order changes nothing
	labelled *Labelled
	table    *table
	set      []crf.Sequence // of each path
	progress func(done, total int)
	fits     int // to do in all
	done     int

	c2, gamma, threshold float64
	tried                []Fold
	heldBy               string
	folds                int
	held                 []*held // of each path by the chosen C2; nil for one that was in no fold
}

// prepare labels the paths and numbers their features.
func prepare(ctx context.Context, paths []Path, o Options) (*learning, error) {
	l := &learning{o: o, paths: slices.Clone(paths)}
	slices.SortStableFunc(l.paths, comparePaths)
	var err error
	if l.labelled, err = LabelPaths(l.paths, o.States); err != nil {
		return nil, err
	}
	if l.table, err = newTable(ctx, l.paths, maxFeatures); err != nil {
		return nil, err
	}
	l.set, err = l.table.sequences(ctx, l.paths, l.labelled.Of)
	return l, err
}

// unused lists the person's names that stand on no page of a path.
func (l *learning) unused() []string {
	var list []string
	on := namesOn(l.paths)
	for _, name := range l.o.Names {
		if !slices.ContainsFunc(on, func(n NameCount) bool { return n.Name == name }) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// comparePaths orders paths by all they hold. Only equal ones compare as 0.
func comparePaths(a, b Path) int {
	return cmp.Or(
		slices.CompareFunc(a.Steps, b.Steps, func(x, y Step) int { return cmp.Compare(x.URL, y.URL) }),
		cmp.Compare(b2i(a.Positive), b2i(b.Positive)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tree, b.Tree),
		cmp.Compare(a.Count, b.Count), slices.CompareFunc(a.Steps, b.Steps, compareSteps),
	)
}

func compareSteps(x, y Step) int {
	return cmp.Or(
		cmp.Compare(x.Anchor, y.Anchor), cmp.Compare(x.Position, y.Position), cmp.Compare(x.Name, y.Name),
		cmp.Compare(x.Hop, y.Hop), cmp.Compare(x.Title, y.Title), slices.Compare(x.Page, y.Page), slices.Compare(x.Link, y.Link),
	)
}

// fit learns a field from some of the paths.
func (l *learning) fit(ctx context.Context, set []crf.Sequence, c2 float64) (*crf.Model, crf.Fitted, error) {
	type fit struct {
		field *crf.Model
		end   crf.Fitted
		err   error
	}
	done, err := unlessDone(ctx, func() (f fit) { // before Fit heeds ctx it sorts the paths, which takes a while for many
		f.field, f.end, f.err = crf.Fit(ctx, set, len(l.labelled.Labels), len(l.table.pages), len(l.table.links), crf.Options{C2: c2})
		return f
	})
	switch {
	case err != nil:
		return nil, done.end, err
	case done.err != nil && ctx.Err() != nil:
		return nil, done.end, ctx.Err()
	case done.err != nil:
		return nil, done.end, fmt.Errorf("learn from %d ways with c₂ = %g: %w", len(set), c2, done.err)
	}
	return done.field, done.end, nil
}

// learn fits the field to all paths.
func (l *learning) learn(ctx context.Context) (*Ways, error) {
	m, fitted, err := l.fit(ctx, l.set, l.c2)
	if err != nil {
		return nil, err
	}
	w := &Ways{
		Labelling: l.labelled.Labelling, Labels: l.labelled.Labels, Goal: l.labelled.Goal,
		PageFeatures: l.table.pages, LinkFeatures: l.table.links, HeadingSets: l.o.HeadingSets, Field: m,
		Gamma: l.gamma, C2: l.c2, Reward: Visits, Threshold: l.threshold,
		Facts: l.facts(fitted),
	}
	if w.Visits, err = l.worth(ctx, m, l.set, Visits, l.gamma); err != nil {
		return nil, err
	}
	if w.Printed, err = l.worth(ctx, m, l.set, Printed, l.gamma); err != nil {
		return nil, err
	}
	if w.Shown, err = l.shown(ctx, m); err != nil {
		return nil, err
	}
	if w.Report, err = l.report(ctx); err != nil {
		return nil, err
	}
	l.step()
	return w, nil
}

func (l *learning) facts(fitted crf.Fitted) Facts {
	f := Facts{
		Paths: map[Kind]int{}, Weights: fitted.Weights, Dropped: l.table.dropped, Unused: l.unused(),
		Objective: fitted.Objective, Iterations: fitted.Iterations, Folds: l.tried,
	}
	pages := map[string]bool{}
	for _, p := range l.paths {
		f.Paths[p.Kind]++
		if p.Positive {
			f.Positive++
		} else {
			f.Negative++
		}
		for _, s := range p.Steps {
			pages[s.URL] = true
		}
	}
	f.Pages = len(pages)
	return f
}

// step tells that a fit is done.
func (l *learning) step() {
	l.done++
	l.progress(l.done, l.fits)
}
