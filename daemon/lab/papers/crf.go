package papers

import (
	"context"
	"fmt"
	"slices"

	"nightjar/crawler/feature"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/measure"
	"nightjar/model/ways"
)

// The contenders of [CRF].
var (
	generic = contender{"best-classifier", "best-classifier", false}
	byWays  = contender{"crf", "crf", false}
)

var crfClaims = []claim{
	{"tables 1 and 2, goal states", "precision 89.6 %, recall 92.4 % (F1 91 %); 122 sequences of 7 sites learned from, 68 labelled, 26 labels, 12,198 features"},
	{"table 2, all states", "precision 79.2 %, recall 82.5 % (F1 81 %)"},
	{"abstract of the paper of the system", "about two times better than a generic focused crawler"},
}

// As printed: F1 of goal and of all states, and the pages of the crawl beside a generic focused crawler's, less 1.
const (
	printedGoal   = .91
	printedStates = .81
	printedTwice  = 1
)

// Paths learned from and labelled: as many as the thesis had.
const (
	learnPositive, learnNegative = 78, 44
	testPositive, testNegative   = 43, 25
)

// shares of the learned paths in the learning curve.
var shares = []float64{.1, .2, .4, .7, 1}

// university is one of WebKB, with its first page.
type university struct{ name, start string }

var universities = []university{{"cornell", "http://www.cs.cornell.edu/"}, {"texas", "http://www.cs.utexas.edu/"}, {"washington", "http://www.cs.washington.edu/"}}

func (u university) archive() string { return "webkb/" + u.name + ".warc.gz" }
func (u university) labels() string  { return "webkb/" + u.name + ".labels.tsv" }

// walk is a simulated session that marks pages of a class and names each page by its class.
func (s *study) walk(ctx context.Context, u university, goal string, seed uint64, targets int) ([]*session.Session, error) {
	replay, err := s.lib.Replay([]string{u.archive()})
	if err != nil {
		return nil, err
	}
	labels, err := s.lib.Labels([]string{u.labels()}, []string{u.archive()}, nil)
	if err != nil {
		return nil, err
	}
	graph, err := s.lib.Graph([]string{u.archive()})
	if err != nil {
		return nil, err
	}
	events, _, err := corpus.Walk(ctx, replay, labels, corpus.WalkOptions{Relevant: goal, Starts: []string{u.start}, Pages: 220,
		Targets: min(targets, len(labels.With(goal))), Seed: seed, Graph: graph, Restart: true, Milestones: true})
	if err != nil {
		return nil, fmt.Errorf("walk over %s: %w", u.name, err)
	}
	return session.Fold(events)
}

// paths are so many of the positive and of the negative paths of sessions, spread evenly. Without names they are labelled by hops.
func paths(ctx context.Context, recs []*session.Session, positive, negative int, named bool) ([]ways.Path, error) {
	all, err := trainer.Paths(ctx, recs, nil, nil, feature.DefaultSets(), model.DefaultSettings().States)
	if err != nil {
		return nil, err
	}
	var groups [2][]ways.Path
	for _, p := range all {
		if p.Steps = slices.Clone(p.Steps); !named {
			for i := range p.Steps {
				p.Steps[i].Name = ""
			}
		}
		k := 0
		if !p.Positive {
			k = 1
		}
		groups[k] = append(groups[k], p)
	}
	return append(spread(groups[0], positive), spread(groups[1], negative)...), nil
}

// spread keeps n of a list at equal distances, all when there are no more than n.
func spread[T any](all []T, n int) []T {
	if len(all) <= n {
		return all
	}
	kept := make([]T, n)
	for i := range kept {
		kept[i] = all[i*len(all)/n]
	}
	return kept
}

// counts are the labels of one trial: of the goal, those true, said, and both; of all pages, their number and those right.
type counts struct{ goals, said, agreed, pages, right, labels, features, learned, labelled int }

