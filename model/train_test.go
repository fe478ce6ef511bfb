package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/model/webgraph"
)

// topics are words that pages of one kind share.
var topics = [][]string{
	strings.Fields("hockey puck goalie stick rink skate league playoff arena referee"),
	strings.Fields("university department faculty professor lecture campus student degree research seminar"),
	strings.Fields("recipe butter flour oven sugar bake dough cream vanilla cake"),
	strings.Fields("garden flower seed soil plant rose tulip compost shovel greenhouse"),
}

// session makes a training set of pages of several kinds: pages of kind 0 are targets, and kind k links to kind k-1, so
// that kinds are the distance from a target.
func session(pages int, seed uint64) TrainingSet {
	rng := rand.New(rand.NewPCG(seed, 5))
	set := TrainingSet{Topic: "Hockey", LastEvent: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	kind := make([]int, pages)
	for i := range pages {
		kind[i] = i % len(topics)
		var b strings.Builder
		for range 60 {
			from := topics[kind[i]]
			if rng.IntN(6) == 0 {
				from = topics[rng.IntN(len(topics))]
			}
			b.WriteString(from[rng.IntN(len(from))] + " ")
		}
		set.Pages = append(set.Pages, Page{URL: fmt.Sprintf("https://a.test/%d", i), Title: fmt.Sprint("Page ", i), Text: b.String(), Target: kind[i] == 0})
	}
	for u := range pages {
		for v := range pages {
			if kind[v] == kind[u]-1 && rng.IntN(4) == 0 {
				set.Edges = append(set.Edges, [2]int{u, v})
			}
		}
	}
	return set
}

func mustTrain(tb testing.TB, set TrainingSet, s Settings) *Bundle {
	tb.Helper()
	b, err := Train(context.Background(), set, s, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestTrain(t *testing.T) {
	set := session(80, 1)
	s := DefaultSettings()
	s.MaxClusters = 3 // the kinds besides the targets; words of other kinds on each page may make it more
	b := mustTrain(t, set, s)
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	want := Facts{Pages: 80, Targets: 20, Edges: len(set.Edges), Terms: len(b.Terms), Rank: len(b.Singular), Clusters: 3, Features: len(b.Features.Terms), LastEvent: set.LastEvent}
	if b.Facts != want {
		t.Errorf("facts = %+v, want %+v", b.Facts, want)
	}
	byKind := map[int]int{} // kind of page -> its cluster
	for i, p := range b.Pages {
		k := i % len(topics)
		if c, seen := byKind[k]; seen && c != p.Cluster {
			t.Fatalf("page %d of kind %d is in cluster %d, another in %d", i, k, p.Cluster, c)
		}
		byKind[k] = p.Cluster
		if p.Words < 5 || p.Target != (k == 0) {
			t.Errorf("page %d: %+v", i, p)
		}
	}
	if len(byKind) != 4 || byKind[0] != 0 {
		t.Errorf("clusters by kind = %v, want four, targets in 0", byKind)
	}
	for k, words := range topics {
		c := b.Clusters[byKind[k]]
		if c.Size != 20 || len(c.LogOdds) == 0 || len(c.MutualInformation) == 0 {
			t.Fatalf("cluster of kind %d = %+v", k, c)
		}
		for _, w := range c.MutualInformation[:5] {
			if !slices.Contains(words, w.Word) {
				t.Errorf("kind %d is described by %q, which is none of its words", k, w.Word)
			}
		}
	}
	if !b.Gamma.Calibrated || b.Gamma.F1 != 1 {
		t.Errorf("γ = %+v, want one that separates kinds wholly", b.Gamma)
	}
}

// TestTrainParameters recounts [HMM] eq. (3) and (4) from what the bundle says of pages and links.
func TestTrainParameters(t *testing.T) {
	s := DefaultSettings()
	s.Smoothing = 0
	b := mustTrain(t, session(60, 2), s)
	for i := range b.Initial {
		if b.Initial[i] != 0.25 {
			t.Errorf("π = %v, want uniform", b.Initial)
		}
		var leaving, going, pages float64
		for j := range b.Initial {
			going = 0
			leaving = 0
			for _, e := range b.Edges {
				if b.Pages[e[0]].State == i {
					leaving++
					if b.Pages[e[1]].State == j {
						going++
					}
				}
			}
			want := 0.25
			if leaving > 0 {
				want = going / leaving
			}
			if got := b.Transition[i][j]; math.Abs(got-want) > 1e-12 {
				t.Errorf("a[%d][%d] = %v, want %v", i, j, got, want)
			}
		}
		for c := range b.Clusters {
			in := 0.0
			pages = 0
			for _, p := range b.Pages {
				if p.State == i {
					pages++
					if p.Cluster == c {
						in++
					}
				}
			}
			if pages == 0 {
				continue
			}
			if got := b.Emission[i][c]; math.Abs(got-in/pages) > 1e-12 {
				t.Errorf("b[%d][%d] = %v, want %v", i, c, got, in/pages)
			}
		}
	}
}

func TestTrainIsDeterministic(t *testing.T) {
	var first []byte
	for range 3 {
		raw, err := mustTrain(t, session(50, 3), DefaultSettings()).Encode()
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = raw
		}
		if !bytes.Equal(raw, first) {
			t.Fatal("the same set and settings gave different bundles")
		}
	}
}

func TestTrainErrors(t *testing.T) {
	page := func(target bool, words string) Page { return Page{Text: words, Target: target} }
	few := TrainingSet{Pages: []Page{page(true, "hockey"), page(false, "garden"), page(false, "recipe")}}
	silent := TrainingSet{Pages: []Page{page(true, ""), page(false, ""), page(false, "12 34"), page(false, "the of and")}}
	stray := session(20, 1)
	stray.Edges = append(stray.Edges, [2]int{0, 20})
	none := session(20, 1)
	for i := range none.Pages {
		none.Pages[i].Target = false
	}
	change := func(f func(*Settings)) Settings {
		s := DefaultSettings()
		f(&s)
		return s
	}
	ok := DefaultSettings()
	tests := []struct {
		name string
		set  TrainingSet
		s    Settings
		is   error
		text string
	}{
		{"nothing", TrainingSet{}, ok, ErrNoTarget, "mark at least one page Useful before you submit"},
		{"no target", none, ok, ErrNoTarget, ""},
		{"too few", few, ok, ErrTooFewPages, "visit at least three other pages before you submit: there are 2 so far besides the useful ones"},
		{"no text", silent, ok, ErrNoText, ""},
		{"stray link", stray, ok, nil, "link [0 20]"},
		{"no states", session(20, 1), change(func(s *Settings) { s.States = 1 }), nil, "hidden states"},
		{"no range", session(20, 1), change(func(s *Settings) { s.MaxClusters = 2 }), nil, "3 to 2 clusters"},
		{"no neighbours", session(20, 1), change(func(s *Settings) { s.Neighbours = 0 }), nil, "neighbours"},
		{"negative rank", session(20, 1), change(func(s *Settings) { s.Rank = -1 }), nil, "dimensions"},
		{"smoothing", session(20, 1), change(func(s *Settings) { s.Smoothing = math.NaN() }), nil, "smoothing"},
		{"gamma", session(20, 1), change(func(s *Settings) { s.Gamma = 1.5 }), nil, "threshold"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Train(context.Background(), tt.set, tt.s, nil)
			if b != nil || err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Train = %v, %v, want an error like %v %q", b, err, tt.is, tt.text)
			}
		})
	}
}

