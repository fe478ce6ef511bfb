package communities

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
)

// KindOntology is maps.ReadDocument.Kind of what is an ontology. Its titles are paths of terms.
const KindOntology = "ontology"

// ErrNoOntologies is returned by NewOntology where there are none.
var ErrNoOntologies = errors.New("there is no ontology here: add one with " + terminal.Command("explore ontology add FILE"))

// NewOntology makes the map of an ontology without a document, [THESUS] §5.1 b: pages are looked for by the path from the root
// to each term, and the crawl around them follows links by the words of the ontology. The paths are the titles of a document
// and go through the same steps: with Options.Hold they wait for the person, who may change them before anything is sent.
// The errors are ErrNoOntologies, *OptionError, and one that wraps store.ErrNotFound when there is no such ontology.
func (m *Maker) NewOntology(ctx context.Context, name string, o maps.Options) (maps.Map, error) {
	if m.Ontologies == nil {
		return maps.Map{}, ErrNoOntologies
	}
	title, tree, err := m.Ontologies.TreeByName(ctx, name)
	if err != nil {
		return maps.Map{}, err
	}
	o.Strategy = strategy.ThematicName(title)
	if err := checkOptions(o); err != nil {
		return maps.Map{}, err
	}
	paths := Paths(tree)
	titles := cleanTitles(paths)
	facts := maps.ReadDocument{Kind: KindOntology, Named: document.Clean(title)}
	if left := len(paths) - len(titles); left > 0 {
		facts.Warnings = []maps.DocumentWarning{{
			What: fmt.Sprintf("the ontology has %s more than can be looked for", texts.Count(left, "path", "paths")),
			Next: "the terms that are farthest from the root were left out; put others in their place if these matter more",
		}}
	}
	hash := sha256.Sum256([]byte(strings.Join(paths, "\n")))
	doc := maps.Document{Key: "ontology:" + hex.EncodeToString(hash[:]), Title: facts.Named, Source: "ontology " + facts.Named}
	d, err := maps.AddDocument(ctx, m.Store.DB, doc, titles, facts)
	if err != nil {
		return maps.Map{}, err
	}
	made := maps.Map{
		Source: maps.FromDocument, Title: d.Title, Document: d.ID, Topic: d.Topic, Options: o, Step: maps.StepPages, State: maps.Working,
	}
	if o.Hold {
		made.Step, made.State = maps.StepTitles, maps.Waiting
	}
	return m.add(ctx, made)
}
