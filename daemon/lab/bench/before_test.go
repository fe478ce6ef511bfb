package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// measuredTask is a result with shares by strategy.
func measuredTask(task, group, missing string, seeds []uint64, shares map[string][]float64) Result {
	r := Result{Task: task, Group: group, Missing: missing, Corpus: []string{"c"}, Relevant: "l", Budget: 9, Seeds: seeds, RelevantTotal: 5}
	for _, name := range []string{Oracle, "a", "b", "c"} {
		if shares[name] != nil {
			r.Strategies = append(r.Strategies, Strategy{Name: name, PerSeed: shares[name]})
		}
	}
	return r
}

// lines writes changes as lines of text.
func lines(all []Change) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s %s %s %d: %.3f %.3f %+.3f\n", c.Name, c.Missing, c.Strategy, c.Tasks, c.Before, c.Now, c.Difference)
	}
	return b.String()
}

// TestCompare pairs the seeds that both results have, in whatever order, and compares only strategies that ran in all of a
// group's tasks both times. A task without missing pages counts for both ways.
func TestCompare(t *testing.T) {
	two, three := []uint64{1, 2}, []uint64{3, 2, 1}
	old := &SuiteResult{GoVersion: "go1", Results: []Result{
		measuredTask("first", "G", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {.2, .4}, "b": {.5, .5}}),
		measuredTask("first", "G", Cost, two, map[string][]float64{Oracle: {1, 1}, "a": {.1, .1}, "b": {.2, .2}}),
		measuredTask("second", "G", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {.6, .6}}),
		measuredTask("moved", "H", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {1, 1}}),
		measuredTask("gone", "H", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {1, 1}}),
	}}
	now := &SuiteResult{Results: []Result{
		measuredTask("first", "G", Free, three, map[string][]float64{Oracle: {1, 1, 1}, "a": {9, .5, .5}, "b": {9, .5, .4}, "c": {1, 1, 1}}),
		measuredTask("first", "G", Cost, three, map[string][]float64{Oracle: {1, 1, 1}, "a": {9, .4, .2}, "b": {9, .2, .2}}),
		measuredTask("second", "G", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {.7, .9}, "b": {.1, .1}}),
		measuredTask("moved", "H", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {0, 0}}),
		measuredTask("new", "N", Free, two, map[string][]float64{Oracle: {1, 1}, "a": {0, 0}}),
		measuredTask("new", "N", Cost, two, map[string][]float64{Oracle: {1, 1}, "a": {0, 0}}),
	}}
	now.Results[3].Budget = 10
	taught := now.Results[2]
	taught.Feedback = "20/500"
	now.Results = append(now.Results, taught)
	if err := now.Compare(old); err != nil {
		t.Fatal(err)
	}
	b := now.Before
	if got, want := lines(b.Tasks), `first free a 1: 0.300 0.500 +0.200
first free b 1: 0.500 0.450 -0.050
second free a 1: 0.600 0.800 +0.200
first cost a 1: 0.100 0.300 +0.200
first cost b 1: 0.200 0.200 +0.000
`; got != want {
		t.Errorf("tasks\n%swant\n%s", got, want)
	}
	if got, want := lines(b.Groups), `G free a 2: 0.450 0.650 +0.200
all free a 2: 0.450 0.650 +0.200
G cost a 2: 0.350 0.550 +0.200
all cost a 2: 0.350 0.550 +0.200
`; got != want {
		t.Errorf("groups\n%swant\n%s", got, want)
	}
	// Of the differences .3 .1 .1 .3 the standard error is .2/√12, and Student's t with three degrees of freedom is 3.182446.
	if c := b.Groups[0]; math.Abs(c.Low-.2+3.182446*.2/math.Sqrt(12)) > 1e-6 || math.Abs(c.High-.2-3.182446*.2/math.Sqrt(12)) > 1e-6 {
		t.Errorf("interval of %+v", c)
	}
	if b.GoVersion != "go1" || !slices.Equal(b.New, []string{"new"}) || !slices.Equal(b.Other, []string{"moved: budget 9, now 10"}) {
		t.Errorf("new %q, other %q", b.New, b.Other)
	}
}

// TestCompareNeedsTheSameSettings: results that measured something else are not compared, and it is said what differs.
func TestCompareNeedsTheSameSettings(t *testing.T) {
	one := map[string][]float64{Oracle: {1}, "a": {.5}}
	for want, change := range map[string]func(*Result){
		"recordings c, now d e":            func(r *Result) { r.Corpus = []string{"d", "e"} },
		"relevant label l, now m":          func(r *Result) { r.Relevant = "m" },
		"budget 9, now 8":                  func(r *Result) { r.Budget = 8 },
		"pages per site 0, now 3":          func(r *Result) { r.DomainCap = 3 },
		"relevant pages in reach 5, now 6": func(r *Result) { r.RelevantTotal = 6 },
	} {
		old := &SuiteResult{Results: []Result{measuredTask("t", "", Free, []uint64{1}, one), measuredTask("same", "", Free, []uint64{1}, one)}}
		now := &SuiteResult{Results: []Result{measuredTask("t", "", Free, []uint64{1}, one), measuredTask("same", "", Free, []uint64{1}, one)}}
		change(&now.Results[0])
		if err := now.Compare(old); err != nil || len(now.Before.Other) != 1 || now.Before.Other[0] != "t: "+want {
			t.Errorf("%s: error %v, %+v", want, err, now.Before)
		}
		now.Results = now.Results[:1]
		if now.Before = nil; now.Compare(old) == nil || now.Before != nil {
			t.Errorf("%s: nothing can be compared, but was: %+v", want, now.Before)
		}
	}
	old := &SuiteResult{Results: []Result{measuredTask("t", "", Free, []uint64{1}, one)}}
	other := &SuiteResult{Results: []Result{measuredTask("t", "", Free, []uint64{2}, one)}}
	if other.Compare(old) == nil {
		t.Error("results without a common seed were compared")
	}
	costly := &SuiteResult{Results: []Result{measuredTask("t", "", Cost, []uint64{1}, one)}}
	if costly.Compare(old) == nil {
		t.Error("free missing pages were compared with costly ones")
	}
}
