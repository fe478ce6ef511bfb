// Package pages is the part of the dashboard about links, ontologies and WordNet.
package pages

import (
	"context"
	"embed"
	"errors"
	"html/template"
	"io"
	"maps"
	"net/http"
	"time"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of Explore, with what they show: groups of pages, operators, ontologies and WordNet.
type Pages struct {
	Store      *store.Store
	Explore    Explore
	Operators  *operators.Engine
	Ontologies *ontologies.Shelf
	WordNet    WordNet
	Now        func() time.Time
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
	digests digests
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{Frame: f, Pages: p}
	s.Add(templates, funcs, mistake)
	s.Uploads[ontologiesPath], s.Uploads[wordnetPath] = maxOntology, maxWordNetForm
	maps.Copy(s.Homes, map[string]string{
		"/explore/sets":                       "/explore/operators?q={q}",
		"/explore/sets/forget":                "/explore/operators",
		"/explore/ontologies/{ontology}/edit": "/explore/ontologies/{ontology}?term={term}",
		"/explore/ontologies/{ontology}/undo": "/explore/ontologies/{ontology}?term={term}",
		"/explore/ontologies/{ontology}/redo": "/explore/ontologies/{ontology}?term={term}",
	})

	s.Get(explorePath, s.handleExplore)
	s.Post(explorePath, s.handleGroup)
	s.Get("/explore/page", s.handleSaidAsk)
	s.Get("/explore/pages/{id}", frame.With(frame.PathID, s.handleSaid))
	s.Get("/explore/compare", s.handleCompare)
	s.Get("/explore/operators", s.handleOperators)
	s.Get("/explore/operators/export", s.handleOperatorsExport)
	s.Post("/explore/sets", s.handleSetSave)
	s.Post("/explore/sets/forget", s.handleSetForget)
	s.Get("/explore/{grouping}", frame.With(s.groupingOf, s.handleGrouping))
	s.Get("/explore/{grouping}/links", frame.With(s.groupingOf, s.handleGroupingLinks))
	s.Get("/explore/{grouping}/export", frame.With(s.groupingOf, s.handleGroupingExport))
	s.Post("/explore/{grouping}/again", frame.With(s.groupingOf, s.handleGroupingAgain))
	s.Post("/explore/{grouping}/stop", frame.Order(s.groupingID, s.Explore, Explore.Stop, groupingPath, "grouping-stopped"))
	s.Get("/explore/{grouping}/delete", frame.With(s.groupingOf, s.handleGroupingAsk))
	s.Post("/explore/{grouping}/delete", frame.Order(s.groupingID, s.Explore, Explore.Delete, frame.Always(explorePath), "grouping-deleted"))
	s.Get(wordnetPath, s.handleWordNet)
	s.Post(wordnetPath, s.handleWordNetAdd)
	s.Get("/explore/wordnet/get", s.handleWordNetAsk("wordnet-get", "Get WordNet"))
	s.Post("/explore/wordnet/get", s.handleWordNetGet)
	s.Post("/explore/wordnet/stop", s.handleWordNetStop)
	s.Get("/explore/wordnet/remove", s.handleWordNetAsk("wordnet-remove", "Remove WordNet"))
	s.Post("/explore/wordnet/remove", s.handleWordNetRemove)
	s.Get(ontologiesPath, s.handleOntologies)
	s.Post(ontologiesPath, s.handleOntologyNew)
	s.Get("/explore/ontologies/{ontology}", frame.With(s.ontologyOf, s.handleOntology))
	s.Get("/explore/ontologies/{ontology}/export", frame.With(s.ontologyOf, s.handleOntologyExport))
	s.Get("/explore/ontologies/{ontology}/delete", frame.Ask(s.Frame, s.ontologyOf, "ontology-delete", frame.Layout{Title: "Delete an ontology", Section: "explore"},
		func(o ontologies.Ontology) any { return o }))
	s.Post("/explore/ontologies/{ontology}/delete", frame.Order(s.ontologyID, s.Ontologies, (*ontologies.Shelf).Delete, frame.Always(ontologiesPath), "ontology-deleted"))
	s.Post("/explore/ontologies/{ontology}/name", frame.With(s.ontologyOf, s.handleOntologyName))
	s.Post("/explore/ontologies/{ontology}/edit", frame.With(s.ontologyOf, s.handleOntologyEdit))
	s.Post("/explore/ontologies/{ontology}/undo", s.handleOntologyStep((*ontologies.Shelf).Undo))
	s.Post("/explore/ontologies/{ontology}/redo", s.handleOntologyStep((*ontologies.Shelf).Redo))
}

// funcs are the functions of the templates.
var funcs = template.FuncMap{
	"console":     operatorsHref,
	"exploreTabs": exploreTabs,
	"took":        took,
	"exploreTurn": func(label, before, next string) turn { return turn{label, before, next} },
	"faultAt":     func(id string, f *faultView) faultIn { return faultIn{"fault-" + id, f} },
}

// mistake returns the text of an error about what a person asked for, and "" for any other error.
func mistake(err error) string {
	if fault, ok := errors.AsType[*operators.Fault](err); ok {
		return fault.Text
	}
	if _, ok := errors.AsType[*wordnet.Problem](err); ok || errors.Is(err, explore.ErrOptions) {
		return frame.Printable(err.Error())
	}
	return frame.FirstOf(err, explore.ErrNotReady, operators.ErrSetName, operators.ErrNoSet, operators.ErrManySets,
		ontologies.ErrOntologyName, ontologies.ErrOntologyTaken, ontologies.ErrOntologyMany)
}

// What paths name by a number.
func (s *server) groupingOf(r *http.Request) (explore.Grouping, error) {
	return frame.Numbered(r, "grouping", func(ctx context.Context, id int64) (explore.Grouping, error) {
		return explore.GroupingByID(ctx, s.Store.DB, id)
	})
}
func (s *server) ontologyOf(r *http.Request) (ontologies.Ontology, error) {
	return frame.Numbered(r, "ontology", s.Ontologies.Head)
}

// The numbers of those that are there.
func (s *server) groupingID(r *http.Request) (int64, error) {
	g, err := s.groupingOf(r)
	return g.ID, err
}
func (s *server) ontologyID(r *http.Request) (int64, error) {
	o, err := s.ontologyOf(r)
	return o.ID, err
}

// Explore groups pages by what links say about them; see explore.Maker.
type Explore interface {
	Group(ctx context.Context, r explore.Request) (explore.Grouping, error)
	Stop(ctx context.Context, id int64) error
	Delete(ctx context.Context, id int64) error
	Progress(id int64) explore.Progress

	View(ctx context.Context, id int64) (*explore.View, error)
	PageOf(ctx context.Context, groupingID, pageID int64) (*explore.PageView, error)
	Ask(ctx context.Context, groupingID int64, text string) (*explore.Answer, error)
	Export(ctx context.Context, id int64, kind string, w io.Writer) error
}

// WordNet is the dictionary by which words of links are compared; see wordnet.Library.
type WordNet interface {
	State() wordnet.State
	Offer() wordnet.Offer
	Download() wordnet.Download
	Start() error
	Stop()
	AddFile(ctx context.Context, name string, r io.Reader) error
	Remove(ctx context.Context) error
}
