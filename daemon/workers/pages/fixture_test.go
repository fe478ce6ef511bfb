package pages

import (
	"testing"

	"go.uber.org/goleak"

	browse "nightjar/daemon/browse/pages"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newFixture makes a dashboard with the pages of this wing, and those of nights, which show the workers.
func newFixture(t testing.TB) *webtest.Site {
	t.Helper()
	return served.New(t, func(f *webtest.Site, s *web.Server) []frame.Wing {
		mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
		return []frame.Wing{mornings,
			browse.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Trainer: f.Trainer, Scheduler: f.Scheduler, Night: mornings.Night, Bus: s.Bus, Log: s.Log, Now: f.Now},
			night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: mornings},
			Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
			keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler, Examine: f.Examine}} // which the settings show
	}).Site
}
