package cli

import (
	"context"
	"errors"
	"fmt"

	"nightjar/crawler/strategy"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/themes"
	"nightjar/daemon/thesus/wordnet"
)

// checkOntology refuses --ontology without a strategy that reads it, and with one that names another ontology.
func (o *crawlOptions) checkOntology() error {
	reads := false
	for _, name := range o.strategies {
		if strategy.Needs(name) != strategy.Ontology {
			continue
		}
		reads = true
		if named := strategy.OntologyOf(name); named != "" && o.ontology != "" {
			return command.Usagef("%s names an ontology of the data folder, and --ontology a file: name one of them", name)
		}
	}
	if o.ontology != "" && !reads {
		return command.Usagef("--ontology is for a strategy that follows links by an ontology: add --strategy thematic")
	}
	return nil
}

// themes is the ontology of a strategy, from a file or from the data folder; nil for a strategy that needs none.
func (o *crawlOptions) themes(ctx context.Context, env *command.Env, name string) (t *strategy.Themes, err error) {
	if strategy.Needs(name) != strategy.Ontology {
		return nil, nil
	}
	if err := o.config.Complete(env.Getenv); err != nil {
		return nil, err
	}
	words := wordnet.New(wordnet.Options{Dir: o.config.Data, Getenv: env.Getenv})
	if o.ontology != "" {
		t, report, err := readThemes(o.ontology, words.Net())
		for _, line := range report {
			fmt.Fprintf(env.Stderr, "lab: warning: %s: %s\n", o.ontology, line)
		}
		return t, err
	}
	st, err := app.ReadStore(ctx, o.config.Data)
	if err != nil {
		return nil, command.WithHint(err, "name a file with --ontology FILE, or the data folder that has the ontology with --data DIR")
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	from := themes.Source{Shelf: ontologies.New(st, words), WordNet: words, Navigation: app.NavigationWords(o.config.Data)}
	t, err = from.Themes(ctx, strategy.OntologyOf(name))
	if err != nil {
		err = command.WithHint(err, "or name a file with --ontology FILE")
	}
	return t, err
}
