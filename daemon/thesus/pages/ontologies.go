package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/ontologies"
	format "nightjar/daemon/thesus/ontology"
	"nightjar/daemon/web/frame"
)

// ontologiesPath lists the ontologies, and takes an uploaded one.
const ontologiesPath = "/explore/ontologies"

// maxOntology is the maximal size of a form with an ontology in bytes.
const maxOntology = format.MaxBytes + 1<<20

// ontologiesPage lists ontologies, and has the forms that make one.
type ontologiesPage struct {
	Ontologies []ontologies.Ontology
	Topics     []topics.Topic
	WordNet    bool
	Depth      ontologyNumber // of levels below a sense
	Terms      ontologyNumber // from a topic
}

// ontologyNumber is a number that a form asks for.
type ontologyNumber struct{ Usual, Most int }

func ontologyPath(id int64) string { return ontologiesPath + "/" + strconv.FormatInt(id, 10) }

func (s *server) handleOntologies(w http.ResponseWriter, r *http.Request) error {
	p := ontologiesPage{WordNet: s.Ontologies.HasWordNet(), Depth: ontologyNumber{ontologies.DefaultDepth, ontologies.MaxDepth},
		Terms: ontologyNumber{ontologies.DefaultTopicTerms, ontologies.MaxTopicTerms}}
	var err error
	if p.Ontologies, err = s.Ontologies.List(r.Context()); err != nil {
		return err
	}
	if p.Topics, err = topics.List(r.Context(), s.Store.DB); err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, "ontologies", frame.Layout{Title: "Ontologies", Section: "explore"}, p)
}

// importedPage says what was read of a file.
type importedPage struct {
	Ontology ontologies.Ontology
	Report   []string
}

// handleOntologyNew imports an ontology, or makes one of a sense of WordNet, of a topic, or an empty one.
func (s *server) handleOntologyNew(w http.ResponseWriter, r *http.Request) error {
	closed, err := s.ParseUpload(r, url.Values{"from": {"file"}},
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
		return s.Render(w, r, http.StatusOK, "ontology-imported", frame.Layout{Title: "Imported", Section: "explore"}, importedPage{o, report})
	}
	return frame.Done(w, r, ontologyPath(o.ID), "ontology-made")
}

func (s *server) newOntology(r *http.Request) (o ontologies.Ontology, report []string, err error) {
	ctx, form := r.Context(), r.PostForm
	name := strings.TrimSpace(form.Get("name"))
	switch form.Get("from") {
	case "wordnet":
		depth, err := wholeNumber(form.Get("depth"), ontologies.MaxDepth)
		if err != nil {
			return o, nil, frame.At("depth", err)
		}
		o, err = s.Ontologies.FromWordNet(ctx, name, form.Get("sense"), depth)
		return o, nil, aboutOntology(err, "sense")
	case "topic":
		terms, err := wholeNumber(form.Get("terms"), ontologies.MaxTopicTerms)
		if err != nil {
			return o, nil, frame.At("terms", err)
		}
		id, err := strconv.ParseInt(form.Get("topic"), 10, 64)
		if err != nil {
			return o, nil, frame.At("topic", frame.BadInput("choose a topic"))
		}
		o, err = s.Ontologies.FromTopic(ctx, name, id, terms)
		if errors.Is(err, store.ErrNotFound) {
			return o, nil, frame.At("topic", frame.BadInput("this topic was deleted meanwhile: choose another one"))
		}
		return o, nil, aboutOntology(err, "topic")
	case "nothing":
		o, err = s.Ontologies.NewEmpty(ctx, name)
		return o, nil, aboutOntology(err, "name")
	}
	_, body, err := frame.FormFile(r)
	if err != nil {
		return o, nil, frame.At("file", frame.BadInput("choose a file"))
	}
	o, report, err = s.Ontologies.Import(ctx, name, body, strings.TrimSpace(form.Get("language")))
	return o, report, aboutOntology(err, "file")
}

// wholeNumber reads a number from 1 on.
func wholeNumber(text string, most int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > most {
		return 0, frame.BadInput("write a whole number from 1 to " + chart.Number(most))
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
		return frame.At(field, frame.BadInput(frame.Printable(strings.Join(lines, "; ")+more)))
	case errors.Is(err, ontologies.ErrOntologyName), errors.Is(err, ontologies.ErrOntologyTaken):
		return frame.At("name", err)
	}
	return err
}

// handleOntologyName renames an ontology.
func (s *server) handleOntologyName(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	if err := s.Ontologies.Rename(r.Context(), o.ID, r.PostFormValue("name")); err != nil {
		return aboutOntology(err, "name")
	}
	return frame.Done(w, r, ontologyPath(o.ID), "ontology-named")
}

// handleOntologyExport sends an ontology as a file.
func (s *server) handleOntologyExport(w http.ResponseWriter, r *http.Request, o ontologies.Ontology) error {
	kind := cmp.Or(r.URL.Query().Get("format"), ontologies.Text)
	endings := map[string][2]string{ontologies.Text: {".txt", "text/plain"}, ontologies.NTriples: {".nt", "application/n-triples"}}
	ending, ok := endings[kind]
	if !ok {
		return frame.ErrNoPage
	}
	var out strings.Builder
	if err := s.Ontologies.Export(r.Context(), o.ID, kind, &out); err != nil {
		return frame.BadInput(frame.Printable(err.Error()))
	}
	return s.SendText(w, r, frame.FileName(o.Name)+ending[0], ending[1]+"; charset=utf-8", out.String())
}

// handleOntologyStep makes a handler that takes the newest edit back, or makes the one again that was taken back last.
func (s *server) handleOntologyStep(step func(*ontologies.Shelf, context.Context, int64) (bool, error)) frame.Handler {
	return frame.With(s.ontologyID, func(w http.ResponseWriter, r *http.Request, id int64) error {
		changed, err := step(s.Ontologies, r.Context(), id)
		if err != nil {
			return err
		}
		if !changed {
			return frame.BadInput("there is no such change any more")
		}
		return s.backToTree(w, r, id, r.PostFormValue("term"), "")
	})
}