// TestTrainLean trains on sets at the edge of what can be trained.
func TestTrainLean(t *testing.T) {
	same := TrainingSet{}
	for i := range 6 {
		same.Pages = append(same.Pages, Page{Text: "hockey puck", Target: i == 0})
	}
	tests := map[string]TrainingSet{
		"four pages":             {Pages: []Page{{Text: "hockey", Target: true}, {Text: "garden"}, {Text: "recipe"}, {Text: "campus"}}, Edges: [][2]int{{1, 0}}},
		"all the same":           same,
		"text in targets only":   {Pages: []Page{{Text: "hockey", Target: true}, {}, {}, {}}},
		"text in no target":      {Pages: []Page{{Target: true}, {Text: "garden"}, {Text: "recipe"}, {Text: "campus"}}},
		"a page without text":    {Pages: []Page{{Text: "hockey", Target: true}, {Text: "garden"}, {Text: "recipe"}, {}, {Text: "campus"}}},
		"all but three targets":  {Pages: []Page{{Text: "hockey", Target: true}, {Text: "puck hockey", Target: true}, {Text: "recipe"}, {Text: "rose"}, {Text: "campus"}}},
		"one word on every page": {Pages: []Page{{Text: "hockey", Target: true}, {Text: "hockey"}, {Text: "hockey"}, {Text: "hockey"}}},
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			b := mustTrain(t, set, DefaultSettings())
			raw, err := b.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Decode(raw); err != nil {
				t.Fatal(err)
			}
			for _, s := range []string{"", "hockey", "garden recipe", "unknown words"} {
				o := b.Observe(s)
				if o.Cluster < -1 || o.Cluster >= len(b.Clusters) || !(o.Similarity >= -1 && o.Similarity <= 1) {
					t.Errorf("Observe(%q) = %+v", s, o)
				}
			}
		})
	}
}

