// Package served makes dashboards for tests of the pages that wings bring. It is apart from webtest, since tests of package web use that.
package served

import (
	"embed"
	"html/template"
	"log/slog"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// Fixture is a dashboard with the pages of some wings, and a browser with a login.
type Fixture struct {
	*webtest.Site
	webtest.Demo // of a seeded store
	Server       *web.Server
}

// Wings are the wings of a dashboard.
type Wings = func(*webtest.Site, *web.Server) []frame.Wing

// New makes a dashboard with an empty store.
func New(t testing.TB, wings Wings) *Fixture {
	t.Helper()
	return At(t, storetest.Path(t), wings)
}

// Seed makes a dashboard with what the demo recorded, learned and crawled.
func Seed(t testing.TB, wings Wings) *Fixture {
	t.Helper()
	name, demo := webtest.Seed(t)
	f := At(t, name, wings)
	f.Demo = demo
	return f
}

// At makes a dashboard with the store of a file.
func At(t testing.TB, name string, wings Wings) *Fixture {
	t.Helper()
	f := &Fixture{Site: webtest.Open(t, name)}
	f.Server = With(t, f.Site, func(s *web.Server) []frame.Wing { return wings(f.Site, s) })
	return f
}

// With serves a site with the pages of some wings, and logs its browser in.
func With(t testing.TB, s *webtest.Site, wings func(*web.Server) []frame.Wing) *web.Server {
	t.Helper()
	server, err := web.New(t.Context(), web.Deps{
		Store: s.Store, Bus: &notify.Bus{}, Trainer: s.Trainer, Scheduler: s.Scheduler, Ingest: s.Ingest, WordNet: s.Library,
		Log: slog.New(slog.DiscardHandler), Listen: webtest.Listen, DataDir: s.Dir(), Now: s.Now,
		Wings: func(server *web.Server) []frame.Wing { return append([]frame.Wing{absent{}}, wings(server)...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Counts.Wait, server.Checks.Wait = time.Minute, time.Minute // tests want the numbers
	s.Serve(t, server)
	return server
}

// absent stands for the wings that a test leaves out: pages that show something of them can be parsed.
type absent struct{}

func (absent) Register(f *frame.Frame) {
	nothing := func(...any) any { return nil }
	f.Add(embed.FS{}, template.FuncMap{"archiveNow": nothing, "backupsNow": nothing, "workersNow": nothing}, func(error) string { return "" })
}
