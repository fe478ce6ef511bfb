package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/thesus/ontologies"
	format "nightjar/daemon/thesus/ontology"
)

// OntologyAction is what an OntologyRequest asks for.
type OntologyAction string

// The actions.
const (
	ListOntologies    OntologyAction = "list"
	AddOntology       OntologyAction = "add"
	OntologyOfWordNet OntologyAction = "from-wordnet"
	OntologyOfTopic   OntologyAction = "from-topic"
	ExportOntology    OntologyAction = "export"
	RenameOntology    OntologyAction = "rename"
	DeleteOntology    OntologyAction = "delete"
)

// OntologyRequest asks for something about ontologies. Name is that of the ontology: the one there is, or the one to be made.
type OntologyRequest struct {
	Do       OntologyAction
	Name     string
	File     []byte // AddOntology
	Language string // AddOntology; see ontologies.Shelf.Import
	Sense    string // OntologyOfWordNet
	Depth    int    // OntologyOfWordNet
	Topic    string // OntologyOfTopic; its name
	Terms    int    // OntologyOfTopic
	To       string // RenameOntology
	Kind     string // ExportOntology; see ontologies.Shelf.Export
}

// OntologyAnswer is the answer to an OntologyRequest.
type OntologyAnswer struct {
	List     []ontologies.Ontology // ListOntologies
	Ontology ontologies.Ontology   // the others; as it was for DeleteOntology
	Report   []string              // AddOntology: what was read and repaired, in sentences
	Text     string                // ExportOntology
}

// Ontologies carries out a request by the daemon that serves the data folder dir, or in this process if none does.
func Ontologies(ctx context.Context, dir string, r OntologyRequest) (answer *OntologyAnswer, err error) {
	defer machine.HoldMemory()() // a file may be large
	if err = Call(ctx, dir, "/control/ontologies", r, &answer); !errors.Is(err, ErrNotRunning) {
		return answer, err
	}
	if err := hasData(dir); err != nil && r.Do != AddOntology && r.Do != OntologyOfWordNet {
		return nil, err
	}
	err = withShelf(ctx, dir, slog.New(slog.DiscardHandler), func(a *App) error {
		answer, err = a.askShelf(ctx, r)
		return err
	})
	return answer, err
}

// newShelf makes the shelf of a running daemon: it tells the pages what changed.
func (a *App) newShelf() *ontologies.Shelf {
	shelf := ontologies.New(a.Store, a.WordNet)
	shelf.Changed = func(id int64) {
		a.Bus.Tell(notify.News{Kind: "ontology", ID: strconv.FormatInt(id, 10)})
		a.Bus.Tell(notify.News{Kind: "groupings"}) // those of the ontology are out of date
	}
	return shelf
}

// answerOntologies answers the requests of Ontologies.
func (a *App) answerOntologies(w http.ResponseWriter, r *http.Request) (any, error) {
	defer machine.HoldMemory()() // a file may be large
	var asked OntologyRequest
	const most = format.MaxBytes*4/3 + 1<<20 // with the rest of the request
	if err := decode(w, r, most, &asked); err != nil {
		return nil, err
	}
	return a.askShelf(r.Context(), asked)
}

func (a *App) askShelf(ctx context.Context, r OntologyRequest) (*OntologyAnswer, error) {
	var out OntologyAnswer
	shelf := a.Ontologies
	var err error
	switch r.Do {
	case ListOntologies:
		out.List, err = shelf.List(ctx)
	case AddOntology:
		out.Ontology, out.Report, err = shelf.Import(ctx, r.Name, r.File, r.Language)
	case OntologyOfWordNet:
		out.Ontology, err = shelf.FromWordNet(ctx, r.Name, r.Sense, r.Depth)
	case OntologyOfTopic:
		topic, terr := a.topicNamed(ctx, r.Topic)
		if terr != nil {
			return nil, terr
		}
		out.Ontology, err = shelf.FromTopic(ctx, r.Name, topic.ID, r.Terms)
	case ExportOntology, RenameOntology, DeleteOntology:
		if out.Ontology, err = shelf.ByName(ctx, r.Name); err != nil {
			return nil, command.WithHint(err, "%s lists the ontologies", terminal.Command("explore ontology"))
		}
		err = changeShelf(ctx, shelf, r, &out)
	default:
		err = fmt.Errorf("unknown request %q", r.Do)
	}
	if err != nil {
		return nil, err
	}
	return &out, nil
}

// changeShelf carries out a request on the ontology of an answer.
func changeShelf(ctx context.Context, shelf *ontologies.Shelf, r OntologyRequest, out *OntologyAnswer) error {
	switch id := out.Ontology.ID; r.Do {
	case RenameOntology:
		err := shelf.Rename(ctx, id, r.To)
		if err == nil {
			out.Ontology, err = shelf.Head(ctx, id)
		}
		return err
	case DeleteOntology:
		return shelf.Delete(ctx, id)
	default:
		var text bytes.Buffer
		err := shelf.Export(ctx, id, r.Kind, &text)
		out.Text = text.String()
		return err
	}
}
