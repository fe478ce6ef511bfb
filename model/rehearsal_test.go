package model

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// course is a crawl that fetched only pages held back, with useful ones at these numbers.
func course(pages int, at ...int) Course {
	return Course{Fetched: pages, New: pages, At: at, NewAt: at}
}

// rehearsed has parts of ten pages with two useful ones: first for the strategy, last in the order of links, and in the
// middle by lot. The last part has none that links lead to.
func rehearsed(parts int) *Rehearsal {
	r := &Rehearsal{Strategy: "link-value", Pages: 12 * (parts + 1)}
	for range parts {
		r.Folds = append(r.Folds, HeldBack{
			Pages: 12, Useful: 3, Reachable: 10, Wanted: 2,
			Strategy: course(10, 1, 2), BreadthFirst: course(10, 9, 10), Random: []Course{course(10, 4, 6), course(10, 5, 7)},
		})
	}
	r.Folds = append(r.Folds, HeldBack{Pages: 12, Useful: 1, BreadthFirst: course(0), Random: []Course{course(0), course(0)}})
	return r
}

func TestSum(t *testing.T) {
	s := rehearsed(3).Sum()
	if s.Useful != 10 || s.Wanted != 6 || s.New != 30 || s.Against != "breadth-first" {
		t.Errorf("%+v", s)
	}
	// By the definition, the mean recall after 1 to 10 pages: (.5+9·1)/10, (.5+1)/10, and so on.
	for name, c := range map[string][2]float64{
		"strategy": {s.Area.Value, .95}, "in order": {s.BreadthFirst.Value, .15}, "by lot": {s.Random.Value, (.5*2 + 5 + .5*2 + 4) / 20}, "better": {s.Better.Value, .8},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s: %f, want %f", name, c[0], c[1])
		}
	}
	if s.Area.N != 3 || s.Clearly() != 0 || s.Sure() {
		t.Errorf("%d parts, %+v", s.Area.N, s.Better)
	}
	if s := rehearsed(EnoughRehearsed / 2).Sum(); s.Clearly() != 1 || !s.Sure() {
		t.Errorf("of %d pages: %+v", s.Wanted, s.Better)
	}
	if got := rehearsed(3).After(.5); got != (Found{6, 0, 3}) {
		t.Errorf("after half: %+v", got)
	}
	if got := rehearsed(3).After(1); got != (Found{6, 6, 6}) {
		t.Errorf("after all: %+v", got)
	}
}

// same has parts that the strategy and the order in which links are found crawl alike.
func same(parts int) *Rehearsal {
	r := rehearsed(parts)
	for i := range r.Folds {
		r.Folds[i].Strategy = r.Folds[i].BreadthFirst
	}
	return r
}

