package forecast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/forecast"
)

// pages makes the steps of a crawl: "u" is a useful find, "f" a find that is not useful, "r" a useful page that was not shown,
// "." another page. Each page has a number of its own, from first on.
func pages(first uint64, kinds string) (steps []Step) {
	for i, k := range kinds {
		steps = append(steps, Step{URL: first + uint64(i), Useful: k == 'u' || k == 'r', Find: k == 'u' || k == 'f', P: 0.5})
	}
	return steps
}

// TestNights: a night is the beginning of a crawl; what an earlier night found does not come again, and the earlier night is known
// by marks and probabilities only.
func TestNights(t *testing.T) {
	c := &Cell{Task: "t", Web: "w", Pages: 60, Targets: 8, Crawls: []Crawl{
		{Starts: []uint64{1}, Steps: pages(100, strings.Repeat("u.f.r", 30))},    // 60 finds, 30 of them useful, 30 useful ones not shown
		{Starts: []uint64{1}, Steps: pages(100, strings.Repeat("u.f.r", 30))},    // the same pages again
		{Starts: []uint64{1, 2}, Steps: pages(200, strings.Repeat("uu...", 30))}, // half of it new
		{Starts: []uint64{3}, Steps: pages(5000, ".....")},
	}}
	first1 := c.night([]int{0}, 100)
	if first1.Kind != first || first1.Came != 20 || first1.Read != 40 || first1.In.Budget != 100 || first1.In.NewStarts != 1 || len(first1.In.Nights) != 0 {
		t.Errorf("the first night: %+v", first1)
	}
	again := c.night([]int{0, 1}, 100)
	if again.Kind != same || again.Came != 0 || again.Read != 0 || again.In.NewStarts != 0 || len(again.In.Nights) != 1 {
		t.Errorf("again from the same pages: %+v", again)
	}
	// 20 of the 40 finds are marked, half of them useful as the probabilities say, so that all say 20.
	if n := again.In.Nights[0]; n.Fetched != 100 || n.Ended || math.Abs(n.Useful-20) > 0.01 || n.Late <= 0 || n.Late > 8 {
		t.Errorf("the night before: %+v", n)
	}
	elsewhere := c.night([]int{0, 2}, 300)
	if elsewhere.Kind != other || elsewhere.In.NewStarts != 1 || !elsewhere.In.Nights[0].Ended || elsewhere.In.Nights[0].Fetched != 150 {
		t.Errorf("from other pages: %+v", elsewhere)
	}
	want := 0.0
	for i, s := range c.Crawls[2].Steps {
		if s.Find && (i >= 50 || c.Crawls[0].Steps[100+i].URL != s.URL || !c.Crawls[0].Steps[100+i].Find && !c.Crawls[0].Steps[100+i].Useful) {
			want++
		}
	}
	if elsewhere.Came != want {
		t.Errorf("%v useful pages, want %v", elsewhere.Came, want)
	}
	if got := len(c.nights()); got != len(budgets)*len(courses) {
		t.Errorf("%d nights", got)
	}
}

// simulated draws first nights on webs whose yields differ, as the model says.
func simulated(rng *rand.Rand, webs, nights int, weights []float64, spread float64) (all []night) {
	for web := range webs {
		for i := range nights {
			n := night{Web: fmt.Sprint(web), Task: fmt.Sprint(web, i%3), Kind: first, Size: 60}
			n.In = forecast.Inputs{Pages: 200, Useful: 10 + rng.IntN(90), Budget: budgets[rng.IntN(len(budgets))], Starts: 1, NewStarts: 1, Strategy: followed}
			mean := 0.0
			for k, x := range forecast.First(n.In) {
				mean += weights[k] * x
			}
			n.Came = math.Round(math.Expm1(mean + spread*rng.NormFloat64()))
			all = append(all, n)
		}
	}
	return all
}

// TestFit: the fit finds the weights and the spread by which nights were drawn, and the intervals of webs left out hold as often
// as they should.
func TestFit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	want := []float64{5, 0.6, 0.4}
	all := simulated(rng, 5, 300, want, 0.5)
	c := fit(all)
	for k, w := range c.First.Weights {
		if math.Abs(w-want[k]) > 0.1 {
			t.Errorf("weight %d is %.2f, want %.2f", k, w, want[k])
		}
	}
	if math.Abs(c.First.Spread-0.5) > 0.1 {
		t.Errorf("the spread is %.2f, want 0.5", c.First.Spread)
	}
	if r := rowOf(leaveOut(all)); r.holds < 76 || r.holds > 84 || r.nights != len(all) || math.Abs(r.bias) > 0.1 {
		t.Errorf("%+v", r)
	}
}

// TestWeights: webs, their tasks and the kinds of their nights weigh the same, however many nights they have.
func TestWeights(t *testing.T) {
	all := []night{{Web: "a", Task: "a1", Kind: first}, {Web: "b", Task: "b1", Kind: first}, {Web: "b", Task: "b1", Kind: first},
		{Web: "b", Task: "b2", Kind: same}, {Web: "b", Task: "b2", Kind: other}, {Web: "b", Task: "b2", Kind: other}}
	if got, want := weights(all), []float64{0.5, 0.125, 0.125, 0.125, 0.0625, 0.0625}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestFactor: the width of an interval is that of whole pages.
func TestFactor(t *testing.T) {
	for _, tt := range []struct{ low, high, want float64 }{{8.4, 23.6, 3}, {0.2, 3.4, 3}, {0, 0, 1}} {
		if got := (judged{f: forecast.Forecast{Low: tt.low, High: tt.high}}).factor(); got != tt.want {
			t.Errorf("%v to %v: %v", tt.low, tt.high, got)
		}
	}
}
