package pages

import (
	"testing"

	"go.uber.org/goleak"

	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newFixture makes a dashboard with the pages of this wing, and those of nights, which show the workers.
func newFixture(t testing.TB) *webtest.Site {
	t.Helper()
	f := webtest.Open(t, storetest.Path(t))
	served.With(t, f, func(s *web.Server) []frame.Wing {
		return []frame.Wing{night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Dashboard: s},
			Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
			keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler}} // which the settings show
	})
	return f
}
