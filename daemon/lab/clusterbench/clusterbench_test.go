package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/lab/bench"
	"nightjar/model"
	"nightjar/model/cluster"
	"nightjar/model/hmm"
)

// TestMain lets the test program run the jobs that a bench.Runner starts it for.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "job" {
		if err := bench.RunJob(context.Background(), os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The manner "trained" finds the clusters of a training, and its crawl is the benchmark's crawl of hmm.
func TestTrainedIsWhatATrainingDoes(t *testing.T) {
	suite, err := bench.LoadSuite("demo")
	if err != nil {
		t.Fatal(err)
	}
	if err := suite.Only([]string{"evening"}); err != nil {
		t.Fatal(err)
	}
	suite.Tasks[0].Seeds, suite.Tasks[0].Strategies, suite.Tasks[0].Feedback = []uint64{1}, []string{"hmm"}, bench.Feedback{}
	trained, err := parseManner("xmeans:trained")
	if err != nil {
		t.Fatal(err)
	}
	share := 0.0
	runner := &bench.Runner{Program: []string{os.Args[0], "job"}}
	err = runner.Grounds(t.Context(), suite, func(g *bench.Ground) error {
		s, err := new(reader).session(t.Context(), g)
		if err != nil {
			return err
		}
		b, err := model.Train(t.Context(), g.Set, s.settings, nil)
		if err != nil {
			return err
		}
		of, clusters := s.cluster(trained, trained.dims(s.singular))
		if clusters != b.Facts.Clusters {
			t.Errorf("%d clusters, a training finds %d", clusters, b.Facts.Clusters)
		}
		for i, p := range b.Pages {
			if of[i] != p.Cluster {
				t.Errorf("page %d is in cluster %d, after a training in %d", i, of[i], p.Cluster)
			}
		}
		share = s.measure(trained).share
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	measured, err := runner.RunSuite(t.Context(), suite, bench.Free)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range measured.Results[0].Strategies {
		if s.Name == "hmm" && math.Abs(s.AreaVsOracle-share) > 1e-9 {
			t.Errorf("%v of the oracle's area, the benchmark has %v", share, s.AreaVsOracle)
		}
	}
}

// Every step of a crawl takes the best link of all that were found, by a look at each of them.
func TestCrawlTakesTheBestLink(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s, h, evidence := random(rng, 5+rng.IntN(40))
		if got, want := s.crawl(h, evidence), s.slowCrawl(h, evidence); got != want {
			t.Errorf("seed %d: area %d, want %d", seed, got, want)
		}
	}
}

// random makes a web of n pages, some of them copies, a model of three states and what each page says of them.
func random(rng *rand.Rand, n int) (*session, *hmm.Model, func(int) []float64) {
	s := &session{task: &bench.Task{Budget: 1 + rng.IntN(n+5)}, links: make([][]int, n), starts: []int{0, n / 2}, relevant: make([]bool, n)}
	states, clusters, pages := make([]int, n), make([]int, n), make([]*fetched, n)
	var edges [][2]int
	for i := range n {
		s.relevant[i], states[i], clusters[i] = rng.IntN(4) == 0, rng.IntN(3), rng.IntN(4)
		pages[i] = &fetched{text: fmt.Sprint(rng.IntN(n))}
		for range rng.IntN(5) {
			if to := rng.IntN(n); to != i && !slices.Contains(s.links[i], to) {
				s.links[i], edges = append(s.links[i], to), append(edges, [2]int{i, to})
			}
		}
	}
	s.read = func(page int) *fetched { return pages[page] }
	h := hmm.Estimate(3, 4, states, clusters, edges, 0.1)
	return s, h, func(page int) []float64 { return h.Evidence(clusters[page]) }
}

// slowCrawl is crawl without a queue.
func (s *session) slowCrawl(h *hmm.Model, evidence func(int) []float64) (area int) {
	type known struct {
		page   int
		before []float64 // prediction of the page with the best link to it; nil for a start page
		worth  []int32
		done   bool
	}
	var all []*known
	first := []int32{2000, 0, 0}
	for _, start := range s.starts {
		all = append(all, &known{page: start, worth: first})
	}
	found, texts := 0, make(map[string]bool)
	for range s.task.Budget {
		var best *known
		for _, k := range all {
			if !k.done && (best == nil || slices.Compare(k.worth, best.worth) > 0) {
				best = k
			}
		}
		if best != nil {
			best.done = true
			prior := h.Initial
			if best.before != nil {
				prior = best.before
			}
			alpha, sum := make([]float64, 3), 0.0
			for j, e := range evidence(best.page) {
				alpha[j] = prior[j] * e
				sum += alpha[j]
			}
			for j := range alpha {
				alpha[j] /= sum
			}
			next := h.Predict(alpha)
			worth := make([]int32, 3)
			for j, p := range next {
				worth[j] = int32(math.Floor(p*1000 + 1e-6))
			}
			if text := s.read(best.page).text; texts[text] {
				worth = []int32{-1, -1, -1}
			} else {
				texts[text] = true
			}
			if s.relevant[best.page] {
				found++
			}
			for _, to := range s.links[best.page] {
				i := slices.IndexFunc(all, func(k *known) bool { return k.page == to })
				switch {
				case i < 0:
					all = append(all, &known{page: to, before: next, worth: worth})
				case !all[i].done && slices.Compare(worth, all[i].worth) > 0:
					all[i].before, all[i].worth = next, worth
				}
			}
		}
		area += found
	}
	return area
}

// Two clouds of unequal width and far apart are two clusters. Criteria with one variance for all may split the wider one.
func TestCriteriaPreferTheRightNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var points [][]float64
	for i := range 80 {
		width := 0.1 + 0.1*float64(i%2)
		points = append(points, []float64{3*float64(i%2) + width*rng.NormFloat64(), width * rng.NormFloat64(), width * rng.NormFloat64()})
	}
	for _, how := range []string{"own", "aic", "shared", "silhouette"} {
		find, err := parseHow(how)
		if err != nil {
			t.Fatal(err)
		}
		low := 1
		if how == "silhouette" { // of one cluster there is none
			low = 2
		}
		k := len(find(points, low, 4, rng).Centroids)
		if exact := how == "own" || how == "silhouette"; exact && k != 2 || k < 2 {
			t.Errorf("%s: %d clusters", how, k)
		}
	}
	one := cluster.KMeans(points, 1, rng)
	if got := ownVariance(points, one); math.Abs(got-one.BIC) > 1e-9*math.Abs(one.BIC) {
		t.Errorf("a variance for the only cluster gives %v, one for all %v", got, one.BIC)
	}
}

func TestKeptDimensions(t *testing.T) {
	singular := []float64{3, 2, 1, 1} // squared 9, 4, 1, 1
	for share, want := range map[float64]int{0.5: 1, 0.6: 1, 0.61: 2, 0.9: 3, 1: 4} {
		if got := kept(singular, share); got != want {
			t.Errorf("%v of the squares is in %d dimensions, want %d", share, got, want)
		}
	}
}

func TestWrongManners(t *testing.T) {
	for _, name := range []string{"", "xmeans", "xmeans:0", "xmeans:all:wide", "kmeans:all", "kmeans0:all", "best:all", "xmeans:kept0", "xmeans:half"} {
		var out, problems bytes.Buffer
		err := run(t.Context(), []string{"--suite", "demo", "--manners", name}, nil, &out, &problems)
		if err == nil || !strings.Contains(err.Error(), "--manners") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTablesCompareWithTheFirstManner(t *testing.T) {
	r := new(result)
	for i, shares := range [][]float64{{.2, .4, .3}, {.3, .3, .3}} {
		for seed, share := range shares {
			r.add(i, row{"group", "task", uint64(seed), measured{3 + i*seed, share, .5}})
		}
	}
	got := fmt.Sprint(r.tables([]*manner{{name: "a"}, {name: "b"}}, false)[0].Rows)
	want := "[[manner group] [a 0.300  +0 −0  0.50 bit  3×3] [b 0.300  +1 −1  0.50 bit  1×3 1×4 1×5]]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
