package pages

import (
	"testing"

	"go.uber.org/goleak"

	browse "nightjar/daemon/browse/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	morning "nightjar/daemon/morning/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a dashboard with the pages of this wing, and of those that they lead to.
type fixture struct{ *served.Fixture }

func newFixture(t testing.TB) *fixture { return &fixture{served.New(t, wingsOf)} }

func seed(t testing.TB) *fixture { return &fixture{served.Seed(t, wingsOf)} }

func wingsOf(f *webtest.Site, s *web.Server) []frame.Wing {
	mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
	return []frame.Wing{mornings,
		browse.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Trainer: f.Trainer, Scheduler: f.Scheduler, Night: mornings.Night, Bus: s.Bus, Log: s.Log, Now: f.Now},
		Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: mornings},
		workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker}}
}
