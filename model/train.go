package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/model/cluster"
	"nightjar/model/logistic"
	"nightjar/model/lsi"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// Reasons why a session cannot be trained, worded for the person who browsed it. Test with errors.Is.
var (
	ErrNoTarget    = errors.New("mark at least one page Useful before you submit")
	ErrTooFewPages = errors.New("visit at least three other pages before you submit")
	ErrNoText      = errors.New("the pages of this session hold no text that could be learned from: visit pages with text before you submit")
)

// minOthers is the smallest number of pages besides the targets that can be clustered: the fewest clusters of [HMM]
// §2.2.2.
const minOthers = 3

// wordCount is the number of words that describe a cluster, as in [HMM] appendix A.
const wordCount = 30

// maxSmoothing is far more than any count. With it, A and B are practically uniform.
const maxSmoothing = 1e6

// Stages of a training, in order. StageWays and those after it follow the training.
const (
	StageText      = "text"       // words of each page are counted
	StageSpace     = "space"      // the LSI space is fitted
	StageClusters  = "clusters"   // pages are clustered and the clusters described
	StageStates    = "states"     // hop labels and the hidden Markov model
	StageWords     = "words"      // the soft emission
	StageJudge     = "judge"      // the judge and its calibration
	StageThreshold = "threshold"  // γ is calibrated
	StageWays      = "ways"       // what the ways of the session teach is learned; not by Train, see Bundle.WithWays
	StageBayes     = "bayes"      // the classifier of pages around the topic; not by Train, see Bundle.WithBayes
	StageAssess    = "assessing"  // the report is made, fold by fold
	StageRehearse  = "rehearsing" // the strategy of nights is tested on parts of the session; not by Train
)

// Stages is the number of stages of Train.
const Stages = 7

// FromGraph returns the training set for the web graph of a topic.
func FromGraph(topic string, g *webgraph.Graph, lastEvent time.Time) TrainingSet {
	set := TrainingSet{Topic: topic, Edges: g.Edges, LastEvent: lastEvent, Pages: make([]Page, len(g.Pages))}
	for i, n := range g.Pages {
		set.Pages[i] = Page{URL: n.URL, Title: n.Title, Text: n.Text, Declared: n.Declared, Target: n.Target, Links: n.Links}
	}
	return set
}

// Trainable reports whether a session with these numbers of targets and other pages can be trained. Its error is nil, ErrNoTarget
// or ErrTooFewPages with the number of pages.
func Trainable(targets, others int) error {
	if targets == 0 {
		return ErrNoTarget
	}
	if others < minOthers {
		return fmt.Errorf("%w: there %s so far besides the useful ones", ErrTooFewPages, countOf(others))
	}
	return nil
}

func countOf(pages int) string {
	switch pages {
	case 0:
		return "are none"
	case 1:
		return "is one"
	default:
		return fmt.Sprintf("are %d", pages)
	}
}

// Train learns a model from a session's pages and links ([HMM] §2.2 and §3). The same set and settings give the same
// bundle, bit for bit. progress, which may be nil, is called from the calling goroutine. Train returns ctx.Err() as soon
// as ctx ends; a step that cannot be interrupted then finishes in the background, and its result is discarded.
//
// The errors are ErrNoTarget, ErrTooFewPages, ErrNoText, ctx.Err(), or describe what is wrong with the settings or the set.
func Train(ctx context.Context, set TrainingSet, s Settings, progress func(Progress)) (*Bundle, error) {
	t, err := Learn(ctx, set, s, progress)
	if err != nil {
		return nil, err
	}
	return t.Bundle(), nil
}

// Training is a finished training: its model can be used, and it can be assessed.
type Training struct {
	material
	progress func(Progress)
	bundle   *Bundle

	docs             text.Collection   // the session's pages, and after them the background; until the clusters are described
	written, foreign map[string]string // stem -> the word most often written for it, in the session and in the background
}

// Bundle returns the model. Its report may choose again; see Bundle.WithReport.
func (t *Training) Bundle() *Bundle { return t.bundle }

// Learn is Train, but keeps what Assess needs.
func Learn(ctx context.Context, set TrainingSet, s Settings, progress func(Progress)) (*Training, error) {
	if err := check(set, s); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	t := &Training{material: material{set: set, settings: s}, progress: progress}
	t.bundle = &Bundle{Topic: set.Topic, Settings: s, Edges: set.Edges, Pages: make([]PageFact, len(set.Pages)), Choice: defaultChoice()}
	if err := t.countText(ctx); err != nil {
		return nil, err
	}
	l := &learned{sample: t.whole()}
	for _, stage := range []struct {
		name string
		run  func(context.Context, *learned) error
	}{
		{StageSpace, t.fitSpace}, {StageClusters, t.findClusters}, {StageStates, t.countStates},
		{StageWords, t.learnWords}, {StageJudge, t.learnUseful}, {StageThreshold, t.calibrate},
	} {
		t.progress(Progress{Stage: stage.name, Done: 0, Total: 1})
		if err := unlessDone(ctx, func() error { return stage.run(ctx, l) }); err != nil {
			return nil, err
		}
		t.progress(Progress{Stage: stage.name, Done: 1, Total: 1})
	}
	t.describe()
	return t, nil
}