func TestRehearsalVerdict(t *testing.T) {
	swapped := func(r *Rehearsal) *Rehearsal {
		for i := range r.Folds {
			f := &r.Folds[i]
			f.Strategy, f.BreadthFirst = f.BreadthFirst, f.Strategy
		}
		return r
	}
	const many = EnoughRehearsed / 2 // parts
	mixed := func() *Rehearsal {     // nearly half of the parts are the other way round
		r := rehearsed(many)
		swapped(&Rehearsal{Folds: r.Folds[:many/2-1]})
		return r
	}
	soon := rehearsed(many) // both find all useful pages in the first half
	for i := range many {
		soon.Folds[i].BreadthFirst = course(10, 4, 5)
	}
	plain := rehearsed(many)
	plain.Strategy = "breadth-first"
	halves := func(words string, own, other int) string {
		return fmt.Sprintf(words, own, 2*many, other)
	}
	const first, order, lot = "%d of %d hidden useful pages came in the first half; ", "in the order in which links are found, %d. ", "in random order, %d. "
	for _, c := range []struct {
		r    *Rehearsal
		want string
	}{
		{rehearsed(many), "Nights use link-value. In test crawls of your own pages, with parts of them hidden from it, " + halves(first+order, 2*many, 0) + "It finds them clearly earlier."},
		{swapped(rehearsed(many)), halves(first+order, 0, 2*many) + "In this test it was slower. Nights go farther than your own pages, so that this may not hold for them."},
		{soon, strings.Replace(halves(first+order, 2*many, 0), "half", "quarter", 1) + "It finds them clearly earlier."},
		{mixed(), halves(first+order, 2*(many-many/2+1), 2*(many/2-1)) + "In this test it was faster, but that may be chance."},
		{swapped(mixed()), "In this test it was slower, but that may be chance."},
		{plain, "Nights use breadth-first. In test crawls of your own pages, with parts of them hidden from it, " + halves(first+lot, 2*many, many) + "It finds them clearly earlier."},
		{rehearsed(4), "8 of 8 hidden useful pages came in the first half; in the order in which links are found, 0. In this test it was faster. 8 pages are too few to be sure."},
		{swapped(rehearsed(4)), "0 of 8 hidden useful pages came in the first half; in the order in which links are found, 8. In this test it was slower. 8 pages are too few to be sure."},
		{same(4), "In this test it was neither faster nor slower. 8 pages are too few to be sure."},
		{rehearsed(2), "Nights use link-value. Too little to tell how soon it finds useful pages: from your start pages, links lead to 4 of the 7 that were hidden from it. Mark more pages Useful, and reach them by links."},
		{&Rehearsal{Strategy: "crf", Why: "no page can be held back"}, "Nights use crf. It was not tested: no page can be held back."},
	} {
		if got := c.r.Verdict(); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
}

// TestRehearsedReport stores a report with a rehearsal, and refuses one that no crawls can have made.
func TestRehearsedReport(t *testing.T) {
	with := func(r *Rehearsal) (*Bundle, error) { b := tiny(); return b.WithReport(b.Report.Rehearsed(r)) }
	b, err := with(rehearsed(3))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(mustEncode(t, b))
	if err != nil || !reflect.DeepEqual(got.Report.Rehearsal.Sum(), b.Report.Rehearsal.Sum()) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, change := range map[string]func(*HeldBack){
		"more useful pages than pages":    func(h *HeldBack) { h.Useful = 13 },
		"more found than can be reached":  func(h *HeldBack) { h.Wanted = 1 },
		"found after the end":             func(h *HeldBack) { h.Random[1].At = []int{5, 11} },
		"found twice at once":             func(h *HeldBack) { h.Strategy.NewAt = []int{2, 2} },
		"found before the first page":     func(h *HeldBack) { h.BreadthFirst.At = []int{0, 10} },
		"more pages held back than there": func(h *HeldBack) { h.Strategy.New = 11 },
	} {
		r := rehearsed(3)
		r.Folds = slices.Clone(r.Folds)
		change(&r.Folds[1])
		if _, err := with(r); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if b := mustReport(t, tiny(), Unmeasured("the disk is full")); !strings.HasPrefix(b.Report.Verdict, "This could not be measured: the disk is full.") || b.Validate() != nil {
		t.Errorf("%+v, %v", b.Report, b.Validate())
	}
}

// TestVerdictNeedsFive holds that nothing is claimed from fewer than five useful pages.
func TestVerdictNeedsFive(t *testing.T) {
	r := &Report{Folds: 4, Reliability: []Band{{N: 20, Useful: .2}}, Rehearsal: rehearsed(3)}
	if got := verdict(r); !strings.HasPrefix(got, "Too little to tell: 4 useful pages") || strings.Contains(got, "link-value") {
		t.Errorf("with four useful pages: %q", got)
	}
	r.Reliability[0].Useful = .25
	if got := verdict(r); !strings.HasPrefix(got, "Nights use link-value. In test crawls") {
		t.Errorf("with five: %q", got)
	}
}

// TestEnoughRehearsed computes how often most of n useful pages are on the right side, when each is with probability 0.65.
func TestEnoughRehearsed(t *testing.T) {
	right := func(n int) float64 {
		sum := 0.0
		for k := range n + 1 {
			p := math.Exp(lnFactorial(n)-lnFactorial(k)-lnFactorial(n-k)) * math.Pow(.65, float64(k)) * math.Pow(.35, float64(n-k))
			switch {
			case 2*k > n:
				sum += p
			case 2*k == n:
				sum += p / 2
			}
		}
		return sum
	}
	for n, want := range map[int]float64{8: .80, 17: .90, 20: .91} {
		if got := right(n); math.Abs(got-want) > .005 {
			t.Errorf("of %d pages: %.3f, want %.2f", n, got, want)
		}
	}
	if right(EnoughRehearsed) < .9 || right(16) >= .9 {
		t.Errorf("of %d pages: %.3f; of 16: %.3f", EnoughRehearsed, right(EnoughRehearsed), right(16))
	}
}

func lnFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
