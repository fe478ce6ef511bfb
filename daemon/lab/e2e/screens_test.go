package e2e

import (
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	browse "nightjar/daemon/browse/pages"
	keep "nightjar/daemon/keep/pages"
	learn "nightjar/daemon/learn/pages"
	morning "nightjar/daemon/morning/pages"
	night "nightjar/daemon/night/pages"
	panorama "nightjar/daemon/panorama/pages"
	"nightjar/daemon/store"
	thesus "nightjar/daemon/thesus/pages"
	"nightjar/daemon/web"
	"nightjar/daemon/web/frame"
	workers "nightjar/daemon/workers/pages"
)

// screen is a page of the dashboard.
type screen struct {
	name    string
	pattern string // its route
	path    string // a template of SQL strings: text between $( and ) is replaced by what the query answers
}

// screens are all pages of the dashboard. TestScreens holds them against its routes.
var screens = []screen{
	{"finds", "/", "/?state=all"},
	{"maybe", "/", "/?state=maybe"},
	{"find", "/finds/{id}", "/finds/$(SELECT min(id) FROM finds)"},
	{"copy", "/finds/{id}/copy", "/finds/$(SELECT min(id) FROM finds)/copy"},
	{"start", "/start", "/start"},
	{"bookmarks", "/bookmarks", "/bookmarks"},
	{"tonight", "/tonight", "/tonight"},
	{"first", "/tonight/{topic}/first", "/tonight/$(SELECT min(id) FROM topics)/first"},
	{"doctor", "/doctor", "/doctor"},
	{"teach", "/teach/{topic}", "/teach/$(SELECT min(id) FROM topics)"},
	{"search", "/search", "/search?q=tidal"},
	{"sessions", "/sessions", "/sessions"},
	{"session", "/sessions/{uuid}", "/sessions/$(SELECT uuid FROM sessions)"},
	{"session-edit", "/sessions/{uuid}/edit", "/sessions/$(SELECT uuid FROM sessions)/edit"},
	{"session-delete", "/sessions/{uuid}/delete", "/sessions/$(SELECT uuid FROM sessions)/delete"},
	{"topic-delete", "/topics/{topic}/delete", "/topics/$(SELECT min(id) FROM topics)/delete"},
	{"models", "/model", "/model"},
	{"model", "/model/{topic}", "/model/$(SELECT min(id) FROM topics)"},
	{"version", "/model/{topic}/{version}", "/model/$(SELECT min(id) FROM topics)/1"},
	{"model-sure", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/sure"},
	{"model-words", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/words"},
	{"model-graph", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/graph"},
	{"model-ways", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/ways"},
	{"model-versions", "/model/{topic}/{version}/{part}", "/model/$(SELECT min(id) FROM topics)/1/versions"},
	{"crawls", "/crawls", "/crawls"},
	{"crawl", "/crawls/{id}", "/crawls/$(SELECT min(id) FROM crawls)"},
	{"worker-remove", "/workers/{name}/remove", "/workers/$(SELECT min(name) FROM workers)/remove"},
	{"hosts", "/crawls/{id}/hosts", "/crawls/$(SELECT min(id) FROM crawls)/hosts"},
	{"communities", "/communities", "/communities"},
	{"map", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')"},
	{"map-titles", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'titles')"},
	{"map-pages", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'pages')"},
	{"map-crawl", "/communities/{map}", "/communities/$(SELECT min(id) FROM maps WHERE step = 'crawl')"},
	{"community", "/communities/{map}/{community}", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')/1"},
	{"map-page", "/communities/{map}/pages/{fetch}", "/communities/$(SELECT map_id || '/pages/' || fetch_id FROM map_pages WHERE community = 1 ORDER BY similarity DESC LIMIT 1)"},
	{"map-delete", "/communities/{map}/delete", "/communities/$(SELECT min(id) FROM maps WHERE state = 'done')/delete"},
	{"ontologies", "/explore/ontologies", "/explore/ontologies"},
	{"ontology", "/explore/ontologies/{ontology}", "/explore/ontologies/$(SELECT min(id) FROM ontologies)"},
	{"ontology-delete", "/explore/ontologies/{ontology}/delete", "/explore/ontologies/$(SELECT min(id) FROM ontologies)/delete"},
	{"wordnet", "/explore/wordnet", "/explore/wordnet"},
	{"wordnet-get", "/explore/wordnet/get", "/explore/wordnet/get"},
	{"wordnet-remove", "/explore/wordnet/remove", "/explore/wordnet/remove"},
	{"explore", "/explore", "/explore"},
	{"grouping", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)"},
	{"grouping-term", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)?term=sea"},
	{"grouping-answer", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)?q=turbine+weather"},
	{"grouping-failed", "/explore/{grouping}", "/explore/$(SELECT min(id) FROM groupings WHERE state = 'failed')"},
	{"grouping-links", "/explore/{grouping}/links", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/links?level=9&cluster=0"},
	{"grouping-delete", "/explore/{grouping}/delete", "/explore/$(SELECT min(id) FROM groupings WHERE ontology_id IS NOT NULL)/delete"},
	{"said-ask", "/explore/page", "/explore/page"},
	{"said", "/explore/pages/{id}", "/explore/pages/$(SELECT dst FROM link GROUP BY dst ORDER BY count(*) DESC LIMIT 1)"},
	{"compare", "/explore/compare", "/explore/compare?a=&b=topic:nowhere"},
	{"compared", "/explore/compare", "/explore/compare?a=&b="},
	{"operators", "/explore/operators", "/explore/operators"},
	{"operators-result", "/explore/operators", "/explore/operators?q=TAuthorities([],2,{})"},
	{"operators-fault", "/explore/operators", "/explore/operators?q=TAuthorities([],2,x"},
	{"settings", "/settings", "/settings"},
	{"space", "/settings/space", "/settings/space"},
	{"erase", "/settings/erase", "/settings/erase?host=$(SELECT host FROM fetches LIMIT 1)"},
	{"erasing", "/settings/erasing", "/settings/erasing"},
	{"api", "/api", "/api"},
	{"programs", "/programs", "/programs"},
	{"nowhere", "", "/nowhere"},
}

// notScreens are the routes that answer with something else than a page for people to look at, or with a page that another
// test looks at.
var notScreens = []string{
	"/static/{hash}/{name}", "/sessions/{uuid}/export", "/crawls/{id}/hosts.csv", "/settings/backup", "/events", "/finds/export",
	"/sessions/{uuid}/visits/delete", // TestData
	"/communities/{map}/report",      // TestCommunities
	"/explore/ontologies/{ontology}/export",
	"/explore/{grouping}/export", "/explore/operators/export", // TestExplore
	"/login",                // leads to the finds at once
	"/topics/{topic}/parts", // only of combined topics, of which the demonstration has none
}

// wings are those with pages, which are not shown.
func wings(s *web.Server) []frame.Wing {
	return []frame.Wing{night.Pages{Store: s.Store}, learn.Pages{Store: s.Store}, morning.Pages{}, panorama.Pages{}, thesus.Pages{}, workers.Pages{}, keep.Pages{}, browse.Pages{}}
}

// TestScreens: every page of the dashboard is in the gallery.
func TestScreens(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := web.New(t.Context(), web.Deps{Store: st, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Listen: "127.0.0.1:0", Wings: wings, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Clone(notScreens)
	for _, s := range screens {
		known = append(known, s.pattern)
	}
	routes := s.Pages()
	for _, pattern := range routes {
		if !slices.Contains(known, pattern) {
			t.Errorf("%s is in neither list: add it to screens, so that it is looked at", pattern)
		}
	}
	for _, pattern := range known {
		if pattern != "" && !slices.Contains(routes, pattern) {
			t.Errorf("%s is no route", pattern)
		}
	}
}

// set is a daemon with data to look at.
type set struct {
	name  string
	start func(*testing.T) *daemon
	empty bool
}

var (
	demo  = set{"demo", startKept, false}
	fresh = set{"fresh", func(t *testing.T) *daemon { return startDaemon(t, "127.0.0.1:1") }, true}
)

// screens are those that the set has data for.
func (s set) screens() []screen {
	if !s.empty {
		return screens
	}
	return slices.DeleteFunc(slices.Clone(screens), func(s screen) bool { return strings.Contains(s.path, "$(") })
}
