package pages

import (
	"testing"

	"go.uber.org/goleak"

	keep "nightjar/daemon/keep/pages"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
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
	explores     *fakeExplore
	words        *tinyWordNet
	wordnet      *fakeWordNet
	ontologies   *ontologies.Shelf
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
	f := &fixture{Site: webtest.Open(t, name), words: mustWordNet(t), wordnet: &fakeWordNet{}}
	f.explores, f.ontologies = &fakeExplore{f: f}, ontologies.New(f.Store, f.words)
	f.server = served.With(t, f.Site, func(s *web.Server) []frame.Wing {
		return []frame.Wing{Pages{Store: f.Store, Explore: f.explores, Operators: operators.New(f.Store, operators.Options{}),
			Ontologies: f.ontologies, WordNet: f.wordnet, Now: s.Now},
			workers.Pages{Store: f.Store, Bus: s.Bus, Leases: f.Leases, Broker: f.Broker},
			keep.Pages{Store: f.Store, Archive: f.Archive, Backups: f.Backups, Scheduler: f.Scheduler, Examine: f.Examine}} // which the settings show
	})
	return f
}
