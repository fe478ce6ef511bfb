package themes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"nightjar/crawler/linktext"
	"nightjar/crawler/strategy"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// Shelf is where ontologies are; see ontologies.Shelf.
type Shelf interface {
	List(ctx context.Context) ([]ontologies.Ontology, error)
	ByName(ctx context.Context, name string) (ontologies.Ontology, error)
	Tree(ctx context.Context, id int64) (*ontology.Tree, error)
}

// Source makes themes of the ontologies on a shelf.
type Source struct {
	Shelf      Shelf
	WordNet    wordnet.Source // nil: there is none
	Navigation string         // file of words of navigation; those built in are used when there is no such file
	Log        *slog.Logger   // nil means slog.Default
}

// Themes returns the themes of the ontology of a name; "" means the only one. The error is a *strategy.NoOntology when there
// is none of that name, or when there is no name and not exactly one ontology.
func (s *Source) Themes(ctx context.Context, name string) (*strategy.Themes, error) {
	one, err := s.choose(ctx, name)
	if err != nil {
		return nil, err
	}
	tree, err := s.Shelf.Tree(ctx, one.ID)
	if errors.Is(err, store.ErrNotFound) { // it was deleted a moment ago
		return nil, none(one.Name)
	}
	if err != nil {
		return nil, err
	}
	return Of(one.Name, tree, wordnet.Of(s.WordNet), s.navigation()), nil
}

// Of makes themes of a tree. net is nil without WordNet, and navigation for the words built in.
func Of(name string, tree *ontology.Tree, net *wordnet.Net, navigation map[string]bool) *strategy.Themes {
	// Senses hold only for the net that gave them, so that the terms are made of the same one as the words.
	terms, _ := senses.NewTerms(tree, net)
	return strategy.NewThemes(name, tree, terms, net, navigation)
}

// choose finds the ontology of a name, or the only one.
func (s *Source) choose(ctx context.Context, name string) (ontologies.Ontology, error) {
	if name = strings.TrimSpace(name); name != "" {
		one, err := s.Shelf.ByName(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			return one, none(name)
		}
		return one, err
	}
	all, err := s.Shelf.List(ctx)
	switch {
	case err != nil:
		return ontologies.Ontology{}, err
	case len(all) == 0:
		return ontologies.Ontology{}, strategy.ErrNoOntology
	case len(all) > 1:
		return ontologies.Ontology{}, &strategy.NoOntology{Why: fmt.Sprintf("there are %d ontologies: name one, such as %s (%s lists all)",
			len(all), strategy.ThematicName(all[0].Name), terminal.Command("explore ontology"))}
	}
	return all[0], nil
}

// none says that there is no ontology of a name.
func none(name string) error {
	return &strategy.NoOntology{Why: fmt.Sprintf("there is no ontology %q: it was deleted or renamed; "+
		"%s lists those there are", name, terminal.Command("explore ontology"))}
}

// navigation reads the words of navigation that the person may have edited; nil means those built in.
func (s *Source) navigation() map[string]bool {
	if s.Navigation == "" {
		return nil
	}
	text, err := os.ReadFile(s.Navigation)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var words map[string]bool
	if err == nil {
		words, err = linktext.ParseNavigation(string(text))
	}
	if err != nil {
		log := s.Log
		if log == nil {
			log = slog.Default()
		}
		log.Warn("the words of navigation cannot be read; those built in are used", "file", s.Navigation, "error", err)
		return nil
	}
	return words
}
