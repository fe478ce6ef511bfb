package strategy

import (
	"cmp"

	"nightjar/model"
)

// Need is what a strategy needs to crawl, beside what every model has: what the model must have learned, or an ontology.
type Need int

// What strategies need.
const (
	Nothing  Need = iota
	Ways          // model.Bundle.Ways
	Bayes         // model.Bundle.Bayes, multinomial
	Gaussian      // model.Bundle.Bayes, Gaussian
	Ontology      // Themes; no model has them
)

// Needs says what the strategy of a name needs; Nothing for an unknown name.
func Needs(name string) Need {
	k, _ := find(Choose(name))
	return k.Needs
}

// Lacks says in words why a model does not have what the strategy of a name needs, "" when it has it. No model has an
// ontology.
func Lacks(name string, b *model.Bundle) string { return Needs(name).lacks(b) }

const (
	otherPaper = "this model's classifier of pages is not the paper's: train it with the paper's settings, or crawl with naive-bayes"
	noOntology = "thematic needs an ontology: add one with nightjar explore ontology add FILE"
	onlyPaper  = "this model's classifier of pages is the paper's: train it without the paper's settings, or crawl with naive-bayes-paper"
)

// NoOntology says why a strategy has no ontology, and what helps.
type NoOntology struct{ Why string }

func (e *NoOntology) Error() string { return e.Why }

// ErrNoOntology is the NoOntology of a person who has none.
var ErrNoOntology = &NoOntology{noOntology}

func (n Need) lacks(b *model.Bundle) string {
	switch {
	case n == Ontology:
		return noOntology
	case n == Ways && b.Ways == nil && b.NoWays != "":
		return "this model learned nothing from ways: " + b.NoWays
	case n == Ways && b.Ways == nil:
		return "this model was trained by a version of nightjar that did not learn from ways: train the topic again"
	case (n == Bayes || n == Gaussian) && b.Bayes == nil:
		return "this model has no classifier of pages: " + cmp.Or(b.NoBayes, "it was trained by a version of nightjar that made none: train the topic again")
	case n == Bayes && b.Bayes.Gaussian():
		return onlyPaper
	case n == Gaussian && !b.Bayes.Gaussian():
		return otherPaper
	}
	return ""
}
