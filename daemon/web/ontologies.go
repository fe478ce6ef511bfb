package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/ontologies"
	format "nightjar/daemon/thesus/ontology"
)

// ontologiesPath lists the ontologies, and takes an uploaded one.
const ontologiesPath = "/explore/ontologies"

// maxOntology is the maximal size of a form with an ontology in bytes.
const maxOntology = format.MaxBytes + 1<<20

// ontologiesPage lists ontologies, and has the forms that make one.
type ontologiesPage struct {
	Ontologies []ontologies.Ontology
	Topics     []store.Topic
	WordNet    bool
	Depth      ontologyNumber // of levels below a sense
	Terms      ontologyNumber // from a topic
}

// ontologyNumber is a number that a form asks for.
type ontologyNumber struct{ Usual, Most int }

func ontologyPath(id int64) string { return ontologiesPath + "/" + strconv.FormatInt(id, 10) }

func (s *Server) handleOntologies(w http.ResponseWriter, r *http.Request) error {
	p := ontologiesPage{WordNet: s.Ontologies.HasWordNet(), Depth: ontologyNumber{ontologies.DefaultDepth, ontologies.MaxDepth},
		Terms: ontologyNumber{ontologies.DefaultTopicTerms, ontologies.MaxTopicTerms}}
	var err error
	if p.Ontologies, err = s.Ontologies.List(r.Context()); err != nil {
		return err
	}
	if p.Topics, err = s.Store.Topics(r.Context()); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "ontologies", layout{Title: "Ontologies", Section: "explore"}, p)
}

// importedPage says what was read of a file.
type importedPage struct {
	Ontology ontologies.Ontology
	Report   []string
}

// handleOntologyNew imports an ontology, or makes one of a sense of WordNet, of a topic, or an empty one.
func (s *Server) handleOntologyNew(w http.ResponseWriter, r *http.Request) error {
	closed, err := parseUpload(r, url.Values{"from": {"file"}},
		fmt.Sprintf("the file is larger than %d MiB; import a part of it", format.MaxBytes>>20), "choose a file")
	defer closed()
	if err != nil {
		return err
	}
	o, report, err := s.newOntology(r)
	if err != nil {
		return err
	}
	if len(report) > 1 {
		return s.render(w, r, http.StatusOK, "ontology-imported", layout{Title: "Imported", Section: "explore"}, importedPage{o, report})
	}
	return done(w, r, ontologyPath(o.ID), "ontology-made")
}

