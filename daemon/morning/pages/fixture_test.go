package pages

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a dashboard with the pages of this wing, and with what the demo recorded, learned and crawled.
type fixture struct {
	*webtest.Site
	webtest.Demo
	server *web.Server
}

func seed(t testing.TB) *fixture {
	t.Helper()
	name, demo := webtest.Seed(t)
	f := &fixture{Site: webtest.Open(t, name), Demo: demo}
	f.server = served.With(t, f.Site, func(*web.Server) []frame.Wing { return []frame.Wing{Pages{Store: f.Store, Listen: webtest.Listen}} })
	return f
}

// wing is the dashboard with the paths of each page of this wing.
func (s *fixture) wing() *webtest.Wing {
	return &webtest.Wing{Site: s.Site, Begins: []string{"/search", "/api"}, Paths: map[string][]string{"/search": {"/search?q=tidal", "/search?like=x"}, "/api": {"/api"}}}
}

func TestPagesAreMadeWell(t *testing.T) {
	s := seed(t)
	webtest.OneHeading(t, s.Site, "/search", "/api")
	webtest.Navigation(t, s.Site, map[string][2]string{"/search": {"Search", ""}})
	webtest.TablesTakeFocus(t, s.server.Templates)
	webtest.Guarded(t, s.wing())
	webtest.GetsChangeNothing(t, s.wing(), strings.NewReplacer())
}
