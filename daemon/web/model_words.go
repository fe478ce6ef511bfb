package web

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"nightjar/model"
	modeltext "nightjar/model/text"
)

// wordsShown is how many words are listed of each kind.
const wordsShown = 20

// wordsView is what single words say to the judge and to the soft emission.
type wordsView struct {
	For     []weighed // speak for a useful page, strongest first
	Against []weighed
	States  []stateWords // the soft emission's, nearest state first; empty when it has none
}

// weighed is a word with the weight it has.
type weighed struct{ Word, Weight string }

// stateWords are the words that speak most for a state.
type stateWords struct {
	Name, Meaning string
	Words         []weighed
}

// wordsOf lists the most telling words of a model.
func wordsOf(b *model.Bundle) wordsView {
	var v wordsView
	spelled := spelling(b)
	terms := b.Features.Terms
	if len(b.Judge.Weights) == len(terms) {
		weight := func(i int) float64 { return float64(b.Judge.Weights[i]) }
		v.For = heaviest(terms, spelled, weight, 1)
		v.Against = heaviest(terms, spelled, weight, -1)
	}
	states := len(b.Transition)
	if len(terms) == 0 || len(b.Soft.Weights) != len(terms)*states {
		return v
	}
	for s := range states {
		list := heaviest(terms, spelled, func(i int) float64 { return float64(b.Soft.Weights[i*states+s]) }, 1)
		v.States = append(v.States, stateWords{Name: stateName(s), Meaning: stateMeaning(s, states), Words: list})
	}
	return v
}

// heaviest are the terms of largest sign·weight above 0, largest first, equal ones in the alphabet.
func heaviest(terms []string, spelled map[string]string, weight func(i int) float64, sign float64) []weighed {
	var order []int
	for i := range terms {
		if weight(i)*sign > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(sign*weight(j), sign*weight(i)), cmp.Compare(i, j)) })
	var all []weighed
	for _, i := range order[:min(wordsShown, len(order))] {
		word := cmp.Or(spelled[terms[i]], terms[i])
		all = append(all, weighed{word, signed(weight(i))})
	}
	return all
}

// spelling gives for a stem the word most often written for it, as far as the clusters' words tell it.
func spelling(b *model.Bundle) map[string]string {
	spelled := make(map[string]string)
	for _, c := range b.Clusters {
		for _, list := range [][]model.Word{c.LogOdds, c.MutualInformation} {
			for _, w := range list {
				if stem := modeltext.Stem(w.Word); stem != "" {
					spelled[stem] = w.Word
				}
			}
		}
	}
	return spelled
}

// signed writes a weight with its sign.
func signed(v float64) string {
	if v < 0 {
		return "−" + strconv.FormatFloat(-v, 'f', 2, 64)
	}
	return fmt.Sprintf("+%.2f", v)
}

// stateMeaning says what a state is.
func stateMeaning(s, states int) string {
	switch {
	case s == 0:
		return "useful pages"
	case s == states-1:
		return plural(s, "link", "links") + " or more away, or no way known"
	}
	return plural(s, "link", "links") + " away"
}
