package web

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	browse "nightjar/daemon/browse/pages"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	learn "nightjar/daemon/learn/pages"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/orders"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// fixture is a dashboard with the pages of nights and models, to which its own lead, and a browser with a login.
type fixture struct {
	*Server
	*webtest.Site
}

// seeded is a dashboard with what the demo recorded, learned and crawled.
type seeded struct {
	*fixture
	webtest.Demo
}

// newFixture makes a dashboard over an empty store.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	return fixtureAt(t, storetest.Path(t))
}

// seed makes a dashboard over a seeded store. openings are of the command line.
func seed(t testing.TB, openings ...string) *seeded {
	t.Helper()
	name, demo := webtest.Seed(t)
	return &seeded{fixtureAt(t, name, openings...), demo}
}

func fixtureAt(t testing.TB, name string, openings ...string) *fixture {
	t.Helper()
	f := &fixture{Site: webtest.Open(t, name)}
	var err error
	f.Server, err = New(t.Context(), Deps{
		WordNet: f.Library,
		Store:   f.Store, Bus: &notify.Bus{}, Trainer: f.Site.Trainer, Scheduler: f.Site.Scheduler, Ingest: f.Site.Ingest,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Listen: webtest.Listen, DataDir: filepath.Dir(name),
		Extension: filepath.Join(filepath.Dir(name), "extension"),
		Version:   "test", Now: f.Now, Openings: openings,
		Wings: func(s *Server) []frame.Wing {
			mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Site.Archive, Echoes: f.Site.Echoes, Desk: &orders.Desk{Store: f.Store, Tokens: s.tokens, Runner: f.Site.Scheduler, Echoes: f.Site.Echoes, Bus: s.Bus}, Night: tonight.Night{Store: f.Store, Scheduler: f.Site.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
			sessions := browse.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Site.Archive, Trainer: f.Site.Trainer, Scheduler: f.Site.Scheduler, Night: mornings.Night, Bus: s.Bus, Log: s.Log, Now: f.Now}
			return []frame.Wing{sessions, mornings, night.Pages{Store: f.Store, Scheduler: f.Site.Scheduler, Bus: s.Bus, Log: s.Log, Openings: openings, Now: f.Now, Finds: mornings},
				learn.Pages{Store: f.Store, Bundles: f.Bundles, Trainer: f.Site.Trainer, Night: mornings.Night, Milestones: sessions, Log: s.Log},
				workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
				keep.Pages{Store: f.Store, Archive: f.Site.Archive, Erasing: f.Erasing, EraseAll: f.EraseAll, Backups: f.Backups, Scheduler: f.Site.Scheduler, Bus: s.Bus,
					DataDir: s.DataDir, Version: s.Version, Log: s.Log, Now: f.Now, Examine: f.Examine}}
		},
		Notices: &notice.Runner{Store: f.Store, Log: slog.New(slog.DiscardHandler), Now: f.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Server.Close)
	f.Counts.Wait, f.Checks.Wait = time.Minute, time.Minute // tests want the numbers
	f.Serve(t, f.Server)
	return f
}