// countText counts the words of the session's pages and of the background, and reports progress page by page. A stem is
// shown in the spelling of the session; a stem that the session lacks, in that of the background.
func (t *Training) countText(ctx context.Context) error {
	pages, background := make([]text.Source, len(t.set.Pages)), make([]text.Source, len(t.set.Background))
	for i, p := range t.set.Pages {
		pages[i] = text.Source{Text: p.Text, Declared: p.Declared}
	}
	for i, s := range t.set.Background {
		background[i].Text = s
		if t.set.Declared != nil {
			background[i].Declared = t.set.Declared[i]
		}
	}
	total := len(pages) + len(background)
	tell := func(before int) func(int) {
		return func(done int) { t.progress(Progress{Stage: StageText, Done: before + done, Total: total}) }
	}
	own, language, written, err := text.CountPages(ctx, pages, tell(0))
	if err != nil {
		return err
	}
	t.written, t.language = written, language
	if slices.ContainsFunc(language, func(l text.Language) bool { return l != text.English }) {
		t.bundle.Languages = language
	}
	for i, p := range t.set.Pages {
		t.bundle.Pages[i] = PageFact{URL: p.URL, Title: p.Title, Target: p.Target, Rejected: p.Rejected, Words: len(own[i])}
	}
	foreign, _, written, err := text.CountPages(ctx, background, tell(len(pages)))
	if err != nil {
		return err
	}
	t.foreign, t.docs = written, text.Collect(slices.Concat(own, foreign))
	return nil
}

// pages are the documents of the session alone.
func (t *Training) pages() text.Collection {
	return text.Collection{Terms: t.docs.Terms, Docs: t.docs.Docs[:len(t.set.Pages)]}
}

// fitSpace fits the LSI space to all pages, targets included, and chooses the features. As in the paper, the space holds
// the session only, not the background.
func (t *Training) fitSpace(context.Context, *learned) error {
	space, vectors := lsi.Fit(t.pages(), t.settings.Rank)
	if len(space.Singular) == 0 {
		return ErrNoText
	}
	b := t.bundle
	b.Terms, b.IDF, b.Basis, b.Singular, b.Vectors = space.Terms, space.IDF, space.Basis, space.Singular, vectors
	t.vectors = vectors
	t.features, t.words = fitFeatures(t.docs)
	target := make([]bool, len(t.set.Pages))
	for i, p := range t.set.Pages {
		target[i] = p.Target
	}
	t.rows = make([]logistic.Row, len(t.words))
	for i, w := range t.words {
		t.rows[i] = t.features.Row(w)
	}
	t.problem = logistic.NewProblem(t.rows, len(t.features.Terms))
	t.grouped, t.rejected = t.problem, make([]bool, len(t.rows))
	var urls []string
	for i, p := range t.set.Pages {
		urls, t.rejected[i] = append(urls, p.URL), p.Rejected
	}
	if group := Offsets(urls, target, t.rejected); slices.Max(group) >= 0 {
		t.grouped = logistic.NewProblem(logistic.Grouped(t.rows, len(t.features.Terms), group))
	}
	return nil
}

// findClusters clusters the pages and describes the clusters.
func (t *Training) findClusters(_ context.Context, l *learned) error {
	b := t.bundle
	l.cluster, l.clusters = t.clusterPages(l.sample)
	b.Clusters = make([]Cluster, l.clusters)
	for i, k := range l.cluster {
		b.Pages[i].Cluster = k
		b.Clusters[k].Size++
	}
	logOdds, mutual := cluster.Words(t.pages(), l.cluster, l.clusters, wordCount)
	for k := range b.Clusters {
		b.Clusters[k].LogOdds, b.Clusters[k].MutualInformation = t.spelled(logOdds[k]), t.spelled(mutual[k])
	}
	t.docs = text.Collection{}
	return nil
}

// spelled shows each stem in its most frequent spelling.
func (t *Training) spelled(scored []cluster.Scored) []Word {
	list := make([]Word, len(scored))
	for i, s := range scored {
		list[i] = Word{Word: t.mostWritten(s.Term), Score: s.Score}
	}
	return list
}

// mostWritten is the most frequent spelling of a stem.
func (t *Training) mostWritten(stem string) string {
	if word, ok := t.written[stem]; ok {
		return word
	}
	return t.foreign[stem]
}

