package pages

import (
	"cmp"
	"slices"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// Numbers of words listed for and against a useful page, and for each state.
const (
	wordsOfJudge = 20
	wordsOfState = 12
)

// wordsView lists the words with the largest weights in the judge and in the soft emission.
type wordsView struct {
	For     []weighed // for a useful page, largest weight first
	Against []weighed
	States  []stateWords // of the soft emission, nearest state first; empty without one
}

// Any reports whether there is a word to show.
func (v wordsView) Any() bool { return len(v.For)+len(v.Against)+len(v.States) > 0 }

type weighed struct{ Word, Weight string }

// stateWords are the words with the largest weights for a state.
type stateWords struct {
	Name, Meaning string
	Words         []weighed
}

// wordsOf lists the words with the largest weights of a model.
func wordsOf(b *model.Bundle) wordsView {
	var v wordsView
	terms := b.Features.Terms
	if len(b.Judge.Weights) == len(terms) {
		weight := func(i int) float64 { return float64(b.Judge.Weights[i]) }
		v.For = heaviest(b.Features, weight, 1, wordsOfJudge)
		v.Against = heaviest(b.Features, weight, -1, wordsOfJudge)
	}
	states := len(b.Transition)
	if len(terms) == 0 || len(b.Soft.Weights) != len(terms)*states {
		return v
	}
	for s := range states {
		list := heaviest(b.Features, func(i int) float64 { return float64(b.Soft.Weights[i*states+s]) }, 1, wordsOfState)
		v.States = append(v.States, stateWords{Name: stateName(s), Meaning: stateMeaning(s, states), Words: list})
	}
	return v
}

// heaviest returns the words of the count terms with the largest positive sign·weight, largest first, then by term.
func heaviest(f model.Features, weight func(i int) float64, sign float64, count int) []weighed {
	var order []int
	for i := range f.Terms {
		if weight(i)*sign > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(sign*weight(j), sign*weight(i)), cmp.Compare(i, j)) })
	var all []weighed
	for _, i := range order[:min(count, len(order))] {
		all = append(all, weighed{f.Written[i], frame.Signed(weight(i))})
	}
	return all
}

// stateMeaning describes a state.
func stateMeaning(s, states int) string {
	switch {
	case s == 0:
		return "useful pages"
	case s == states-1:
		return chart.Plural(s, "link", "links") + " or more away, or no path known"
	}
	return chart.Plural(s, "link", "links") + " away"
}
