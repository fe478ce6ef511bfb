// Package pages is the part of the dashboard about the next night, and about crawls.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"math"
	"net/http"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of nights and crawls, with what they show.
type Pages struct {
	Store     *store.Store
	Scheduler Scheduler
	Bus       *notify.Bus
	Log       *slog.Logger
	Openings  []string // --resolve and --allow-private of the command line, which the dashboard names
	Now       func() time.Time
	Finds     Finds
}

// Finds are the pages of finds.
type Finds interface {
	FindCards(ctx context.Context, finds []finds.View, back string) ([]any, error) // cards, for the template "find"
}

// Scheduler runs crawls; see scheduler.Scheduler.
type Scheduler interface {
	tonight.Scheduler
	RunNow(ctx context.Context, topicID int64, pages int) (crawlID int64, err error)
	Next(crawlID int64) (next []scheduler.NextLink, taught bool) // what a crawl follows soon
	Stop(ctx context.Context, crawlID int64, reason string) error
	Pause(ctx context.Context, crawlID int64) error
	Resume(ctx context.Context, crawlID int64) error
	GoOn(ctx context.Context, crawlID int64) error
	Preview(ctx context.Context, of scheduler.Previewed, n int) (scheduler.Preview, error)
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
	night    tonight.Night
	previews previews
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{Frame: f, Pages: p, night: tonight.Night{Store: p.Store, Scheduler: p.Scheduler}}
	s.Add(templates, funcs, mistake)
	s.Homes["/topics/{topic}/run"] = "/crawls"

	s.Post("/topics/{topic}/strategy", frame.With(s.topic, s.handleStrategy))
	s.Post("/topics/{topic}/strategy/undo", frame.With(s.topic, s.handleStrategyUndo))
	s.Get("/tonight", s.handleTonight)
	s.Post("/tonight", s.handleTonightSave)
	s.Post("/tonight/switch", s.handleTonightSwitch)
	s.Get("/tonight/{topic}/first", frame.With(s.topic, s.handleFirst))
	s.Get("/crawls", s.handleCrawls)
	s.Get("/crawls/{id}", frame.With(frame.PathID, s.handleCrawl))
	s.Post("/topics/{topic}/run", frame.With(s.topicID, s.handleRun))
	s.Post("/topics/{topic}/anew", frame.Order(s.topicID, s.Store.DB, startAnew, frame.Always("/crawls"), "anew"))
	s.Post("/topics/{topic}/anew/undo", frame.Order(s.topicID, s.Store.DB, goBack, frame.Always("/crawls"), "not-anew"))
	s.Post("/crawls/{id}/stop", frame.Order(frame.PathID, s.Scheduler, stopCrawl, crawlPath, "stopped"))
	s.Post("/crawls/{id}/pause", frame.Order(frame.PathID, s.Scheduler, Scheduler.Pause, crawlPath, "paused"))
	s.Post("/crawls/{id}/resume", frame.Order(frame.PathID, s.Scheduler, Scheduler.Resume, crawlPath, "resumed"))
	s.Post("/crawls/{id}/go-on", frame.Order(frame.PathID, s.Scheduler, Scheduler.GoOn, crawlPath, "goes-on"))
	s.Get("/crawls/{id}/hosts", frame.With(frame.PathID, s.handleLedger))
	s.Get("/crawls/{id}/hosts.csv", frame.With(frame.PathID, s.handleLedgerCSV))
}

// funcs are the functions of the templates.
var funcs = template.FuncMap{
	"outcome":   func(outcome string) string { return progress.OutcomeName(outcome, 0) },
	"rounded":   func(pages float64) string { return chart.Number(int(math.Round(pages))) },
	"startTick": func(topic int64, c tonight.Choice) tonight.Tick { return tonight.Tick{Topic: topic, Choice: c} },
}

// mistake returns the text of an error about what a person asked for, and "" for any other error.
func mistake(err error) string {
	return frame.FirstOf(err, scheduler.ErrNoStart, scheduler.ErrNoModel, scheduler.ErrBusy, crawls.ErrCannotGoOn)
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
