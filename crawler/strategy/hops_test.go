package strategy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHopsIsTheLikeliestWay tries every sequence of states of random paths.
func TestHopsIsTheLikeliestWay(t *testing.T) {
	b := bundle()
	rng := rand.New(rand.NewPCG(6, 8))
	n := len(b.Initial)
	for range 50 {
		path := make([][]float64, 1+rng.IntN(4))
		for i := range path {
			if i > 0 && rng.IntN(4) == 0 {
				continue // a page without an observation
			}
			path[i] = make([]float64, n)
			for j := range path[i] {
				path[i][j] = .01 + rng.Float64()
			}
		}
		best := math.Inf(-1)
		var want []int
		for code := range int(math.Pow(float64(n), float64(len(path)))) {
			states, p := make([]int, len(path)), 0.0
			for i := range states {
				states[i], code = code%n, code/n
				if i == 0 {
					p += math.Log(b.Initial[states[0]])
				} else {
					p += math.Log(b.Transition[states[i-1]][states[i]])
				}
				if path[i] != nil {
					p += math.Log(path[i][states[i]])
				}
			}
			if p > best {
				best, want = p, states
			}
		}
		if got := Hops(b, path); !slices.Equal(got, want) {
			t.Fatalf("%v for %v, want %v", got, path, want)
		}
	}
}

// TestHopsOfWhatIsNoPath: evidence comes from a store and may be of another model, or of none.
func TestHopsOfWhatIsNoPath(t *testing.T) {
	b, good := bundle(), []float64{.1, .2, .3, .4}
	for name, path := range map[string][][]float64{
		"none": {}, "silent pages": {nil, {}}, "of fewer states": {good, {.5, .5}}, "not a number": {good, {math.NaN(), 1, 1, 1}},
		"negative": {{-1, 1, 1, 1}}, "infinite": {{math.Inf(1), 1, 1, 1}}, "impossible": {good, {0, 0, 0, 0}},
	} {
		if got := Hops(b, path); got != nil {
			t.Errorf("%s: %v, want none", name, got)
		}
	}
	if got := Hops(b, [][]float64{{}, good, {}}); len(got) != 3 {
		t.Errorf("a path with silent pages: %v", got)
	}
}

func TestChoose(t *testing.T) {
	for name, want := range map[string]string{Auto: Best, "": Best, "hmm": "hmm", "no-such": "no-such"} {
		if got := Choose(name); got != want {
			t.Errorf("Choose(%q) = %q, want %q", name, got, want)
		}
	}
	if slices.Contains(Names(), Auto) || Names()[0] != Best {
		t.Errorf("Names() = %v, want the best first and no %q", Names(), Auto)
	}
}

// TestHopsOfAWay: along a path to a target, the number of links left falls to 0.
func TestHopsOfAWay(t *testing.T) {
	s := mustNew(t, "hmm-soft")
	rng := rand.New(rand.NewPCG(9, 8))
	for range 20 {
		var state []byte
		var path [][]float64
		for topic := len(topics) - 1; topic >= 0; topic-- {
			v := visit(words(rng, topic, 30), 1)
			v.Start, v.Parent = path == nil, state
			j := mustRead(s, v)
			state, path = j.Path, append(path, j.Evidence)
		}
		if got := Hops(bundle(), path); !slices.Equal(got, []int{3, 2, 1, 0}) {
			t.Errorf("links left on a path of three links: %v, of %v", got, path)
		}
	}
}
