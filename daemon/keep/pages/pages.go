// Package pages is the part of the dashboard about the data as a whole: backups, erasing, space, and the doctor.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"time"

	"nightjar/crawler/archive"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

//go:embed templates/*.html
var templates embed.FS

// Pages are the pages about the data, with what they show.
type Pages struct {
	Store     *store.Store
	Archive   *archive.Archive
	Erasing   Erasing
	EraseAll  func(context.Context) error // see wings.Everything
	Backups   Backups
	Scheduler tonight.Scheduler // knows the free space
	Bus       *notify.Bus
	Troubles  *trouble.Board
	DataDir   string // folder of the database and the archive
	Version   string // of the program
	Log       *slog.Logger
	Now       func() time.Time

	// Examine runs the doctor's checks. limit applies to the database check; see doctor.Options.
	Examine func(ctx context.Context, limit time.Duration) doctor.Report
	Restart func() // restarts the daemon, so that a checked backup is put in place; nil when a person must
}

// server answers requests for the pages.
type server struct {
	*frame.Frame
	Pages
	space space
}

// Register adds the pages to the dashboard. The settings show what the functions archiveNow and backupsNow say.
func (p Pages) Register(f *frame.Frame) {
	s := &server{Frame: f, Pages: p}
	p.addTo(f)
	s.Homes["/settings/erase"], s.Homes["/settings/copies/delete"] = "/settings", "/settings/erasing"

	s.Post("/settings/archive/prune", s.handlePrune)
	s.Get("/settings/backup", s.handleBackup)
	s.Post("/settings/backups/make", s.handleBackupMake)
	s.Uploads[restorePath] = maxBackup
	s.Post(restorePath, s.handleRestore)
	s.Post("/settings/restore/confirm", s.handleRestoreConfirm)
	s.Get("/settings/space", s.handleSpace)
	s.Get("/settings/erase", s.handleEraseAsk)
	s.Post("/settings/erase", s.handleErase)
	s.Get("/settings/erasing", s.handleErasing)
	s.Post("/settings/copies/delete", s.handleDeleteCopy)
	s.Post("/settings/erase-all", s.handleEraseAll)
	s.Get("/doctor", s.handleDoctor)
}

// addTo adds the templates to a frame.
func (p Pages) addTo(f *frame.Frame) {
	f.Add(templates, template.FuncMap{
		"eraseStep":  func(step string) string { return stepWords[step] },
		"copyKind":   func(kind string) string { return copyWords[kind] },
		"backupsNow": p.backupsNow,
		"archiveNow": func() (archive.Use, error) { return p.Archive.Use() },
	}, func(error) string { return "" })
}

// tell tells open pages that what the settings show changed.
func (p Pages) tell() { p.Bus.Tell(notify.News{Kind: "settings"}) }
