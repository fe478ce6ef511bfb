package strategy

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/crawler/feature"
	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/naivebayes"
	"nightjar/model/text"
	"nightjar/model/ways"
)

// topics are the words of the made-up session's pages; the first are those of the targets.
var topics = [][]string{
	strings.Fields("hockey puck goalie stick rink skate league playoff arena referee"),
	strings.Fields("university department faculty professor lecture campus student degree research seminar"),
	strings.Fields("recipe butter flour oven sugar bake dough cream vanilla cake"),
	strings.Fields("garden flower seed soil plant rose tulip compost shovel greenhouse"),
}

func words(rng *rand.Rand, topic, n int) string {
	var list []string
	for range n {
		list = append(list, topics[topic][rng.IntN(len(topics[topic]))])
	}
	return strings.Join(list, " ")
}

// bundle is trained once with the default settings.
var bundle = sync.OnceValue(func() *model.Bundle { return train(model.DefaultSettings(), 1) })

// train makes a model of a session in which gardens lead to recipes, these to universities, and these to hockey.
func train(s model.Settings, seed uint64) *model.Bundle {
	rng := rand.New(rand.NewPCG(seed, 8))
	set := model.TrainingSet{Topic: "Hockey"}
	const pages = 48
	for i := range pages {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: words(rng, i%4, 40), Target: i%4 == 0})
	}
	for u := range pages {
		for v := range pages {
			if v%4 == u%4-1 && rng.IntN(4) == 0 {
				set.Edges = append(set.Edges, [2]int{u, v})
			}
		}
	}
	b, err := model.Train(context.Background(), set, s, nil)
	if err != nil {
		panic(err)
	}
	w, err := ways.Learn(context.Background(), waysOf(set, rng), ways.Options{States: s.States, HeadingSets: feature.DefaultSets().String()}, nil)
	if err != nil {
		panic(err)
	}
	return b.WithWays(w, "").WithBayes(bayesOf(b, set, false), "")
}

// bayesOf is a classifier of the targets and the other pages of a session.
func bayesOf(b *model.Bundle, set model.TrainingSet, gaussian bool) *naivebayes.Classifier {
	var pages [2][]text.Counts
	for _, p := range set.Pages {
		kind := 0
		if p.Target {
			kind = 1
		}
		pages[kind] = append(pages[kind], b.Stems(p.Text))
	}
	c, err := naivebayes.Train(pages[1], pages[0], naivebayes.Options{Gaussian: gaussian, Seed: 1})
	if err != nil {
		panic(err)
	}
	return c
}

// paperBundle is bundle with the classifier of the paper.
var paperBundle = sync.OnceValue(func() *model.Bundle {
	set := model.TrainingSet{}
	rng := rand.New(rand.NewPCG(1, 8))
	for i := range 48 {
		set.Pages = append(set.Pages, model.Page{Text: words(rng, i%4, 40), Target: i%4 == 0})
	}
	return bundle().WithBayes(bayesOf(bundle(), set, true), "")
})

// bundleFor is bundle with what a strategy needs.
func bundleFor(name string) *model.Bundle {
	if Needs(name) == Gaussian {
		return paperBundle()
	}
	return bundle()
}

// waysOf are walks along the links of a made-up session: to hockey, or to a page before it from which the person turned back.
func waysOf(set model.TrainingSet, rng *rand.Rand) []ways.Path {
	to := make([][]int, len(set.Pages))
	for _, e := range set.Edges {
		to[e[0]] = append(to[e[0]], e[1])
	}
	var all []ways.Path
	for begin := range set.Pages {
		p := ways.Path{Kind: ways.Left, Count: 1, Tree: fmt.Sprint(begin)}
		for at := begin; ; at = to[at][rng.IntN(len(to[at]))] {
			p.Steps = append(p.Steps, stepTo(set.Pages[at], at%4))
			if len(to[at]) == 0 || rng.IntN(6) == 0 {
				break
			}
		}
		if last := p.Steps[len(p.Steps)-1]; last.Hop == 0 {
			p.Kind, p.Positive = ways.Marked, true
		}
		p.Steps[0].Link = nil
		all = append(all, p)
	}
	return all
}

// stepTo is a page of a topic and a link to it, whose words are those of the page.
func stepTo(p model.Page, topic int) ways.Step {
	said := strings.Fields(p.Text)
	near := strings.Join(said[1:7], " ")
	link := &page.Page{URL: "https://a.test/from", Links: []page.Link{{URL: p.URL, Anchor: said[0], Before: near, After: near, Around: near}}}
	read := &page.Page{URL: p.URL, Text: p.Text}
	return ways.Step{
		URL: p.URL, Hop: topic, Page: feature.Of(read).Page(read, feature.DefaultSets()), Link: feature.Of(link).Link(link, 0),
	}
}

