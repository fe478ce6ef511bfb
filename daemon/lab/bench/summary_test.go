package bench

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// known are two trials of four pages of budget, and two strategies' runs.
func known() (*Task, []*trial, map[string][]*run) {
	task := &Task{Name: "known", Group: "g", Corpus: []string{"a/b.warc.gz"}, Relevant: []string{"x", "y"}, Budget: 4, Strategies: []string{"good", "bad"}, Seeds: []uint64{1, 2}}
	trials := []*trial{{Seed: 1, total: 4, oracle: []int{1, 2, 3, 4}}, {Seed: 2, total: 2, oracle: []int{0, 1, 2}}}
	runs := map[string][]*run{
		Oracle: {{Found: []int{1, 2, 3, 4}, Similar: []float64{.9, .9, .9, .9}}, {Found: []int{0, 1, 2}, Similar: []float64{.5, .5, .5}}},
		"good": {{Found: []int{1, 1, 1, 2}, Similar: []float64{.8, .6, .4, .4}, Seconds: 1, PeakRSS: 7}, {Found: []int{0, 1}, Similar: []float64{0, .2}, Seconds: 3, PeakRSS: 5}},
		"bad":  {{Found: []int{0, 0, 0, 0}, Similar: make([]float64, 4)}, {Found: []int{}, Similar: []float64{}}},
	}
	return task, trials, runs
}

func TestSummarise(t *testing.T) {
	task, trials, runs := known()
	r := summarise(task, trials, runs, Free)
	if r.RelevantTotal != 3 || r.Relevant != "x,y" || fmt.Sprint(r.Corpus) != "[b.warc.gz]" || r.Task != "known" {
		t.Errorf("%+v", r)
	}
	s := r.named(t, "good")
	// Areas 5/16 and 3/8, of the oracle's 10/16 and 5/8: a half and three fifths.
	if s.Recall != .5 || s.Area != (5./16+3./8)/2 || !reflect.DeepEqual(s.PerSeed, []float64{.5, .6}) || math.Abs(s.AreaVsOracle-.55) > 1e-12 {
		t.Errorf("recall %v area %v shares %v, mean %v", s.Recall, s.Area, s.PerSeed, s.AreaVsOracle)
	}
	// Of two seeds, Student's t with one degree of freedom is 12.7: .55 ± 12.7·.05, cut at 0 and 1.
	if s.Low != 0 || s.High != 1 {
		t.Errorf("interval %v to %v", s.Low, s.High)
	}
	if got, want := fmt.Sprint(s.Recalled), "[[1 0.125] [2 0.375] [3 0.375] [4 0.5]]"; got != want {
		t.Errorf("recall %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.Harvest), "[[1 0.5] [2 0.5] [3 0.41666666666666663] [4 0.5]]"; got != want { // the second crawl ended after two pages
		t.Errorf("harvest %s, want %s", got, want)
	}
	if math.Abs(s.Similarity-.3) > 1e-12 || s.Seconds != 2 || s.PeakRSS != 7 {
		t.Errorf("%+v", s)
	}
	if bad := r.named(t, "bad"); bad.AreaVsOracle != 0 || bad.Low != 0 || bad.High != 0 || len(bad.Harvest) != 4 {
		t.Errorf("%+v", bad)
	}
	if o := r.Strategies[0]; o.Name != Oracle || o.AreaVsOracle != 1 || o.Low != 1 || o.High != 1 {
		t.Errorf("first is %+v", o)
	}
	if len(r.Pairs) != 1 || r.Pairs[0].A != "good" || r.Pairs[0].B != "bad" || math.Abs(r.Pairs[0].Difference-.55) > 1e-12 || math.Abs(r.Pairs[0].Low+.0853102368) > 1e-9 || r.Pairs[0].High != 1 {
		t.Errorf("pairs %+v", r.Pairs)
	}
}

// TestOneSeedHasNoWidth: the interval of one seed is the value itself.
func TestOneSeedHasNoWidth(t *testing.T) {
	task, trials, runs := known()
	for name := range runs {
		runs[name] = runs[name][1:]
	}
	s := summarise(task, trials[1:], runs, Free).named(t, "good")
	if s.AreaVsOracle != .6 || s.Low != .6 || s.High != .6 {
		t.Errorf("%v, %v to %v", s.AreaVsOracle, s.Low, s.High)
	}
}

func TestPoints(t *testing.T) {
	for budget, want := range map[int]string{1: "1 1 1", 7: "7 1 7", 100: "100 1 100", 101: "51 2 101", 400: "80 5 400", 1000: "100 10 1000", 30000: "100 300 30000"} {
		p := points(budget)
		if got := fmt.Sprint(len(p), p[0], p[len(p)-1]); got != want {
			t.Errorf("points of %d: %s, want %s", budget, got, want)
		}
	}
}

func TestGroups(t *testing.T) {
	of := func(task, group, missing string, shares map[string][]float64) Result {
		r := Result{Task: task, Group: group, Missing: missing}
		for _, name := range []string{Oracle, "a", "b", "c"} {
			if shares[name] != nil {
				r.Strategies = append(r.Strategies, Strategy{Name: name, PerSeed: shares[name]})
			}
		}
		return r
	}
	one := map[string][]float64{Oracle: {1, 1}, "a": {.2, .4}, "b": {.5, .5}, "c": {.1, .1}}
	results := []Result{
		of("first", "G", Free, one),
		of("first", "G", Cost, map[string][]float64{Oracle: {1, 1}, "a": {0, .2}, "b": {.1, .1}, "c": {.1, .1}}),
		of("second", "G", Free, map[string][]float64{Oracle: {1, 1}, "a": {.6, .8}, "b": {.9, .9}}),
		of("third", "", Free, map[string][]float64{Oracle: {1, 1}, "a": {1, 1}, "b": {0, 0}}),
	}
	means := groups(results)
	var told string
	for _, g := range means {
		told += fmt.Sprintf("%s %s %d:", g.Group, g.Missing, g.Tasks)
		for _, s := range g.Strategies {
			told += fmt.Sprintf(" %s %.3f", s.Name, s.AreaVsOracle)
		}
		for _, p := range g.Pairs {
			told += fmt.Sprintf(" %s-%s %.3f", p.A, p.B, p.Difference)
		}
		told += "\n"
	}
	want := `G free 2: oracle 1.000 b 0.700 a 0.500 a-b -0.200
all free 3: oracle 1.000 a 0.667 b 0.467 a-b 0.200
G cost 2: oracle 1.000 b 0.500 a 0.400 a-b -0.100
all cost 3: oracle 1.000 a 0.600 b 0.333 a-b 0.267
`
	if told != want {
		t.Errorf("groups\n%swant\n%s", told, want)
	}
	// Units are (task, seed) pairs: differences -.3 -.1 -.3 -.1 have the standard error .2/√12, and Student's t with three
	// degrees of freedom is 3.182446.
	if p := means[0].Pairs[0]; math.Abs(p.Low+.2+3.182446*.2/math.Sqrt(12)) > 1e-6 || math.Abs(p.High+.2-3.182446*.2/math.Sqrt(12)) > 1e-6 {
		t.Errorf("pair %+v", p)
	}
}
