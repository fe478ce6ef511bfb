package model

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// course is a crawl that fetched so many pages held back and nothing else, with useful ones at these numbers.
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
	if s.Area.N != 3 || s.Clearly() != 1 {
		t.Errorf("%d parts, %+v", s.Area.N, s.Better)
	}
	if got := rehearsed(3).After(.5); got != (Found{6, 0, 3}) {
		t.Errorf("after half: %+v", got)
	}
	if got := rehearsed(3).After(1); got != (Found{6, 6, 6}) {
		t.Errorf("after all: %+v", got)
	}
}

func TestRehearsalVerdict(t *testing.T) {
	swapped := func(r *Rehearsal) *Rehearsal {
		for i := range r.Folds {
			f := &r.Folds[i]
			f.Strategy, f.BreadthFirst = f.BreadthFirst, f.Strategy
		}
		return r
	}
	mixed := func() *Rehearsal { // one part is the other way round
		r := rehearsed(3)
		swapped(&Rehearsal{Folds: r.Folds[:1]})
		return r
	}
	plain := rehearsed(3)
	plain.Strategy = "breadth-first"
	for _, c := range []struct {
		r    *Rehearsal
		want string
	}{
		{rehearsed(3), "Nights use link-value. In test crawls of your own pages, with parts of them hidden from it, 6 of 6 hidden useful pages came in the first half; in the order in which links are found, 0. It finds them clearly earlier."},
		{swapped(rehearsed(3)), "0 of 6 hidden useful pages came in the first half; in the order in which links are found, 6. It finds them clearly later. Another strategy in Settings may do better."},
		{mixed(), "4 of 6 hidden useful pages came in the first half; in the order in which links are found, 2. It seems to find them earlier, but that may be chance."},
		{swapped(mixed()), "It does not seem to find them earlier."},
		{plain, "Nights use breadth-first. In test crawls of your own pages, with parts of them hidden from it, 6 of 6 hidden useful pages came in the first half; in random order, 3. It finds them clearly earlier."},
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