// visit makes a page of text with so many links.
func visit(text string, links int) Visit {
	p := &page.Page{URL: "https://a.test/page", Text: text}
	for i := range links {
		p.Links = append(p.Links, page.Link{URL: fmt.Sprintf("https://a.test/%d", i), Anchor: "anchor"})
	}
	return Visit{Page: p}
}

func mustNew(tb testing.TB, name string) Strategy {
	tb.Helper()
	s, err := NewWith(tb.Context(), name, bundleFor(name), themesFor(name))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// mustRead has a strategy read a page, which must not fail.
func mustRead(s Strategy, v Visit) Judgement {
	j, err := s.Read(context.Background(), v)
	if err != nil {
		panic(err)
	}
	return j
}

// TestContract holds for every strategy.
func TestContract(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, name := range slices.Concat(Names(), Variants()) {
		t.Run(name, func(t *testing.T) {
			s := mustNew(t, name)
			if s.Name() != name {
				t.Errorf("made by the name %q, it calls itself %q", name, s.Name())
			}
			t.Run("odd pages", func(t *testing.T) { contractOddPages(t, s) })
			t.Run("same input, same answer", func(t *testing.T) { contractDeterminism(t, name) })
			t.Run("hostile model", func(t *testing.T) { contractHostileModel(t, name) })
			t.Run("stop", func(t *testing.T) { contractStop(t, name) })
			t.Run("many links", func(t *testing.T) { contractManyLinks(t, s) })
			if _, learns := s.(Learner); learns {
				contractLearner(t, name)
			}
		})
	}
}

// wantSound fails unless a judgement is what the crawl may rely on. The judge of a strategy that learns may be another than
// the model's.
func wantSound(t *testing.T, s Strategy, v Visit, j Judgement) {
	t.Helper()
	learns := learner(s)
	if j.Notes != nil && len(j.Notes) != len(v.Page.Links) {
		t.Fatalf("%d notes for %d links", len(j.Notes), len(v.Page.Links))
	}
	if len(j.Priorities) != len(v.Page.Links) {
		t.Fatalf("%d priorities for %d links", len(j.Priorities), len(v.Page.Links))
	}
	if !(j.Similarity >= -1 && j.Similarity <= 1) {
		t.Errorf("similarity %v", j.Similarity)
	}
	if !(j.Useful >= 0 && j.Useful <= 1) {
		t.Errorf("useful with probability %v", j.Useful)
	}
	if o := bundle().Observe(v.Page.Text); !learns && (j.Relevant != bundle().Relevant(o) || j.Useful != useful(s, v.Page.Text, o)) || j.Similarity != o.Similarity {
		t.Errorf("judged %+v, observed %+v", j, o)
	}
	if j.Evidence != nil && (len(j.Evidence) != len(j.States) || !positive(j.Evidence)) {
		t.Errorf("evidence %v for states %v", j.Evidence, j.States)
	}
	if j.Cluster < -1 || j.Cluster >= len(bundle().Clusters) {
		t.Errorf("cluster %d", j.Cluster)
	}
	for _, alpha := range [][]float64{j.States, alphaOf(j.Path)} {
		sum := 0.0
		for _, p := range alpha {
			if !(p >= 0 && p <= 1) {
				t.Errorf("states %v", alpha)
			}
			sum += p
		}
		if len(alpha) > 0 && math.Abs(sum-1) > 1e-9 {
			t.Errorf("states %v sum to %v", alpha, sum)
		}
	}
}

// useful is the probability that a strategy which does not learn tells a person.
func useful(s Strategy, text string, o model.Observation) float64 {
	if n, ok := s.(*naiveBayes); ok {
		return n.bundle.ReadBayes(text).P
	}
	return o.Useful
}

func contractOddPages(t *testing.T, s Strategy) {
	good := mustRead(s, Visit{Page: visit("hockey", 1).Page, Start: true}).Path
	for _, text := range []string{"", "zebra xylophone", "12 34 ::", "the of and", "hockey", strings.Repeat("garden hockey ", 300), "\xff\xfe\x00 hockey"} {
		for _, links := range []int{0, 1, 3} {
			for _, parent := range [][]byte{nil, good, pathOf([]float64{1}), pathOf([]float64{0, 0, 0, 0}), pathOf([]float64{math.NaN(), 0, 0, 1}), pathOf([]float64{-1, 2, 0, 0}), pathOf([]float64{1, 0, 0, 0}), []byte("{"), {alphaVersion}, {alphaVersion, 0}, make([]byte, MaxPath)} {
				for _, start := range []bool{true, false} {
					v := visit(text, links)
					v.Start, v.Parent = start, parent
					wantSound(t, s, v, mustRead(s, v))
				}
			}
		}
	}
}

// contractDeterminism walks the same random crawl with two strategies of the same name, one of which reads copies of the
// path's states.
func contractDeterminism(t *testing.T, name string) {
	a, b := mustNew(t, name), mustNew(t, name)
	w := newWalk(2)
	for i := range 300 {
		v := w.next()
		first := mustRead(a, v)
		if len(first.Path) > MaxPath {
			t.Fatalf("step %d: a path's state of %d bytes", i, len(first.Path))
		}
		v.Parent = slices.Clone(v.Parent)
		if second := mustRead(b, v); !reflect.DeepEqual(first, second) {
			t.Fatalf("step %d: judged %+v and %+v", i, first, second)
		}
		w.follow(v, first)
	}
}

// walk is a random crawl: each page is reached by a link of one before it, and has a few links to pages of a small web.
type walk struct {
	rng    *rand.Rand
	n      int
	queued []Visit // one a link
	seen   map[string]bool
	away   bool // from the pages of the session: no link leads there
}

func newWalk(seed uint64) *walk {
	return &walk{rng: rand.New(rand.NewPCG(seed, 8)), seen: map[string]bool{}}
}

// fork is the same walk with another seed from here on.
func (w *walk) fork(seed uint64) *walk {
	f := newWalk(seed)
	f.n, f.queued, f.seen = w.n, slices.Clone(w.queued), maps.Clone(w.seen)
	return f
}

// next is the page to visit.
func (w *walk) next() Visit {
	v := Visit{Start: true, URL: fmt.Sprintf("https://start.test/%d", w.n)}
	for w.n%7 > 0 && len(w.queued) > 0 {
		i := w.rng.IntN(len(w.queued))
		link := w.queued[i]
		w.queued = slices.Delete(w.queued, i, i+1)
		if !w.seen[link.URL] {
			v = link
			break
		}
	}
	w.n++
	w.seen[v.URL] = true
	topic := w.rng.IntN(4)
	v.Page = &page.Page{URL: v.URL, Text: words(w.rng, topic, 1+w.rng.IntN(20))}
	for range w.rng.IntN(5) {
		to := w.rng.IntN(2000)
		url := fmt.Sprintf("https://site%d.test/%s/%d", to%9, topics[to%4][0], to)
		if to%12 == 0 && !w.away {
			url = bundle().Pages[to%len(bundle().Pages)].URL
		}
		v.Page.Links = append(v.Page.Links, page.Link{
			URL: url, Anchor: words(w.rng, to%4, 1),
			Around: words(w.rng, to%4, 5), Path: "ul.menu>li",
		})
	}
	return v
}

// follow queues the links of a judged page.
func (w *walk) follow(v Visit, j Judgement) {
	for i, l := range v.Page.Links {
		child := Visit{URL: l.URL, Parent: j.Path}
		if j.Notes != nil {
			child.Note = j.Notes[i]
		}
		w.queued = append(w.queued, child)
	}
}

func contractManyLinks(t *testing.T, s Strategy) {
	v := visit("hockey rink", 2*page.MaxLinks)
	v.Start = true
	wantSound(t, s, v, mustRead(s, v))
}

func learner(s Strategy) bool {
	_, learns := s.(Learner)
	return learns
}

// TestNearerPagesComeFirst asks of the strategies that learn what they are for: links of a page one step from a target
// come before those of one that is two away, and those before three. The model has no smoothing: with it a page far away
// keeps a small P(T_0), which may be larger than that of a nearer page and decides before P(T_1) is looked at.
func TestNearerPagesComeFirst(t *testing.T) {
	plain := model.DefaultSettings()
	plain.Smoothing = 0
	s, err := New(t.Context(), "hmm-paper", train(plain, 1))
	if err != nil {
		t.Fatal(err)
	}
	wantNearerFirst(t, s)
	b := mustNew(t, "best-first")
	near, far := visit("hockey rink puck", 1), visit("garden soil seed", 1)
	if mustRead(b, near).Priorities[0].Compare(mustRead(b, far).Priorities[0]) <= 0 {
		t.Error("best-first prefers the links of a garden page to those of a hockey page")
	}
}

// wantNearerFirst fails unless the links of pages that are one, two and three links from a target come in that order.
func wantNearerFirst(t *testing.T, s Strategy) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 8))
	priority := func(topic int) Priority {
		v := visit(words(rng, topic, 30), 1)
		v.Start = true
		return mustRead(s, v).Priorities[0]
	}
	university, recipe, garden := priority(1), priority(2), priority(3)
	if university.Compare(recipe) <= 0 || recipe.Compare(garden) <= 0 {
		t.Errorf("%s, priorities by distance: one %v, two %v, three %v", s.Name(), university, recipe, garden)
	}
}

