package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"nightjar/model/cluster"
	"nightjar/model/hmm"
	"nightjar/model/lsi"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// What makes a session unfit for training, in words for the person who browsed it. Test with errors.Is.
var (
	ErrNoTarget    = errors.New("mark at least one page Useful before you submit")
	ErrTooFewPages = errors.New("visit at least three other pages before you submit")
	ErrNoText      = errors.New("the pages of this session hold no text that could be learned from")
)

// minOthers is the least number of pages besides the targets that can be clustered, by the lower end of [HMM] §2.2.2's
// range of clusters.
const minOthers = 3

// wordCount is how many words describe a cluster, as in [HMM] appendix A.
const wordCount = 30

// maxSmoothing is far more than any count: A and B are then as good as uniform.
const maxSmoothing = 1e6

// Stages of a training, in order.
const (
	StageText      = "text"      // words of each page are counted
	StageSpace     = "space"     // the LSI space is fitted
	StageClusters  = "clusters"  // pages are clustered and the clusters described
	StageStates    = "states"    // hop labels and the hidden Markov model
	StageThreshold = "threshold" // γ is calibrated
)

// FromGraph makes the training set of a topic's web graph.
func FromGraph(topic string, g *webgraph.Graph, lastEvent time.Time) TrainingSet {
	set := TrainingSet{Topic: topic, Edges: g.Edges, LastEvent: lastEvent, Pages: make([]Page, len(g.Pages))}
	for i, n := range g.Pages {
		set.Pages[i] = Page{URL: n.URL, Title: n.Title, Text: n.Text, Target: n.Target}
	}
	return set
}

// Trainable says whether a session with so many targets and other pages can be trained: nil, ErrNoTarget or
// ErrTooFewPages, the latter with the count.
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
// as ctx ends; a step that cannot be interrupted then finishes in the background and is thrown away.
//
// The errors are ErrNoTarget, ErrTooFewPages, ErrNoText, ctx.Err(), or about settings or a set that make no sense.
func Train(ctx context.Context, set TrainingSet, s Settings, progress func(Progress)) (*Bundle, error) {
	if err := check(set, s); err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	t := &training{ctx: ctx, set: set, settings: s, progress: progress}
	t.bundle = &Bundle{Topic: set.Topic, Settings: s, Edges: set.Edges, Pages: make([]PageFact, len(set.Pages))}
	if err := t.countText(); err != nil {
		return nil, err
	}
	for _, stage := range []struct {
		name string
		run  func()
	}{
		{StageSpace, t.fitSpace}, {StageClusters, t.findClusters}, {StageStates, t.countStates}, {StageThreshold, t.calibrate},
	} {
		t.progress(Progress{Stage: stage.name, Done: 0, Total: 1})
		if err := unlessDone(ctx, stage.run); err != nil {
			return nil, err
		}
		if len(t.bundle.Singular) == 0 {
			return nil, ErrNoText
		}
		t.progress(Progress{Stage: stage.name, Done: 1, Total: 1})
	}
	return t.bundle, nil
}

// training is a bundle on its way.
type training struct {
	ctx      context.Context
	set      TrainingSet
	settings Settings
	progress func(Progress)
	bundle   *Bundle

	counts  []text.Counts             // by page
	written map[string]map[string]int // stem -> word as written -> occurrences
}

// countText counts each page's words. It is the one stage that looks for the end of ctx by itself, once a page.
func (t *training) countText() error {
	t.counts = make([]text.Counts, len(t.set.Pages))
	t.written = map[string]map[string]int{}
	for i, p := range t.set.Pages {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		counts, surface := text.Count(p.Text)
		t.counts[i] = counts
		t.bundle.Pages[i] = PageFact{URL: p.URL, Title: p.Title, Target: p.Target, Words: len(counts)}
		for stem, word := range surface {
			if t.written[stem] == nil {
				t.written[stem] = map[string]int{}
			}
			t.written[stem][word] += counts[stem]
		}
		t.progress(Progress{Stage: StageText, Done: i + 1, Total: len(t.set.Pages)})
	}
	return nil
}

// fitSpace fits the LSI space to all pages, targets among them.
func (t *training) fitSpace() {
	space, vectors := lsi.Fit(t.counts, t.settings.Rank)
	b := t.bundle
	b.Terms, b.IDF, b.Basis, b.Singular, b.Vectors = space.Terms, space.IDF, space.Basis, space.Singular, vectors
}

