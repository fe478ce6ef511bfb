package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/model/logistic"
)

// busySession is a session whose pages all have a menu that leads to many far pages, as sites do: after any page a far
// one is likely. Of their words one in three is of their kind.
func busySession(pages int, seed uint64) TrainingSet {
	set := session(pages, seed)
	rng := rand.New(rand.NewPCG(seed, 6))
	for i := range set.Pages {
		var words []string
		for range 30 {
			of := topics[rng.IntN(len(topics))]
			if rng.IntN(3) == 0 {
				of = topics[i%len(topics)]
			}
			words = append(words, of[rng.IntN(len(of))])
		}
		set.Pages[i].Text = strings.Join(words, " ")
	}
	linked := map[[2]int]bool{}
	for _, e := range set.Edges {
		linked[e] = true
	}
	for u := range pages {
		for v := 3; v < pages; v += len(topics) {
			if e := [2]int{u, v}; u != v && !linked[e] {
				set.Edges = append(set.Edges, e)
			}
		}
	}
	return set
}

// rightEnds counts the ways from far away to a target, over pages that the bundle does not know, whose most likely
// states end at the target.
func rightEnds(b *Bundle, soft Soft, unseen TrainingSet) (right, ways int) {
	h := b.HMM()
	for i := 0; i+3 < len(unseen.Pages); i += len(topics) {
		var path [][]float64
		for kind := len(topics) - 1; kind >= 0; kind-- {
			path = append(path, soft.evidence(b.Features.Row(b.Words(unseen.Pages[i+kind].Text))))
		}
		states, _ := h.Viterbi(path)
		if ways++; states[len(states)-1] == 0 {
			right++
		}
	}
	return right, ways
}

// TestPowerMendsWays holds what the power is for: without it the transitions outweigh what the pages say.
func TestPowerMendsWays(t *testing.T) {
	trained := mustLearn(t, busySession(80, 1))
	b := trained.Bundle()
	timid := Soft{Weights: slices.Clone(b.Soft.Weights), Bias: slices.Clone(b.Soft.Bias), Prior: b.Soft.Prior}
	timid.sharpen(1 / trained.power)
	unseen := busySession(80, 99)
	before, ways := rightEnds(b, timid, unseen)
	after, _ := rightEnds(b, b.Soft, unseen)
	if trained.power <= 1 || after <= before || after < ways*9/10 {
		t.Errorf("at power %g %d of %d ways end where they should, at 1 %d", trained.power, after, ways, before)
	}
}

// TestFindPower: the power is one of those to choose from, the same each time, and 1 where nothing can be kept apart or
// where words say nothing of the state.
func TestFindPower(t *testing.T) {
	find := func(set TrainingSet) float64 {
		a, b := mustLearn(t, set), mustLearn(t, set)
		if a.power != b.power || !slices.Equal(a.Bundle().Soft.Weights, b.Bundle().Soft.Weights) {
			t.Errorf("of one session the powers are %g and %g", a.power, b.power)
		}
		if !slices.Contains(powers, a.power) {
			t.Errorf("the power is %g", a.power)
		}
		return a.power
	}
	for seed := range uint64(4) {
		find(busySession(40, seed))
	}
	same := session(40, 1)
	for i := range same.Pages { // pages of all kinds say what those of another kind do
		same.Pages[i].Text = same.Pages[(i/4)*4].Text
	}
	if p := find(same); p != 1 {
		t.Errorf("the power of words that tell nothing is %g", p)
	}
	lonely := session(4, 1)
	lonely.Edges = [][2]int{{3, 2}, {2, 1}, {1, 0}}
	if p := find(lonely); p != 1 {
		t.Errorf("with one page a state the power is %g", p)
	}
}

// TestKeptApart: each row is in one fold, the rows of a label are dealt evenly, and every fold leaves some to learn from.
func TestKeptApart(t *testing.T) {
	label := []int{0, 1, 1, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4}
	fold := keptApart(label, 5, 1)
	if !slices.Equal(fold, keptApart(label, 5, 1)) {
		t.Error("the same seed deals otherwise")
	}
	count := map[[2]int]int{} // label and fold
	for i, f := range fold {
		count[[2]int{label[i], f}]++
	}
	want := map[[2]int]int{{0, -1}: 1, {1, 0}: 1, {1, 1}: 1, {2, 0}: 3, {2, 1}: 2, {2, 2}: 2, {4, 0}: 1, {4, 1}: 1, {4, 2}: 1}
	for k, n := range want {
		if count[k] != n {
			t.Errorf("%d rows of label %d are in fold %d, want %d", count[k], k[0], k[1], n)
		}
	}
}

// TestSharpen: at power p the ratio of two states' probabilities is the p-th power of what it was, and a state without
// rows stays without.
func TestSharpen(t *testing.T) {
	page := logistic.Row{Index: []int32{0, 1}, Value: []float32{.6, .8}}
	s := Soft{Weights: []float32{1, -1, 0, .5, 2, 0}, Bias: []float64{.1, .3, 0}, Prior: []float64{.5, .5, 0}}
	before := s.probabilities(page)
	s.sharpen(2.5)
	after := s.probabilities(page)
	if got, want := after[0]/after[1], math.Pow(before[0]/before[1], 2.5); math.Abs(got/want-1) > 1e-6 { // weights are float32
		t.Errorf("the ratio is %g, want %g", got, want)
	}
	if after[2] != 0 || math.Abs(after[0]+after[1]-1) > 1e-12 {
		t.Errorf("probabilities %v", after)
	}
}

// TestFindPowerEnds: the search stops when its context ends.
func TestFindPowerEnds(t *testing.T) {
	trained := mustLearn(t, session(40, 1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := trained.whole()
	state := make([]int, len(s.target))
	for i := range state {
		state[i] = i % len(topics)
	}
	if _, err := trained.findPower(ctx, s, state); err != context.Canceled {
		t.Errorf("the search ended with %v", err)
	}
}
