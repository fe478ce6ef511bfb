package bench

import "testing"

// TestOfUnion: the union is of the strategies with the same seed, without the oracle.
func TestOfUnion(t *testing.T) {
	runs := map[string][]*run{
		Oracle: {{Pages: []string{"a", "b", "c", "d", "e"}}, {Pages: []string{"a"}}, {}},
		"one":  {{Pages: []string{"a", "b", "c"}}, {Pages: []string{"a"}}, {}},
		"two":  {{Pages: []string{"c", "d"}}, {}, {}},
	}
	all := []Strategy{{Name: Oracle}, {Name: "one"}, {Name: "two"}}
	ofUnion(all, runs)
	for i, want := range []float64{0, (3./4 + 1) / 2, (2./4 + 0) / 2} {
		if !near(all[i].OfUnion, want) {
			t.Errorf("%s has %v, want %v", all[i].Name, all[i].OfUnion, want)
		}
	}
}

// TestPagesOfACrawl: a crawl names the relevant pages that it found, each once, as many as its curve counts.
func TestPagesOfACrawl(t *testing.T) {
	task := evenings(1)
	task.Strategies, task.Budget = []string{"breadth-first", "best-first"}, 500
	r := mustRun(t, runner(t, madeUp(t)), task, Free)
	one, other := r.named(t, task.Strategies[0]), r.named(t, task.Strategies[1])
	for _, s := range []Strategy{one, other} {
		if s.OfUnion < s.Recall-1e-9 || s.OfUnion > 1+1e-9 || s.OfUnion == 0 {
			t.Errorf("%s has %v of the union and %v of all", s.Name, s.OfUnion, s.Recall)
		}
	}
	if !near(one.Recall/one.OfUnion, other.Recall/other.OfUnion) { // the share of all pages that are in the union
		t.Errorf("the union is not the same for %+v and %+v", one, other)
	}
}