// findClusters clusters all pages but the targets, which are cluster 0, and describes the clusters. A page without terms
// has no place in the space: it is not clustered, and counts to the cluster with the most pages.
func (t *training) findClusters() {
	b := t.bundle
	var points [][]float64
	var page []int // of each point
	for i, p := range b.Pages {
		if !p.Target && !zero(b.Vectors[i]) {
			points, page = append(points, b.Vectors[i]), append(page, i)
		}
	}
	x, largest := 1, 1
	if len(points) > 0 {
		rng := rand.New(rand.NewPCG(t.settings.Seed, 0))
		c := cluster.XMeans(points, t.settings.MinClusters, t.settings.MaxClusters, rng)
		x = len(c.Centroids)
		size := make([]int, x+1)
		for i, k := range c.Assign {
			b.Pages[page[i]].Cluster = k + 1
			size[k+1]++
			if size[k+1] > size[largest] {
				largest = k + 1
			}
		}
	}
	assign := make([]int, len(b.Pages))
	b.Clusters = make([]Cluster, x+1)
	for i := range b.Pages {
		if p := &b.Pages[i]; !p.Target && p.Cluster == 0 {
			p.Cluster = largest
		}
		assign[i] = b.Pages[i].Cluster
		b.Clusters[assign[i]].Size++
	}
	logOdds, mutual := cluster.Words(t.counts, assign, x+1, wordCount)
	for k := range b.Clusters {
		b.Clusters[k].LogOdds, b.Clusters[k].MutualInformation = t.words(logOdds[k]), t.words(mutual[k])
	}
}

// words shows stems as the word most often written for each; of those written equally often, the first in the alphabet.
func (t *training) words(scored []cluster.Scored) []Word {
	list := make([]Word, len(scored))
	for i, s := range scored {
		best, count := s.Term, 0
		for word, n := range t.written[s.Term] {
			if n > count || n == count && word < best {
				best, count = word, n
			}
		}
		list[i] = Word{Word: best, Score: s.Score}
	}
	return list
}

// countStates labels the pages with their states, and estimates the hidden Markov model on the concept graph.
func (t *training) countStates() {
	b := t.bundle
	target, clusters := make([]bool, len(b.Pages)), make([]int, len(b.Pages))
	for i, p := range b.Pages {
		target[i], clusters[i] = p.Target, p.Cluster
	}
	states := webgraph.Layers(len(b.Pages), b.Edges, target, t.settings.States)
	for i, s := range states {
		b.Pages[i].State = s
	}
	m := hmm.Estimate(t.settings.States, len(b.Clusters), states, clusters, b.Edges, t.settings.Smoothing)
	b.Initial, b.Transition, b.Emission = m.Initial, m.Transition, m.Emission
	b.Facts = Facts{Pages: len(b.Pages), Targets: b.Clusters[0].Size, Edges: len(b.Edges), Terms: len(b.Terms), Rank: len(b.Singular), Clusters: len(b.Clusters) - 1, LastEvent: t.set.LastEvent.UTC()}
}

// calibrate finds γ.
func (t *training) calibrate() {
	b := t.bundle
	var targets, others []float64
	for i, p := range b.Pages {
		if near := b.nearestTarget(b.Vectors[i], i); p.Target {
			targets = append(targets, near)
		} else {
			others = append(others, near)
		}
	}
	b.Gamma = threshold(targets, others, t.settings.Gamma)
}

// check refuses sets and settings that cannot be trained.
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
	for _, e := range set.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(set.Pages) {
			return fmt.Errorf("training set: link %v is not between two of its %d pages", e, len(set.Pages))
		}
	}
	return nil
}

// unlessDone runs a step, and gives ctx.Err() when ctx ends first. The numerical steps take seconds on large sessions
// and know no context, so the step is left to end by itself; it touches nothing that outlives the training.
func unlessDone(ctx context.Context, step func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		step()
	}()
	select {
	case problem := <-done:
		if problem != nil {
			panic(problem) // a mistake of the program belongs to the caller's goroutine
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// zero reports whether a page has no place in the space.
func zero(v []float64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
