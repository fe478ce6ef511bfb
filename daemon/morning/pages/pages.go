// Package pages is the part of the dashboard about finds, their marks and their files, about searching pages, and about programs that read.
package pages

import (
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"nightjar/crawler/archive"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/night/echo"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages of finds, of the search and of the API, with what they show.
type Pages struct {
	Store   *store.Store
	Bundles *models.Cache
	Archive *archive.Archive
	Echoes  Echoes
	Desk    *orders.Desk
	Night   tonight.Night
	Listen  string // address of the dashboard's listener, such as 127.0.0.1:4774
	Version string // of the program
	Log     *slog.Logger
	Now     func() time.Time
	Start   func(w http.ResponseWriter, r *http.Request, back string) error // shows the first steps at a path, while there is no find and no model
}

// Echoes says what marks change; see echo.Echoes.
type Echoes interface {
	Marked(topics []int64, since int64)
	Refused(site string, refused bool)
	Now() echo.Echo
	Forget()
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
}

// Register adds the pages to the dashboard.
func (p Pages) Register(f *frame.Frame) {
	s := &server{f, p}
	s.Add(templates, template.FuncMap{"likely": likely}, func(err error) string { return frame.FirstOf(err, orders.ErrLate) })
	s.Get("/", s.handleFinds)
	s.Post("/finds/{id}/mark", frame.With(frame.PathID, s.handleFindMark))
	s.Get("/finds/{id}", frame.With(frame.PathID, s.handleFind))
	s.Post("/finds/mark", s.handleFindsMark)
	s.Post("/finds/undo", s.handleFindsUndo)
	s.Post("/finds/seen", s.handleFindsSeen)
	s.Post("/finds/changed", s.handleChangesSeen)
	s.Get("/finds/{id}/copy", frame.With(frame.PathID, s.handleCopy))
	s.Get("/finds/export", s.handleFindsExport)
	s.Post("/finds/export", s.handleFindsExport)
	s.Post("/settings/sites/allow", s.handleSiteAllow)
	s.Get("/search", s.handleSearch)
	s.Get("/api", s.handleAPI)
	s.Get("/programs", s.handlePrograms)
	s.Post("/programs/{id}/yes", frame.With(frame.PathID, s.handleOrderYes))
	s.Post("/programs/{id}/no", frame.Order(frame.PathID, p.Desk, decline, frame.Always("/programs"), "order-declined"))
	s.Post("/programs/{id}/undo", frame.Order(frame.PathID, p.Desk, undoMark, frame.Always("/programs"), "order-undone"))
}
