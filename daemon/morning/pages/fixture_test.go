package pages

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"nightjar/daemon/base/notify"
	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/morning/token"
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
	own := Pages{Store: f.Store, Bundles: f.Bundles, Archive: f.Archive, Echoes: f.Echoes, Desk: deskOf(f), Night: tonight.Night{Store: f.Store, Scheduler: f.Scheduler},
		Listen: webtest.Listen, Version: "test", Log: s.Log, Now: f.Now, Start: s.ShowStart}
	return []frame.Wing{own,
		night.Pages{Store: f.Store, Scheduler: f.Scheduler, Bus: s.Bus, Log: s.Log, Now: f.Now, Finds: own},
		workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
		keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler, Examine: f.Examine}} // which the settings show
}

// desk takes what programs ask for.
func (s *fixture) desk() *orders.Desk { return deskOf(s.Site) }

func deskOf(f *webtest.Site) *orders.Desk {
	return &orders.Desk{Store: f.Store, Tokens: token.NewKeeper(f.Store, f.Now), Runner: f.Scheduler, Echoes: f.Echoes, Bus: &notify.Bus{}}
}

// wing is the dashboard with the paths of each page of this wing.
func (s *fixture) wing() *webtest.Wing {
	return &webtest.Wing{Site: s.Site, Begins: []string{"/search", "/api", "/programs"}, Paths: map[string][]string{"/search": {"/search?q=tidal", "/search?like=x"}, "/api": {"/api"}, "/programs": {"/programs"}}}
}

func TestPagesAreMadeWell(t *testing.T) {
	s := seed(t)
	webtest.OneHeading(t, s.Site, "/search", "/api", "/programs")
	webtest.Navigation(t, s.Site, map[string][2]string{"/search": {"Search", ""}})
	webtest.TablesTakeFocus(t, s.Server.Templates)
	webtest.Guarded(t, s.wing())
	webtest.GetsChangeNothing(t, s.wing(), strings.NewReplacer())
}
