package bench

import (
	"math"
	"testing"

	"nightjar/crawler/promise"
)

// crawled is a run that found relevant pages at some pages of budget, with an estimate of the next pages at each tenth.
func crawled(pages int, hits []int, next func(pages int) float64) *run {
	r := &run{}
	for n := 1; n <= pages; n++ {
		found := 0
		for _, at := range hits {
			if at <= n {
				found++
			}
		}
		r.Found = append(r.Found, found)
		if n%10 == 0 {
			r.Estimates = append(r.Estimates, promise.Estimate{Pages: n, Next: next(n), High: 2})
		}
	}
	return r
}

// TestStopping computes what thresholds save and lose of two crawls by hand.
func TestStopping(t *testing.T) {
	runs := []*run{
		crawled(400, []int{1, 50, 150, 350}, func(n int) float64 { return 500 / float64(n) }), // below 2 from page 260 on
		crawled(300, []int{1, 2, 3, 4, 5}, func(int) float64 { return 3 }),
	}
	s := stopping([]float64{1, 2, 5}, runs)
	for i, want := range []StopAt{
		{1, 0, 0, 0},
		{2, .5, .5 * 140 / 400, .5 / 4},
		{5, 1, .5*.5 + .5*100/300, .5 / 4},
	} {
		if got := s.At[i]; got.Below != want.Below || got.Stopped != want.Stopped || math.Abs(got.Saved-want.Saved) > 1e-12 || math.Abs(got.Lost-want.Lost) > 1e-12 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if want := (.5*50/400 + .5*100/300); math.Abs(s.Best-want) > 1e-12 { // all four are needed of the first; nothing is known before page 200
		t.Errorf("at best %g, want %g", s.Best, want)
	}
	// At 200 and 300 pages of the first crawl: nothing and one came; at 200 of the second, nothing.
	if want := (Foretold{(2.5+5./3)/4 + 1.5, .25, 1}); math.Abs(s.Foretold.Said-want.Said) > 1e-12 || s.Foretold.Came != want.Came || s.Foretold.Held != want.Held {
		t.Errorf("told %+v, want %+v", s.Foretold, want)
	}
	if s.Crawls[0] != (StoppedCrawl{400, 4}) || stopping(nil, runs) != nil || stopping([]float64{1}, []*run{{}}) != nil {
		t.Errorf("crawls %+v", s.Crawls)
	}
	means := stopMeans([]Result{
		{LookedAt: true, Strategies: []Strategy{{Name: "a", Stopping: s}}},
		{LookedAt: true, Strategies: []Strategy{{Name: "a", Stopping: &Stopping{Best: 1, At: []StopAt{{1, 1, 1, 1}, {2, 1, 1, 1}, {5, 1, 1, 1}}}}}},
		{Strategies: []Strategy{{Name: "a", Stopping: s}, {Name: "b"}}},
	})
	if len(means) != 2 || means[0].Tasks != 2 || means[0].Best != (s.Best+1)/2 || means[0].At[0] != (StopAt{1, .5, .5, .5}) || means[0].Foretold != *s.Foretold || means[1].LookedAt {
		t.Errorf("means %+v", means)
	}
}

// TestStoppingOfACrawl: with thresholds, crawls note estimates; the budget is a number of times what is there.
func TestStoppingOfACrawl(t *testing.T) {
	task := evenings(1)
	task.Strategies, task.StopBelow, task.Times, task.Budget = []string{"breadth-first"}, []float64{1}, 2, 60
	r, err := runner(t, madeUp(t)).Run(t.Context(), task, Free)
	if err != nil {
		t.Fatal(err)
	}
	s := r.named(t, "breadth-first").Stopping
	if s == nil || len(s.Crawls) != 1 || s.Crawls[0].Pages != min(60, int(2*r.RelevantTotal)) {
		t.Fatalf("%+v; %g relevant pages in reach", s, r.RelevantTotal)
	}
	if s.At[0] != (StopAt{Below: 1}) || r.named(t, Oracle).Stopping != nil {
		t.Errorf("a crawl of %d pages ends early: %+v", s.Crawls[0].Pages, s.At)
	}
}
