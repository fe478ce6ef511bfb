// Package served makes dashboards for tests of the pages that wings bring. It is apart from webtest, since tests of package web use that.
package served

import (
	"log/slog"
	"path/filepath"
	"testing"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// With serves a site with the pages of some wings, and logs its browser in.
func With(t testing.TB, s *webtest.Site, wings func(*web.Server) []frame.Wing) *web.Server {
	t.Helper()
	server, err := web.New(t.Context(), web.Deps{
		Store: s.Store, Bus: &notify.Bus{}, Trainer: s.Trainer, Scheduler: s.Scheduler, Ingest: s.Ingest, Echoes: s.Echoes, WordNet: s.Library,
		Log: slog.New(slog.DiscardHandler), Listen: webtest.Listen, DataDir: filepath.Dir(s.Store.Path()), Now: s.Now, Wings: wings,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	s.Serve(t, server)
	return server
}
