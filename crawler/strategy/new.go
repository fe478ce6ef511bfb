package strategy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nightjar/model"
)

// Kind describes a strategy to people and creates it. Each strategy has one in its file and is listed in
// forPeople, compared or variants.
type Kind struct {
	Name    string
	Summary string                                                 // what it does, in one sentence without a subject
	Look    int                                                    // style of its line in all charts, from 0
	Needs   Need                                                   // what the model must have learned for it
	Best    string                                                 // what the best waiting link has over the others, a clause that follows "since"
	Measure string                                                 // unit of the values of links; "" for natural logarithms of the odds
	New     func(context.Context, *model.Bundle) (Strategy, error) // nil if it needs an ontology
}

func (k Kind) String() string { return k.Name + ": " + k.Summary }

// forPeople are the strategies that people choose among in Settings, roughly best first. hmm-soft is one of them since a
// topic's nights may settle on it; see Other.
var forPeople = []Kind{
	linkValueKind,
	hmmKind,
	hmmSoftKind,
	crfKind,
	contextGraphKind,
	thematicKind,
}

// compared are strategies that the others are compared with, roughly best first. Maps are crawled by naive-bayes, which needs
// a classifier that other topics lack.
var compared = []Kind{
	naiveBayesKind,
	bestClassifierKind,
	acheKind,
	bestFirstKind,
	breadthFirstKind,
	randomKind,
}

// kinds are all strategies but the variants.
var kinds = slices.Concat(forPeople, compared)

// variants are strategies with unusual options, for comparison.
var variants = []Kind{hmmPaperKind, naiveBayesPaperKind}

// retired are the names of strategies that earlier versions had. Settings and crawls that name one are led by Best.
var retired = []string{"best-first-tfidf", "context-graph:posterior", "context-graph:backlinks", "context-graph:literal", "naive-bayes:odds", "naive-bayes:posterior", "crf-printed"}

// Auto means the best strategy by benchmarks in this version of the program: Best.
const (
	Auto = "auto"
	Best = "link-value"
)

// Choose returns Best for Auto, "" and retired names, and any other name unchanged.
func Choose(name string) string {
	if name == Auto || name == "" || slices.Contains(retired, name) {
		return Best
	}
	return name
}

// Other returns the best strategy by benchmarks that needs no more than a model and is not the given one: what a second
// strategy of a crawl is, unless the person chooses it.
func Other(name string) string {
	if Choose(name) == Best {
		return hmmSoftKind.Name
	}
	return Best
}

// Kinds lists the strategies.
func Kinds() []Kind { return slices.Clone(kinds) }

// ForPeople lists the strategies that people choose among in Settings. Any other name that is Known keeps working where it was
// stored.
func ForPeople() []Kind { return slices.Clone(forPeople) }

// Names lists the names of the strategies.
func Names() []string { return namesOf(kinds) }

// Modelled lists the names of the strategies that need no more than a model.
func Modelled() []string {
	return namesOf(slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.Needs == Ontology }))
}

// Help lists the strategies for a person, one a line, and then the variants.
func Help() string {
	var lines strings.Builder
	for _, k := range slices.Concat(kinds, variants) {
		fmt.Fprintln(&lines, k)
	}
	return strings.TrimSpace(lines.String())
}

// Known reports whether NewWith knows a name: a strategy's, a variant's, or that of thematic with an ontology.
func Known(name string) bool {
	_, known := find(name)
	return known
}

// BestOf says what the best waiting link of a strategy has over the others, as a clause that follows "since"; "" for an
// unknown name.
func BestOf(name string) string {
	k, _ := find(Choose(name))
	return k.Best
}

// Measure says in what a strategy tells what links are worth.
func Measure(name string) string {
	k, _ := find(Choose(name))
	return cmp.Or(k.Measure, "natural logarithms of the odds")
}

func namesOf(list []Kind) []string {
	names := make([]string, len(list))
	for i, k := range list {
		names[i] = k.Name
	}
	return names
}

// find is the strategy or variant of a name. That of a retired one is Best.
func find(name string) (Kind, bool) {
	if kind, ontology, named := strings.Cut(name, ":"); named && kind == thematicKind.Name && strings.TrimSpace(ontology) != "" {
		return thematicKind, true
	}
	if slices.Contains(retired, name) {
		name = Best
	}
	for _, k := range slices.Concat(kinds, variants) {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// New makes the strategy of a name for a model. The error of an unknown name lists the known ones. When ctx ends first, what
// the strategy would learn from the session is left unfinished, and the error is ctx.Err().
func New(ctx context.Context, name string, b *model.Bundle) (Strategy, error) {
	return NewWith(ctx, name, b, nil)
}

// NewWith is New for any strategy; themes are for one that needs an ontology, and may be nil for others.
func NewWith(ctx context.Context, name string, b *model.Bundle, themes *Themes) (Strategy, error) {
	k, known := find(name)
	if !known {
		return nil, fmt.Errorf("unknown strategy %q: known are %s", name, strings.Join(Names(), ", "))
	}
	if b == nil {
		return nil, errors.New("no model")
	}
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("make strategy %s: %w", name, err)
	}
	if k.Needs == Ontology && themes != nil {
		return newThematic(name, b, themes), nil
	}
	if lacks := k.Needs.lacks(b); lacks != "" {
		return nil, fmt.Errorf("make strategy %s: %s", name, lacks)
	}
	s, err := k.New(ctx, b)
	if err != nil {
		return nil, fmt.Errorf("make strategy %s: %w", name, err)
	}
	return s, nil
}
