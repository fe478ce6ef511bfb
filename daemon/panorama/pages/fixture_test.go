package pages

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"nightjar/crawler/fetch"
	"nightjar/daemon/base/notify"
	browse "nightjar/daemon/browse/pages"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	learn "nightjar/daemon/learn/pages"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a dashboard with the pages of this wing.
type fixture struct {
	*webtest.Site
	webtest.Demo // of a seeded store
	server       *web.Server
	maps         *fakeMaps
	bookmarks    *bookmarks.Maker
	fetcher      fetch.Fetcher // of the pages of bookmarks; nil when nothing is fetched
}

// newFixture makes a dashboard with an empty store.
func newFixture(t testing.TB) *fixture {
	t.Helper()
	return fixtureAt(t, storetest.Path(t))
}

// seed makes a dashboard with what the demo recorded, learned and crawled.
func seed(t testing.TB) *fixture {
	t.Helper()
	name, demo := webtest.Seed(t)
	f := fixtureAt(t, name)
	f.Demo = demo
	return f
}

func fixtureAt(t testing.TB, name string) *fixture {
	t.Helper()
	f := &fixture{Site: webtest.Open(t, name)}
	f.maps = &fakeMaps{f: f}
	var err error
	if f.bookmarks, err = bookmarks.New(t.Context(), bookmarks.Deps{Store: f.Store, Web: fakeWeb{f.Scheduler, f}, Bus: &notify.Bus{}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Import: func(context.Context, io.Reader) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	f.server = served.With(t, f.Site, func(s *web.Server) []frame.Wing {
		mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
		sessions := browse.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Trainer: f.Trainer, Scheduler: f.Scheduler, Night: mornings.Night, Bus: s.Bus, Log: s.Log, Now: f.Now}
		nights := night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: mornings}
		return []frame.Wing{sessions, nights, learn.Pages{Store: f.Store, Bundles: f.Bundles, Trainer: f.Trainer, Night: mornings.Night, Milestones: sessions, Log: s.Log},
			mornings,
			workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
			keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler, Examine: f.Examine}, // which the settings show
			Pages{Store: f.Store, Maps: f.maps, Bookmarks: f.bookmarks, Bus: s.Bus, Echoes: f.Echoes, Crawls: nights, Finds: mornings, Night: mornings.Night, Dashboard: s}}
	})
	return f
}

// fakeWeb is a web from which nothing is fetched, unless a test has a fetcher.
type fakeWeb struct {
	webtest.Scheduler
	f *fixture
}

func (w fakeWeb) Borrow(context.Context) (fetch.Fetcher, func(), error) {
	if w.f.fetcher == nil {
		return nil, nil, errors.New("nothing is fetched")
	}
	return w.f.fetcher, func() {}, nil
}
