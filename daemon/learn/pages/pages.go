// Package pages is the part of the dashboard about models: what was learned of a topic, how sure it is, and teaching it.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of models, with what they show.
type Pages struct {
	Store      *store.Store
	Bundles    *models.Cache
	Trainer    Trainer
	Night      tonight.Night
	Milestones Milestones
	Log        *slog.Logger
}

// Milestones are the pages of milestones.
type Milestones interface {
	// MilestonesPart shows the milestones of a topic, by the template "milestones".
	MilestonesPart(ctx context.Context, topic topics.Topic, versions []*models.Model) (any, error)
}

// Trainer trains topics in the background; see trainer.Trainer.
type Trainer interface {
	Submit(topicID int64)
	Cancel(topicID int64)
	Status(topicID int64) trainer.Status
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{f, p}
	s.Add(templates, template.FuncMap{}, func(error) string { return "" })
	s.Homes["/topics/{topic}/train"], s.Homes["/topics/{topic}/train/stop"] = "/model/{topic}", "/model/{topic}"
	s.Homes["/topics/{topic}/linkers"] = "/model/{topic}/newest/graph"

	s.Post("/topics/{topic}/train", frame.Order(s.topicID, s.Trainer, train, protocol.ModelPath, "training"))
	s.Post("/topics/{topic}/train/stop", frame.Order(s.topicID, s.Trainer, stopTraining, protocol.ModelPath, "train-stopped"))
	s.Post("/topics/{topic}/linkers", frame.With(s.topic, s.handleLinkers))
	s.Get("/teach/{topic}", frame.With(s.topic, s.handleTeach))
	s.Post("/teach/{topic}/start", frame.With(s.topic, s.handleTeachStart))
	s.Post("/teach/{topic}/answer", frame.With(s.topic, s.handleTeachAnswer))
	s.Post("/teach/{topic}/undo", frame.With(s.topic, s.handleTeachUndo))
	s.Post("/teach/{topic}/learn", frame.With(s.topic, s.handleTeachLearn))
	s.Get("/model", s.handleModels)
	s.Get("/model/{topic}", frame.With(s.topic, s.handleModel))
	s.Get("/model/{topic}/{version}", frame.With(s.topic, s.handleModel))
	s.Get("/model/{topic}/{version}/{part}", frame.With(s.topic, s.handleModel))
}

// topic reads the topic that the path names by its number.
func (s *server) topic(r *http.Request) (topics.Topic, error) {
	return frame.Numbered(r, "topic", func(ctx context.Context, id int64) (topics.Topic, error) {
		return topics.ByID(ctx, s.Store.DB, id)
	})
}

// topicID is the number of the topic in the path, if it is there.
func (s *server) topicID(r *http.Request) (int64, error) {
	t, err := s.topic(r)
	return t.ID, err
}