// label learns from paths and labels others.
func label(ctx context.Context, learn, test []ways.Path) (counts, error) {
	states := model.DefaultSettings().States
	w, err := ways.Learn(ctx, learn, ways.Options{States: states, Site: weburl.Site, HeadingSets: feature.DefaultSets().String()}, nil)
	if err != nil {
		return counts{}, err
	}
	truth, err := ways.LabelPaths(test, states)
	if err != nil {
		return counts{}, err
	}
	c, reader := counts{labels: len(w.Labels), features: len(w.PageFeatures) + len(w.LinkFeatures), learned: len(learn), labelled: len(test)}, w.Reader()
	for i, p := range test {
		var steps []crf.Step
		for _, step := range p.Steps {
			steps = append(steps, crf.Step{Page: reader.Page(step.Page), Link: reader.Link(step.Link)})
		}
		said, _ := w.Field.Viterbi(steps)
		for k, l := range truth.Of[i] {
			is, got := truth.Labels[l], w.Labels[said[k]]
			goal := l == truth.Goal
			c.pages++
			c.right += one(is == got)
			c.goals += one(goal)
			c.said += one(said[k] == w.Goal)
			c.agreed += one(goal && said[k] == w.Goal)
		}
	}
	return c, nil
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (c counts) precision() float64 { return ratio(float64(c.agreed), float64(c.said)) }
func (c counts) recall() float64    { return ratio(float64(c.agreed), float64(c.goals)) }
func (c counts) f1() float64        { return ratio(2*float64(c.agreed), float64(c.goals+c.said)) }
func (c counts) states() float64    { return ratio(float64(c.right), float64(c.pages)) }

// labelTrial is a university, a goal and a seed.
type labelTrial struct {
	held             int
	goal             string
	seed             uint64
	milestones, hops []counts // by share of the learned paths; only the last of hops
}

// labelTrials learns on two universities and labels the paths of the third.
func (s *study) labelTrials(ctx context.Context) ([]*labelTrial, error) {
	var all []*labelTrial
	for seed := range s.pick(3, 1) {
		for _, goal := range []string{"course", "faculty", "student"}[:s.pick(3, 1)] {
			for held := range universities {
				all = append(all, &labelTrial{held: held, goal: goal, seed: uint64(seed) + 1})
			}
		}
	}
	return all, each(len(all), func(i int) error {
		t := all[i]
		var learn []*session.Session
		test, err := s.walk(ctx, universities[t.held], t.goal, t.seed, testPositive)
		for k, u := range universities {
			if k != t.held && err == nil {
				var recs []*session.Session
				recs, err = s.walk(ctx, u, t.goal, t.seed+uint64(k+1)<<32, learnPositive/2)
				learn = append(learn, recs...)
			}
		}
		for _, named := range []bool{true, false} {
			for _, share := range shares {
				if err != nil || !named && share < 1 {
					continue
				}
				var from, of []ways.Path
				var c counts
				if from, err = paths(ctx, learn, int(share*learnPositive+.5), int(share*learnNegative+.5), named); err == nil {
					if of, err = paths(ctx, test, testPositive, testNegative, named); err == nil {
						c, err = label(ctx, from, of)
					}
				}
				if named {
					t.milestones = append(t.milestones, c)
				} else {
					t.hops = append(t.hops, c)
				}
			}
		}
		s.tell("labelled ways to %s pages of %s, seed %d", t.goal, universities[t.held].name, t.seed)
		return err
	})
}

// crf measures [CRF] §5.3.
func (s *study) crf(ctx context.Context) (section, error) {
	sec := section{
		Title:  "[CRF] Paths to course pages",
		Source: "Sajjanhar 2008. Printed on: paths to course pages of 7 universities, some of the sites labelled also learned from. The thesis measures no crawl.",
	}
	var files []string
	for _, u := range universities {
		files = append(files, u.archive(), u.labels())
	}
	if why := s.lacks(files...); why != "" {
		return sec.cannot(why, crfClaims...), nil
	}
	all, err := s.labelTrials(ctx)
	if err != nil {
		return sec, err
	}
	table := devtool.Table{Title: "Labels of paths through a university that was not learned from", Rows: [][]string{{"labels are", "paths learned from", "paths labelled", "labels", "features", "precision of goal", "recall of goal", "F1 of goal", "all states right", "n"}}}
	of := func(f func(t *labelTrial) float64) measure.Figure {
		var v []float64
		for _, t := range all {
			v = append(v, f(t))
		}
		return measure.Mean(v, nil).Within(0, 1)
	}
	tell := func(name string, get func(t *labelTrial) counts) (f1, states measure.Figure) {
		c := get(all[0])
		f1 = of(func(t *labelTrial) float64 { return get(t).f1() })
		states = of(func(t *labelTrial) float64 { return get(t).states() })
		table.Add(name, c.learned, c.labelled, c.labels, c.features, percent(of(func(t *labelTrial) float64 { return get(t).precision() })),
			percent(of(func(t *labelTrial) float64 { return get(t).recall() })), percent(f1), percent(states), len(all))
		return f1, states
	}
	curve, curveAll := report.Curve{Name: "F1 of goal"}, report.Curve{Name: "all states right"}
	var f1, states measure.Figure
	for k, share := range shares {
		f1, states = tell(fmt.Sprintf("milestones, %.0f %% of the paths", 100*share), func(t *labelTrial) counts { return t.milestones[k] })
		n := float64(all[0].milestones[k].learned)
		curve.At, curveAll.At = append(curve.At, [2]float64{n, f1.Value}), append(curveAll.At, [2]float64{n, states.Value})
	}
	hopsF1, hopsStates := tell("hops, all paths", func(t *labelTrial) counts { return t.hops[0] })
	on := fmt.Sprintf("WebKB: learned on two universities, labelled the third; n %d", len(all))
	for _, by := range []struct {
		name       string
		f1, states measure.Figure
	}{{"milestones (classes of WebKB)", f1, states}, {"hops", hopsF1, hopsStates}} {
		sec.add(crfClaims[0], "F1 "+percent(by.f1), on+"; labels are "+by.name, level(by.f1, printedGoal))
		sec.add(crfClaims[1], "right "+percent(by.states), on+"; labels are "+by.name, level(by.states, printedStates))
	}
	if err := s.twice(&sec); err != nil {
		return sec, err
	}
	sec.Tables = []devtool.Table{table}
	sec.Pictures = []picture{{"crf-curve.svg", "Learning curve of labels", on + "; labels are milestones", "paths learned from",
		"The thesis has no learning curve. Its one point is 122 paths, with F1 .91 of goal and .81 of all states.", []report.Curve{curve, curveAll}}}
	sec.Note = "A level is *reached* when ours is at least the printed one, and *in kind* when ours is at least nine tenths of it. All states: share of pages with the right label, which " +
		"is both precision and recall when each page has one label. No page of the university that is labelled was learned from, unlike in the thesis."
	return sec, nil
}

// level is the verdict on a level that is printed without a rival.
func level(f measure.Figure, printed float64) string {
	switch {
	case f.Value >= printed:
		return reached
	case f.Value >= .9*printed:
		return inKind
	}
	return missed
}

// twice compares crawls with those of a generic focused crawler.
func (s *study) twice(sec *section) error {
	if why := s.lacks(crawlFiles()...); why != "" {
		*sec = sec.cannot(why, crfClaims[2])
		return nil
	}
	made, err := s.crawled()
	if err != nil {
		return err
	}
	for _, g := range []string{webKB, wikispeedia} {
		for _, than := range []contender{generic, standard} {
			trials := of(made, g, byWays, than)
			if len(trials) == 0 {
				*sec = sec.cannot("the sessions of "+g+" have too few ways", crfClaims[2])
				continue
			}
			more := gain(values(trials, byWays, found), values(trials, than, found), 5)
			sec.add(crfClaims[2], fmt.Sprintf("%s relevant pages than %s, n %d", signed(more), than.name, len(trials)), fmt.Sprintf("%s, %d crawls each; crf with hops, as people use it", g, len(trials)), amount(more, printedTwice))
		}
	}
	return nil
}
