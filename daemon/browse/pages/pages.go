// Package pages is the part of the dashboard about sessions and topics: their pages, milestones and start pages.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"nightjar/crawler/archive"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of sessions and topics, with what they show.
type Pages struct {
	Store     *store.Store
	Bundles   *models.Cache
	Archive   *archive.Archive
	Trainer   Trainer
	Scheduler Scheduler
	Night     tonight.Night
	Bus       *notify.Bus
	Log       *slog.Logger
	Now       func() time.Time
}

// Trainer trains topics in the background; see trainer.Trainer.
type Trainer interface {
	Submit(topicID int64)
	Cancel(topicID int64)
}

// Scheduler runs crawls; see scheduler.Scheduler.
type Scheduler interface {
	Apart(ctx context.Context, reason string, which func(crawls.Crawl) bool, do func() error) error // stops crawls, and runs do while none begins
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
	drawing sync.Mutex // of a large web graph
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{Frame: f, Pages: p}
	s.Add(templates, template.FuncMap{"turns": chart.WebTurns}, func(err error) string { return frame.FirstOf(err, mistakes...) })
	maps.Copy(s.Homes, homes)

	s.Get("/sessions", s.handleSessions)
	s.Post("/sessions/edit", s.handleSessionsEdit)
	s.Get("/sessions/{uuid}/edit", frame.With(s.session, s.handleSessionEdit))
	s.Post("/sessions/{uuid}/name", frame.With(s.session, s.handleSessionName))
	s.Post("/sessions/{uuid}/topic", frame.With(s.session, s.handleSessionMove))
	s.Post("/sessions/{uuid}/split", frame.With(s.session, s.handleSessionSplit))
	s.Get("/sessions/{uuid}/visits/delete", frame.With(s.session, s.handleVisitsAsk))
	s.Post("/sessions/{uuid}/visits/delete", frame.With(s.session, s.handleVisitsDelete))
	s.Get("/topics/{topic}/delete", frame.With(s.topic, s.handleTopicAsk))
	s.Post("/topics/{topic}/delete", frame.With(s.topic, s.handleTopicDelete))
	s.Post("/changes/{id}/undo", frame.With(frame.PathID, s.handleUndo))
	s.Get("/sessions/{uuid}", frame.With(s.session, s.handleSession))
	s.Get("/sessions/{uuid}/export", frame.With(s.session, s.handleSessionExport))
	s.Get("/sessions/{uuid}/delete", frame.Ask(s.Frame, s.session, "session-delete", frame.Layout{Title: "Delete a session", Section: "sessions"},
		func(one sessions.Session) any { return sessionPage{Session: one} }))
	s.Post("/sessions/{uuid}/delete", frame.With(s.session, s.handleSessionDelete))
	s.Post("/sessions/{uuid}/links", frame.With(s.session, s.handleSessionLink))
	s.Post("/sessions/{uuid}/milestone", frame.With(s.session, s.handleMilestone))
	s.Post("/topics/{topic}/milestones/rename", frame.With(s.topic, s.handleMilestoneRename))
	s.Post("/topics/{topic}/milestones/delete", frame.With(s.topic, s.handleMilestoneDelete))
	s.Post("/topics/{topic}/milestones/undo", frame.With(s.topic, s.handleMilestoneUndo))
	s.Post("/topics/combine", s.handleCombine)
	s.Get("/topics/{topic}/parts", frame.With(s.topic, s.handleParts))
	s.Post("/topics/{topic}/rename", frame.With(s.topic, s.handleRename))
	s.Post("/topics/{topic}/dissolve", frame.With(s.topic, s.handleDissolve))
	s.Post("/topics/{topic}/starts", frame.With(s.topic, s.handleStarts))
}

// homes are the pages of forms; see Frame.Homes.
var homes = map[string]string{
	"/sessions/{uuid}/milestone":        "/sessions/{uuid}?from={n}&name={n}",
	"/sessions/{uuid}/split":            "/sessions/{uuid}/edit",
	"/sessions/{uuid}/visits/delete":    "/sessions/{uuid}/edit",
	"/topics/{topic}/milestones/rename": "/model/{topic}",
	"/topics/{topic}/milestones/delete": "/model/{topic}",
	"/topics/{topic}/milestones/undo":   "/model/{topic}",
	"/topics/{topic}/rename":            "/topics/{topic}/parts",
	"/topics/{topic}/dissolve":          "/topics/{topic}/parts",
	"/topics/{topic}/starts":            "/sessions",
	"/topics/combine":                   "/model",
	"/changes/{id}/undo":                "/sessions",
}

// mistakes are the errors of other packages about the person's input.
var mistakes = []error{
	protocol.ErrNoName, protocol.ErrLongName, protocol.ErrNameTaken, topics.ErrNoMilestone, topics.ErrSameName, topics.ErrNotLast, sessions.ErrNoLink,
	topics.ErrName, topics.ErrTaken, topics.ErrFewMembers, topics.ErrMember, topics.ErrNotCombined, sessions.ErrSessionTitle, sessions.ErrSplitAt,
	sessions.ErrOneSession, sessions.ErrNotInSession, sessions.ErrLive, store.ErrNotUndone,
}

// tell tells the rest of the daemon and other open pages of a change; id is that of a session, or "".
func (s *server) tell(kind, id string) { s.Bus.Tell(notify.News{Kind: kind, ID: id}) }

// topic reads the topic that the path names by its number.
func (s *server) topic(r *http.Request) (topics.Topic, error) {
	return frame.Numbered(r, "topic", func(ctx context.Context, id int64) (topics.Topic, error) {
		return topics.ByID(ctx, s.Store.DB, id)
	})
}
