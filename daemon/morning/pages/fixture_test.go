package pages

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	night "nightjar/daemon/night/pages"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a dashboard with the pages of this wing, and of those that they lead to.
type fixture struct{ *served.Fixture }

func seed(t testing.TB) *fixture { return &fixture{served.Seed(t, wingsOf)} }

func wingsOf(f *webtest.Site, s *web.Server) []frame.Wing {
	own := Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler},
		Listen: webtest.Listen, Version: "test", Log: s.Log, Now: f.Now, Start: s.ShowStart}
	return []frame.Wing{own,
		night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: own},
		workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
		keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler, Examine: f.Examine}} // which the settings show
}

// wing is the dashboard with the paths of each page of this wing.
func (s *fixture) wing() *webtest.Wing {
	return &webtest.Wing{Site: s.Site, Begins: []string{"/search", "/api"}, Paths: map[string][]string{"/search": {"/search?q=tidal", "/search?like=x"}, "/api": {"/api"}}}
}

func TestPagesAreMadeWell(t *testing.T) {
	s := seed(t)
	webtest.OneHeading(t, s.Site, "/search", "/api")
	webtest.Navigation(t, s.Site, map[string][2]string{"/search": {"Search", ""}})
	webtest.TablesTakeFocus(t, s.Server.Templates)
	webtest.Guarded(t, s.wing())
	webtest.GetsChangeNothing(t, s.wing(), strings.NewReplacer())
}