// TestHMMFollowsThePath recomputes fig. 7 of [HMM] along a path with plain sums.
func TestHMMFollowsThePath(t *testing.T) {
	b := bundle()
	followThePath(t, "hmm-paper", func(text string) []float64 {
		cluster := b.Observe(text).Cluster
		if cluster < 0 {
			return nil
		}
		var column []float64
		for _, row := range b.Emission {
			column = append(column, row[cluster])
		}
		return column
	}, func(prediction []float64, key Priority) {
		for k, p := range prediction { // in steps of 0.001
			if got := float64(key[k]); math.Abs(got-p*1000) > 1+1e-6 || got > p*1000+1e-6 {
				t.Errorf("key %v of prediction %v", key, prediction)
			}
		}
	})
}

// followThePath walks a path with a strategy and recomputes its states from the evidence of each page.
func followThePath(t *testing.T, name string, evidence func(text string) []float64, wantKey func([]float64, Priority)) {
	t.Helper()
	b, s := bundle(), mustNew(t, name)
	var path []byte
	var alpha []float64
	for i, text := range []string{"garden soil", "recipe oven", "zebra", "university campus", "hockey puck"} {
		v := visit(text, 2)
		v.Start, v.Parent = i == 0, path
		j := mustRead(s, v)
		n := len(b.Initial)
		prior := b.Initial
		if i > 0 {
			prior = make([]float64, n)
			for from := range n {
				for to := range n {
					prior[to] += alpha[from] * b.Transition[from][to]
				}
			}
		}
		said := evidence(text)
		if !slices.Equal(j.Evidence, said) {
			t.Fatalf("page %d: evidence %v, want %v", i, j.Evidence, said)
		}
		next, sum := make([]float64, n), 0.0
		for k := range n {
			next[k] = prior[k]
			if said != nil {
				next[k] *= said[k]
			}
			sum += next[k]
		}
		prediction := make([]float64, n)
		for k := range n {
			next[k] /= sum
			if math.Abs(next[k]-j.States[k]) > 1e-12 {
				t.Fatalf("page %d: states %v, want %v", i, j.States, next)
			}
			for to := range n {
				prediction[to] += next[k] * b.Transition[k][to]
			}
		}
		wantKey(prediction, j.Priorities[1])
		alpha, path = next, j.Path
	}
}