func (s *Server) newOntology(r *http.Request) (o ontologies.Ontology, report []string, err error) {
	ctx, form := r.Context(), r.PostForm
	name := strings.TrimSpace(form.Get("name"))
	switch form.Get("from") {
	case "wordnet":
		depth, err := wholeNumber(form.Get("depth"), ontologies.MaxDepth)
		if err != nil {
			return o, nil, at("depth", err)
		}
		o, err = s.Ontologies.FromWordNet(ctx, name, form.Get("sense"), depth)
		return o, nil, aboutOntology(err, "sense")
	case "topic":
		terms, err := wholeNumber(form.Get("terms"), ontologies.MaxTopicTerms)
		if err != nil {
			return o, nil, at("terms", err)
		}
		id, err := strconv.ParseInt(form.Get("topic"), 10, 64)
		if err != nil {
			return o, nil, at("topic", badInput{"choose a topic"})
		}
		o, err = s.Ontologies.FromTopic(ctx, name, id, terms)
		if errors.Is(err, store.ErrNotFound) {
			return o, nil, at("topic", badInput{"this topic was deleted meanwhile: choose another one"})
		}
		return o, nil, aboutOntology(err, "topic")
	case "nothing":
		o, err = s.Ontologies.NewEmpty(ctx, name)
		return o, nil, aboutOntology(err, "name")
	}
	file, _, err := r.FormFile("file")
	if err != nil {
		return o, nil, at("file", badInput{"choose a file"})
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	body, err := io.ReadAll(io.LimitReader(file, format.MaxBytes+1))
	if err != nil {
		return o, nil, fmt.Errorf("receive an ontology: %w", err)
	}
	o, report, err = s.Ontologies.Import(ctx, name, body, strings.TrimSpace(form.Get("language")))
	return o, report, aboutOntology(err, "file")
}

// wholeNumber reads a number from 1 on.
func wholeNumber(text string, most int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > most {
		return 0, badInput{"write a whole number from 1 to " + number(most)}
	}
	return n, nil
}

// aboutOntology makes a badInput of the errors of ontologies that are about what the person asked for. field is what they are
// about, unless it is the name.
func aboutOntology(err error, field string) error {
	var wrong ontologies.Problem
	switch {
	case errors.As(err, &wrong):
		const shown = 5 // of the faults of a file
		lines := strings.Split(wrong.Error(), "\n")
		more := ""
		if len(lines) > shown {
			more = fmt.Sprintf("; and %d more", len(lines)-shown)
			lines = lines[:shown]
		}
		return at(field, badInput{printable(strings.Join(lines, "; ") + more)})
	case errors.Is(err, ontologies.ErrOntologyName), errors.Is(err, ontologies.ErrOntologyTaken):
		return at("name", err)
	}
	return err
}

// handleOntologyName renames an ontology.
func (s *Server) handleOntologyName(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	if err := s.Ontologies.Rename(r.Context(), o.ID, r.PostFormValue("name")); err != nil {
		return aboutOntology(err, "name")
	}
	return done(w, r, ontologyPath(o.ID), "ontology-named")
}

// handleOntologyExport sends an ontology as a file.
func (s *Server) handleOntologyExport(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	kind := cmp.Or(r.URL.Query().Get("format"), ontologies.Text)
	endings := map[string][2]string{ontologies.Text: {".txt", "text/plain"}, ontologies.NTriples: {".nt", "application/n-triples"}}
	ending, ok := endings[kind]
	if !ok {
		return errNoPage
	}
	var out strings.Builder
	if err := s.Ontologies.Export(r.Context(), o.ID, kind, &out); err != nil {
		return badInput{printable(err.Error())}
	}
	return s.sendText(w, r, fileName(o.Name)+ending[0], ending[1]+"; charset=utf-8", out.String())
}

func (s *Server) ontologyRoutes(r chi.Router) {
	r.Get(ontologiesPath, s.page(s.handleOntologies))
	r.Post(ontologiesPath, s.page(s.handleOntologyNew))
	r.Get("/explore/ontologies/{ontology}", s.page(with(s.ontologyOf, s.handleOntology)))
	r.Get("/explore/ontologies/{ontology}/export", s.page(with(s.ontologyOf, s.handleOntologyExport)))
	r.Get("/explore/ontologies/{ontology}/delete", s.page(ask(s, s.ontologyOf, "ontology-delete", layout{Title: "Delete an ontology", Section: "explore"},
		func(o ontologies.Ontology) any { return o })))
	r.Post("/explore/ontologies/{ontology}/delete", s.page(order(s.ontologyID, s.Ontologies, (*ontologies.Shelf).Delete, always(ontologiesPath), "ontology-deleted")))
	r.Post("/explore/ontologies/{ontology}/name", s.page(with(s.ontologyOf, s.handleOntologyName)))
	r.Post("/explore/ontologies/{ontology}/edit", s.page(with(s.ontologyOf, s.handleOntologyEdit)))
	r.Post("/explore/ontologies/{ontology}/undo", s.page(s.handleOntologyStep((*ontologies.Shelf).Undo)))
	r.Post("/explore/ontologies/{ontology}/redo", s.page(s.handleOntologyStep((*ontologies.Shelf).Redo)))
}

// handleOntologyStep makes a handler that takes the newest edit back, or makes the one again that was taken back last.
func (s *Server) handleOntologyStep(step func(*ontologies.Shelf, context.Context, int64) (bool, error)) handler {
	return with(s.ontologyID, func(w http.ResponseWriter, r *http.Request, id int64) error {
		changed, err := step(s.Ontologies, r.Context(), id)
		if err != nil {
			return err
		}
		if !changed {
			return badInput{"there is no such change any more"}
		}
		return s.backToTree(w, r, id, r.PostFormValue("term"), "")
	})
}
