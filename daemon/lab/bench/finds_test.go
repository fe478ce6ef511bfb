package bench

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/model"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestJudged computes the figures of six pages by hand.
func TestJudged(t *testing.T) {
	var c tally
	for p, useful := range map[float64]bool{0: false, .1: true, .85: true, .9: false, .95: true, 1: true} {
		c.see(p, useful)
	}
	j := c.judged()
	if j.Pages != 6 || j.Useful != 4 || len(j.Bands) != 2 {
		t.Fatalf("%+v", j)
	}
	low, high := j.Bands[0], j.Bands[1]
	if low.N != 2 || !near(low.Said, .05) || !near(low.Useful, .5) || low.Low != 0 || !near(low.High, .2) {
		t.Errorf("lowest band %+v", low)
	}
	if high.N != 4 || !near(high.Said, .925) || !near(high.Useful, .75) || !near(high.Low, .8) || !near(high.High, 1) {
		t.Errorf("highest band %+v", high)
	}
	if want := (2*.45 + 4*.175) / 6; !near(j.Error, want) {
		t.Errorf("calibration error %v, want %v", j.Error, want)
	}
	if want := (0 + .81 + .0225 + .81 + .0025 + 0) / 6; !near(j.Brier, want) {
		t.Errorf("Brier score %v, want %v", j.Brier, want)
	}
	if none := (&tally{}).judged(); !reflect.DeepEqual(none, Judged{Bands: []model.Band{}}) {
		t.Errorf("of no pages: %+v", none)
	}
}

// TestPerfectJudge: whoever says 70 % of what is useful in 70 % of the cases has no error, but a Brier score.
func TestPerfectJudge(t *testing.T) {
	var c tally
	for i := range 1000 {
		c.see(.7, i%10 < 7)
	}
	if j := c.judged(); j.Error > 1e-9 || !near(j.Brier, .21) {
		t.Errorf("%+v", j)
	}
}

// TestFinds adds up two crawls, and two tasks to what all crawls together give.
func TestFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var trials []*trial
	var runs []*run
	for range 4 {
		s := &shown{}
		for range 50 {
			p := rng.Float64()
			f := &crawler.Fetch{Judgement: strategy.Judgement{Useful: p}, Relevant: p > .5}
			if rng.IntN(10) == 0 {
				f.NoFind = "it is a login"
			}
			useful := rng.Float64() < p
			s.see(f, useful, useful && rng.IntN(4) > 0)
		}
		trials, runs = append(trials, &trial{total: 20 + rng.IntN(20)}), append(runs, &run{Shown: s})
	}
	all := finds(trials, runs)
	if all.Crawls != 4 || all.Read.Pages != 200 || all.Shown.Pages < 60 || all.Shown.Pages > 120 || all.Shown.Bands[0].Low < .4-1e-9 {
		t.Fatalf("%+v", all)
	}
	found, total := 0, 0
	for i, run := range runs {
		found, total = found+run.Shown.Found, total+trials[i].total
	}
	if all.InReach != total || !near(all.Recall, float64(found)/float64(total)) || !near(all.Precision, float64(all.Shown.Useful)/float64(all.Shown.Pages)) {
		t.Errorf("%d of %d found, %+v", found, total, all)
	}
	sum := together([]*Finds{finds(trials[:1], runs[:1]), finds(trials[1:], runs[1:])})
	if sum.Crawls != all.Crawls || sum.InReach != all.InReach || !near(sum.Recall, all.Recall) || !near(sum.Precision, all.Precision) {
		t.Errorf("together %+v, all %+v", sum, all)
	}
	for _, pair := range [][2]Judged{{sum.Shown, all.Shown}, {sum.Read, all.Read}} {
		a, b := pair[0], pair[1]
		if a.Pages != b.Pages || a.Useful != b.Useful || !near(a.Error, b.Error) || !near(a.Brier, b.Brier) || len(a.Bands) != len(b.Bands) {
			t.Errorf("together %+v, all %+v", a, b)
		}
		for k := range a.Bands {
			if a.Bands[k].N != b.Bands[k].N || !near(a.Bands[k].Said, b.Bands[k].Said) || !near(a.Bands[k].Useful, b.Bands[k].Useful) {
				t.Errorf("band %d: together %+v, all %+v", k, a.Bands[k], b.Bands[k])
			}
		}
	}
	if together([]*Finds{all, nil}) != nil {
		t.Error("finds of a task that has none")
	}
}

// TestFindsOfACrawl reads a whole web: the pages of the session are neither shown nor counted, all others are read, and with
// all pages labelled whatever is shown is right.
func TestFindsOfACrawl(t *testing.T) {
	dir := madeUp(t)
	task := evenings(1)
	task.Strategies, task.Budget = []string{"breadth-first"}, 1000
	plain := mustRun(t, runner(t, dir), task, Free).named(t, "breadth-first").Finds
	if plain.Shown.Pages < 5 || plain.Shown.Pages > plain.Read.Pages/2 || plain.Precision <= .3 || plain.Recall <= .3 || plain.Crawls != 1 {
		t.Errorf("%+v", plain)
	}
	r := runner(t, dir)
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	trials, err := r.prepare(t.Context(), &task)
	if err != nil {
		t.Fatal(err)
	}
	web, err := r.library.web(t.Context(), task.Corpus, task.Starts)
	if err != nil {
		t.Fatal(err)
	}
	known := set(trials[0].Known)
	if fresh := len(web.Pages()) - web.Count(known); plain.Read.Pages != fresh || web.Count(known) < 20 {
		t.Errorf("%d pages were read, want %d: all %d without those of the session", plain.Read.Pages, fresh, len(web.Pages()))
	}
	write(t, dir, "one.labels.tsv", strings.Join(web.Pages(), "\ttopic\n")+"\ttopic\n")
	all := mustRun(t, runner(t, dir), task, Free).named(t, "breadth-first").Finds
	if all.Precision != 1 || all.Read.Useful != all.Read.Pages || all.Shown.Pages != plain.Shown.Pages || all.Recall >= 1 {
		t.Errorf("with all pages labelled: %+v", all)
	}
}