func TestTrainProgress(t *testing.T) {
	var stages []string
	_, err := Train(context.Background(), session(20, 1), DefaultSettings(), func(p Progress) {
		if p.Done < 0 || p.Done > p.Total || p.Total < 1 {
			t.Errorf("progress %+v", p)
		}
		if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
			stages = append(stages, p.Stage)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"text", "space", "clusters", "states", "words", "judge", "threshold"}; !slices.Equal(stages, want) || len(want) != Stages {
		t.Errorf("stages %v, want %v", stages, want)
	}
}

// TestTrainCancel ends the context at every stage.
func TestTrainCancel(t *testing.T) {
	for _, stage := range []string{StageText, StageSpace, StageClusters, StageStates, StageWords, StageJudge, StageThreshold} {
		ctx, cancel := context.WithCancel(context.Background())
		b, err := Train(ctx, session(20, 1), DefaultSettings(), func(p Progress) {
			if p.Stage == stage && p.Done == 0 || p.Stage == StageText && stage == StageText {
				cancel()
			}
		})
		if b != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %s: Train = %v, %v", stage, b, err)
		}
		cancel()
	}
	// In the middle of a step that knows no context.
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	defer close(release)
	err := unlessDone(ctx, func() error { cancel(); <-release; return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("unlessDone = %v, want context.Canceled", err)
	}
}

func TestFromGraph(t *testing.T) {
	g := webgraph.Build([]webgraph.Load{
		{ID: "1", URL: "https://a.test/1", Title: "One", Text: "text", Links: []webgraph.Link{{URL: "https://a.test/2", Anchor: "next"}}},
		{ID: "2", URL: "https://a.test/2", Target: true},
	})
	set := FromGraph("Topic", g, time.Unix(5, 0))
	want := []Page{{URL: "https://a.test/1", Title: "One", Text: "text", Links: []Link{{To: 1, Link: webgraph.Link{URL: "https://a.test/2", Anchor: "next"}}}}, {URL: "https://a.test/2", Target: true}}
	if !reflect.DeepEqual(set.Pages, want) || !slices.Equal(set.Edges, [][2]int{{0, 1}}) || set.Topic != "Topic" || set.LastEvent != time.Unix(5, 0) {
		t.Errorf("set = %+v", set)
	}
}
