package ways

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/verb"
	"nightjar/model/crf"
	"nightjar/model/ways"
)

// twoSteps are ways of two pages whose second page is useful when the link says "good".
func twoSteps(n int, rng *rand.Rand) []ways.Path {
	var all []ways.Path
	for i := range n {
		good := i%2 == 0
		word, hop := "a=bad", 2
		if good {
			word, hop = "a=good", 0
		}
		if rng.IntN(10) == 0 {
			word = "a=odd"
		}
		all = append(all, ways.Path{
			Kind: ways.Marked, Positive: good, Count: 1, Tree: string(rune('a' + i%3)),
			Steps: []ways.Step{
				{URL: "http://a.test/", Position: -1, Hop: 1, Page: []string{"w=start"}},
				{URL: "http://a.test/" + strings.Repeat("x", i), Hop: hop, Page: []string{"w=page"}, Link: []string{word}},
			},
		})
	}
	return all
}

func mustLearn(t *testing.T, paths []ways.Path) *ways.Ways {
	t.Helper()
	w, err := ways.Learn(t.Context(), paths, ways.Options{Labelling: ways.Hops, C2: .5, Gamma: .5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestRegressionHasNoMemory: what it says of a link is a logistic regression's answer, whatever pages came before.
func TestRegressionHasNoMemory(t *testing.T) {
	paths := twoSteps(60, rand.New(rand.NewPCG(1, 2)))
	w := mustLearn(t, paths)
	alone, err := regression(t.Context(), w, paths, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := alone.Field.Validate(); err != nil {
		t.Fatal(err)
	}
	read := alone.Reader()
	good := read.Link([]string{"a=good"})
	first := crf.Softmax(alone.Field.Follow(alone.Field.Start(nil), good).Alpha)
	state := alone.Field.Arrive(alone.Field.Follow(alone.Field.Start(read.Page([]string{"w=start"})), read.Link([]string{"a=bad"})), read.Page([]string{"w=page"}))
	for y, p := range crf.Softmax(alone.Field.Follow(state, good).Alpha) {
		if math.Abs(p-first[y]) > 1e-9 {
			t.Errorf("label %s: %g after two pages, %g after one", w.Labels[y], p, first[y])
		}
	}
	bad := crf.Softmax(alone.Field.Follow(state, read.Link([]string{"a=bad"})).Alpha)
	if first[w.Goal] < .8 || bad[w.Goal] > .2 {
		t.Errorf("a good link leads to the goal with %.2f, a bad one with %.2f", first[w.Goal], bad[w.Goal])
	}
}

// TestLabelCounts compares with a count by hand: the field is sure of the last page by its link.
func TestLabelCounts(t *testing.T) {
	paths := twoSteps(60, rand.New(rand.NewPCG(3, 4)))
	w := mustLearn(t, paths)
	l := &learned{test: paths[:10]}
	for i := range l.test { // no odd links
		s := slices.Clone(l.test[i].Steps)
		s[1].Link = []string{map[bool]string{true: "a=good", false: "a=bad"}[l.test[i].Positive]}
		l.test[i].Steps = s
	}
	l.test[0].Steps[1].Link = []string{"a=bad"} // a goal that is missed
	c, err := l.label(w, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.Paths != 10 || c.Positive != 5 || c.Pages != 20 || c.Goals != 5 || c.Said != 4 || c.Agreed != 4 || c.Right != 19 {
		t.Errorf("%+v", c)
	}
	if c.precision() != 1 || c.recall() != .8 || math.Abs(c.f1()-8./9) > 1e-12 || c.accuracy() != .95 {
		t.Errorf("precision %g, recall %g, F1 %g, accuracy %g", c.precision(), c.recall(), c.f1(), c.accuracy())
	}
}

func TestSample(t *testing.T) {
	var all []ways.Path
	for i := range 30 {
		all = append(all, ways.Path{Positive: i%3 == 0, Count: float64(i)})
	}
	got := sample(all, 5, 100)
	var counts []float64
	for _, p := range got[:5] {
		if !p.Positive {
			t.Fatalf("%v is negative", p.Count)
		}
		counts = append(counts, p.Count)
	}
	if want := []float64{0, 6, 12, 18, 24}; !slices.Equal(counts, want) {
		t.Errorf("positive ways %v, want %v", counts, want)
	}
	if len(got) != 5+20 {
		t.Errorf("%d ways, want 5 positive and all 20 negative ones", len(got))
	}
}

// TestTables: intervals, pairs and means of a small result, as the report prints them.
func TestTables(t *testing.T) {
	r := &result{Seeds: []uint64{1, 2}, Budget: 10, Others: []string{"hmm"}, Trials: []trial{
		{Task: "t", Group: "WebKB", Seed: 1, Hops: &labelled{Paths: 2, Pages: 4, Right: 3, Goals: 2, Said: 1, Agreed: 1}, Areas: crawled{base: .5, "hmm": .25, "best-classifier": .25}},
		{Task: "t", Group: "WebKB", Seed: 2, Areas: crawled{base: .75, "hmm": 1, "best-classifier": .25}},
	}}
	var text strings.Builder
	for _, table := range r.tables() {
		text.WriteString(table.Title + "\n")
		for _, row := range table.Rows {
			text.WriteString(strings.Join(row, "|") + "\n")
		}
	}
	for _, want := range []string{
		"hops|1|1.000 [1.000, 1.000]|0.500 [0.500, 0.500]|0.667 [0.667, 0.667]|0.750 [0.750, 0.750]",
		"crf, hops|2|0.625 [0.000, 1.000]||", "hmm|2|0.625 [0.000, 1.000]|+0.000 [-1.000, +1.000]|1 of 2", "t|0.625|",
		"Is it better than a generic focused crawler?|crf, hops|best-classifier|WebKB|+0.375 [-1.000, +1.000]|2.50",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no line %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "Wikispeedia") || strings.Contains(text.String(), "milestones|0") {
		t.Errorf("there is a table without trials:\n%s", text.String())
	}
}

func TestOptions(t *testing.T) {
	t.Setenv("NIGHTJAR_CORPORA", "")
	for _, args := range [][]string{{}, {"--corpora", "x", "--budget", "0"}, {"--corpora", "x", "--seed", "one"}} {
		if code, _, said := verb.Call(t.Context(), Command, nil, args...); code != 2 {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
}
