package pages

import (
	"testing"

	"go.uber.org/goleak"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	morning "nightjar/daemon/morning/pages"
	"nightjar/daemon/night/tonight"
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
	f.server = served.With(t, f.Site, func(s *web.Server) []frame.Wing {
		mornings := morning.Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler}, Listen: s.Listen, Version: s.Version, Log: s.Log, Now: f.Now, Start: s.ShowStart}
		return []frame.Wing{mornings, Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: mornings},
			workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker}}
	})
	return f
}