func TestQuantise(t *testing.T) {
	for _, tt := range []struct {
		p    float64
		want int32
	}{{0, 0}, {.0009, 0}, {.001, 1}, {.0019, 1}, {.002, 2}, {.003, 3}, {.1 + .2, 300}, {.7, 700}, {.9999, 999}, {1, 1000}, {1 - 1e-13, 1000}} {
		if got := quantise(tt.p); got != tt.want {
			t.Errorf("quantise(%v) = %d, want %d", tt.p, got, tt.want)
		}
	}
}

// TestCompareIsAnOrder holds what a heap needs of the priorities: antisymmetric, transitive, and so total.
func TestCompareIsAnOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	draw := func() Priority {
		p := make(Priority, rng.IntN(4))
		for i := range p {
			p[i] = int32(rng.IntN(3) - 1)
		}
		return p
	}
	for range 20_000 {
		a, b, c := draw(), draw(), draw()
		if a.Compare(b) != -b.Compare(a) {
			t.Fatalf("%v and %v compare %d and %d", a, b, a.Compare(b), b.Compare(a))
		}
		if a.Compare(b) >= 0 && b.Compare(c) >= 0 && a.Compare(c) < 0 {
			t.Fatalf("%v ≥ %v ≥ %v, but the first is less than the last", a, b, c)
		}
		if len(a) == len(b) && a.Compare(b) == 0 && !reflect.DeepEqual(a, b) {
			t.Fatalf("%v and %v are equal", a, b)
		}
	}
}

func TestNewUnknown(t *testing.T) {
	s, err := New(t.Context(), "best", bundle())
	if s != nil || err == nil || !strings.Contains(err.Error(), `"best"`) || !strings.Contains(err.Error(), "hmm, hmm-soft, ") {
		t.Errorf("New = %v, %v", s, err)
	}
}
