package web

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/webtest"
	learn "nightjar/daemon/learn/pages"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/night/crawls"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// fixture is a dashboard with the pages of nights and models, to which its own lead, and a browser with a login.
type fixture struct {
	*Server
	*webtest.Site
	report doctor.Report
	limit  time.Duration // of the database check that was asked for
	forgot int           // times that the links of bookmarks were to be forgotten
}

// seeded is a dashboard with what the demo recorded, learned and crawled.
type seeded struct {
	*fixture
	webtest.Demo
}

// erasesNow erases a site before Begin returns.
type erasesNow struct{ f *fixture }

func (e erasesNow) Plan(ctx context.Context, host string) (erasing.Plan, error) {
	return erasing.PlanFor(ctx, e.f.Store.DB, wings.Erasing, host)
}

func (e erasesNow) Begin(ctx context.Context, host string) (erasing.Erasing, error) {
	eraser := erasing.New(erasing.Deps{Store: e.f.Store, Wings: wings.Erasing, Archive: e.f.Archive, Log: e.f.Log,
		Apart: func(ctx context.Context, do func() error) error {
			return e.f.Site.Scheduler.Apart(ctx, "a site was erased", func(crawls.Crawl) bool { return true }, do)
		}, Train: e.f.Site.Trainer.Submit})
	one, err := eraser.Begin(ctx, host)
	if err == nil {
		err = eraser.Erase(ctx, &one)
	}
	return one, err
}

// forgetful stands for what keeps the links of bookmarks.
type forgetful struct{ f *fixture }

func (b forgetful) Forget(context.Context) error {
	b.f.forgot++
	return nil
}

// everything erases everything.
func (f *fixture) everything() wings.Everything {
	return wings.Everything{
		Store: f.Store, Dir: f.DataDir, Archive: f.Archive, Troubles: f.Troubles, Bookmarks: forgetful{f}, Browsers: f.Site.Ingest, Results: f.Broker,
		Apart: func(ctx context.Context, do func() error) error {
			return f.Site.Scheduler.Apart(ctx, "everything was erased", func(crawls.Crawl) bool { return true }, do)
		},
	}
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
		WordNet: f.Library, Erasing: erasesNow{f},
		EraseAll: func(ctx context.Context) error { return f.everything().Erase(ctx) },
		Store:    f.Store, Bus: &notify.Bus{}, Trainer: f.Site.Trainer, Scheduler: f.Site.Scheduler, Ingest: f.Site.Ingest, Echoes: f.Site.Echoes,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Listen: webtest.Listen, DataDir: filepath.Dir(name),
		Extension: filepath.Join(filepath.Dir(name), "extension"),
		Examine:   func(_ context.Context, limit time.Duration) doctor.Report { f.limit = limit; return f.report },
		Version:   "test", Now: f.Now, Openings: openings,
		Wings: func(s *Server) []frame.Wing {
			return []frame.Wing{night.Pages{Store: f.Store, Scheduler: f.Site.Scheduler, Bus: s.Bus, Log: s.Log, Openings: openings, Now: f.Now, Dashboard: s},
				learn.Pages{Store: f.Store, Bundles: s.Bundles, Trainer: f.Site.Trainer, Night: s.night, Log: s.Log, Dashboard: s},
				workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker}}
		},
		Notices: &notice.Runner{Store: f.Store, Log: slog.New(slog.DiscardHandler), Now: f.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Server.Close)
	f.counts.wait, f.checks.wait = time.Minute, time.Minute // tests want the numbers
	f.Serve(t, f.Server)
	return f
}