// countStates labels the pages with their states, and estimates the hidden Markov model on the concept graph.
func (t *Training) countStates(_ context.Context, l *learned) error {
	b := t.bundle
	l.state, l.hmm = t.labelStates(l.sample, l.cluster, l.clusters)
	for i, s := range l.state {
		b.Pages[i].State = s
	}
	b.Initial, b.Transition, b.Emission = l.hmm.Initial, l.hmm.Transition, l.hmm.Emission
	return nil
}

// learnWords learns the soft emission.
func (t *Training) learnWords(ctx context.Context, l *learned) (err error) {
	t.bundle.Features = t.features
	t.bundle.Features.Written = make([]string, len(t.features.Terms))
	for i, term := range t.features.Terms {
		t.bundle.Features.Written[i] = t.mostWritten(term)
	}
	if t.power, err = t.findPower(ctx, l.sample, l.state); err != nil {
		return err
	}
	t.bundle.Soft, err = t.softEmission(ctx, l.sample, l.state)
	return err
}

// learnUseful learns the judge.
func (t *Training) learnUseful(ctx context.Context, l *learned) (err error) {
	t.bundle.Judge, l.unseen, err = t.learnJudge(ctx, l.sample)
	return err
}

// calibrate finds γ and chooses the test of relevance. Without the choice, nights before the report would show what the cosine finds
// only: on a large university's web a third of the useful pages that they read.
func (t *Training) calibrate(_ context.Context, l *learned) error {
	known := l.targets()
	var targets, others, all []float64
	for i, v := range t.vectors {
		near := nearest(v, t.vectors, known, i)
		all = append(all, near)
		if l.target[i] {
			targets = append(targets, near)
		} else {
			others = append(others, near)
		}
	}
	t.bundle.Gamma = threshold(targets, others, t.settings.Gamma)
	t.bundle.Choice = choose(all, l.unseen, l.target)
	return nil
}

// describe sets the lessons and the facts of the model.
func (t *Training) describe() {
	b := t.bundle
	b.Lessons = t.lessons()
	b.Facts = Facts{
		Pages: len(b.Pages), Targets: b.Clusters[0].Size, Edges: len(b.Edges), Terms: len(b.Terms), Rank: len(b.Singular),
		Clusters: len(b.Clusters) - 1, Features: len(b.Features.Terms), Background: len(t.set.Background), LastEvent: t.set.LastEvent.UTC(),
	}
	for _, p := range t.set.Pages {
		if p.Rejected {
			b.Facts.Rejected++
		}
	}
}

// check returns an error for a set or settings that cannot be trained.
func check(set TrainingSet, s Settings) error {
	switch {
	case s.States < 2 || s.States > 100:
		return fmt.Errorf("settings: %d hidden states, want 2 to 100", s.States)
	case s.MinClusters < 1 || s.MaxClusters < s.MinClusters:
		return fmt.Errorf("settings: %d to %d clusters is no range", s.MinClusters, s.MaxClusters)
	case s.Neighbours < 1:
		return fmt.Errorf("settings: %d neighbours, want at least 1", s.Neighbours)
	case s.Rank < 0:
		return fmt.Errorf("settings: %d LSI dimensions, want 0 (found by itself) or more", s.Rank)
	case !(s.Smoothing >= 0 && s.Smoothing <= maxSmoothing):
		return fmt.Errorf("settings: smoothing %g, want 0 or more", s.Smoothing)
	case !(s.Gamma >= 0 && s.Gamma <= 1):
		return fmt.Errorf("settings: relevance threshold %g, want 0 (calibrated) to 1", s.Gamma)
	}
	targets := 0
	for _, p := range set.Pages {
		if p.Target {
			targets++
		}
	}
	if err := Trainable(targets, len(set.Pages)-targets); err != nil {
		return err
	}
	if set.Declared != nil && len(set.Declared) != len(set.Background) {
		return fmt.Errorf("training set: languages of %d background pages, there are %d", len(set.Declared), len(set.Background))
	}
	for _, e := range set.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(set.Pages) {
			return fmt.Errorf("training set: link %v is not between two of its %d pages", e, len(set.Pages))
		}
	}
	return nil
}

// unlessDone runs a step and returns its error, or ctx.Err() when ctx ends first. Some numerical steps take seconds on
// large sessions and take no context: such a step is left to finish, and changes nothing that outlives the training.
func unlessDone(ctx context.Context, step func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	type end struct {
		err     error
		problem any
	}
	done := make(chan end, 1)
	go func() {
		var e end
		defer func() { e.problem = recover(); done <- e }()
		e.err = step()
	}()
	select {
	case e := <-done:
		if e.problem != nil {
			panic(e.problem) // a bug of the program must panic in the caller's goroutine
		}
		return e.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// zero reports whether a page has no place in the space.
func zero(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
}
