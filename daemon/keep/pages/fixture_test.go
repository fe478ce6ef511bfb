package pages

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	browse "nightjar/daemon/browse/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a dashboard with the pages of this wing, and of those that they lead to.
type fixture struct {
	*served.Fixture
	restarted int
}

func newFixture(t testing.TB) *fixture { return made(t, served.New) }

func seed(t testing.TB) *fixture { return made(t, served.Seed) }

func made(t testing.TB, serve func(testing.TB, served.Wings) *served.Fixture) *fixture {
	t.Helper()
	own := &fixture{}
	own.Fixture = serve(t, func(f *webtest.Site, s *web.Server) []frame.Wing {
		mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
		return []frame.Wing{mornings,
			browse.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Trainer: f.Trainer, Scheduler: f.Scheduler, Night: mornings.Night, Bus: s.Bus, Log: s.Log, Now: f.Now},
			Pages{Store: f.Store, Archive: f.Archive, Erasing: f.Erasing, EraseAll: f.EraseAll, Backups: f.Backups, Scheduler: f.Scheduler, Bus: s.Bus,
				DataDir: f.Dir(), Version: "test", Log: slog.New(slog.DiscardHandler), Now: f.Now, Examine: f.Examine, Restart: func() { own.restarted++ }},
			night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: mornings},
			workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
		}
	})
	return own
}
