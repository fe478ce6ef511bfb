package links_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// graph is links in memory, by source, to compare with.
type graph map[string][]links.Link

// random makes links between pages of a few sites.
func randomGraph(rng *rand.Rand, pages, n int) graph {
	g := graph{}
	url := func() string {
		i := rng.IntN(pages)
		return fmt.Sprintf("http://www%d.site%d.test/%d", i%2, i%4, i)
	}
	for range n {
		l := links.Link{URL: url(), Pos: rng.IntN(1000)}
		for _, w := range []string{"ice", "rink", "puck", "goal", "skate", "curling"} {
			if rng.IntN(3) == 0 {
				l.Words = append(l.Words, links.Word{Word: w, N: 1 + rng.IntN(3)})
			}
		}
		if src := url(); src != l.URL {
			g[src] = append(g[src], l)
		}
	}
	return g
}

// sources are the pages, or sites, with a link to a page, all or those whose link has a word.
func (g graph) sources(dst, word string, bySite bool) map[string]bool {
	all := map[string]bool{}
	for src, of := range g {
		for _, l := range of {
			if l.URL == dst && (word == "" || slices.ContainsFunc(l.Words, func(w links.Word) bool { return w.Word == word })) {
				if bySite {
					all[weburl.Site(src)] = true
				} else {
					all[src] = true
				}
			}
		}
	}
	return all
}

func (g graph) pages() map[string]bool {
	all := map[string]bool{}
	for src, of := range g {
		for _, l := range of {
			all[src], all[l.URL] = true, true
		}
	}
	return all
}

// TestLinksAgainstBruteForce: on random graphs, stored in any order and some of it twice, all that is read equals what is counted
// in memory.
func TestLinksAgainstBruteForce(t *testing.T) {
	for seed := range uint64(effort.Seeds()) {
		rng := rand.New(rand.NewPCG(seed, 16))
		s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
		old, g := randomGraph(rng, 20, 100), randomGraph(rng, 20, 30+rng.IntN(150))
		fetched := map[string]bool{}
		n := 0
		for _, round := range []graph{old, g} {
			for url := range old.pages() {
				fetched[url] = true
			}
			for src := range round {
				fetched[src] = true
			}
			for url := range fetched {
				n++
				storetest.Fetched(t, s, c.ID, n, url, url, fmt.Sprint("<p>", url, " ", n))
			}
			readLinks(t, s, round)
		}
		for _, bySite := range []bool{false, true} {
			compareKeywords(t, s, g, bySite)
		}
		compareScopes(t, s, g, c, fetched)
	}
}

func compareKeywords(t *testing.T, s *store.Store, g graph, bySite bool) {
	t.Helper()
	got, want := map[string]map[string]int{}, map[string]map[string]int{}
	ids := map[int64]string{}
	for url := range g.pages() {
		p, err := links.PageByURL(t.Context(), s.DB, url)
		if err != nil || p.URL != url || p.Sources != len(g.sources(url, "", false)) {
			t.Fatalf("%s: %+v, %v", url, p, err)
		}
		ids[p.ID] = url
		compareSaid(t, s, g, p)
		for _, word := range []string{"ice", "rink", "puck", "goal", "skate", "curling"} {
			if n := len(g.sources(url, word, bySite)); n > 0 {
				if want[url] == nil {
					want[url] = map[string]int{}
				}
				want[url][word] = n
			}
		}
	}
	var list []int64
	for id := range ids {
		list = append(list, id, id)
	}
	words := storetest.Must(links.Keywords(t.Context(), s.DB, list, bySite))(t)
	for id, all := range words {
		got[ids[id]] = map[string]int{}
		for i, w := range all {
			got[ids[id]][w.Word] = w.N
			if i > 0 && (w.N > all[i-1].N || w.N == all[i-1].N && w.Word <= all[i-1].Word) {
				t.Errorf("%v are not in order", all)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 5 {
		t.Errorf("by site %v: %s", bySite, diff)
	}
}

// compareSaid compares the links to a page, as words with sources.
func compareSaid(t *testing.T, s *store.Store, g graph, p links.Page) {
	t.Helper()
	var got, want []string
	all, total, err := links.To(t.Context(), s.DB, p.ID, 1000)
	if err != nil || total != len(all) {
		t.Fatalf("%d of %d, %v", len(all), total, err)
	}
	for _, l := range all {
		got = append(got, fmt.Sprint(l.SourceURL, l.Pos, l.Words))
	}
	for src, of := range g {
		for _, l := range of {
			if l.URL == p.URL {
				words := []string{}
				for _, w := range l.Words {
					words = append(words, w.Word)
				}
				slices.Sort(words)
				want = append(want, fmt.Sprint(src, l.Pos, words))
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if part, n, err := links.To(t.Context(), s.DB, p.ID, 2); err != nil || n != total || len(part) != min(2, total) {
		t.Errorf("%d of %d, %v", len(part), n, err)
	}
}

func compareScopes(t *testing.T, s *store.Store, g graph, c crawls.Crawl, fetched map[string]bool) {
	t.Helper()
	for _, least := range []int{1, 2, 4} {
		for scope, of := range map[links.Scope]map[string]bool{links.AllPages: g.pages(), links.PagesOfCrawl: fetched, links.PagesOfTopic: fetched, links.PagesOfSession: {}} {
			var want, got []string
			for url := range of {
				if n := len(g.sources(url, "", false)); n >= least {
					want = append(want, fmt.Sprint(url, " ", n))
				}
			}
			id := map[links.Scope]int64{links.PagesOfCrawl: c.ID, links.PagesOfTopic: c.TopicID, links.PagesOfSession: 1}[scope]
			pages, few, err := links.Pages(t.Context(), s.DB, scope, id, least, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range pages {
				got = append(got, fmt.Sprint(p.URL, " ", p.Sources))
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" || few != len(of)-len(want) {
				t.Errorf("%s, least %d: %d fewer of %d: %s", scope, least, few, len(of), diff)
			}
		}
	}
}

// TestLinkPageTitles: the title is that of the page where it was visited or fetched, also before it was indexed.
func TestLinkPageTitles(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	storetest.Change(t, s, `UPDATE fetches SET title = 'Home of A'`)
	readLinks(t, s, graph{"http://a.test/": {to("http://b.test/", "ice")}})
	for url, want := range map[string]string{"http://a.test/": "Home of A", "http://b.test/": ""} {
		if p, err := links.PageByURL(t.Context(), s.DB, url); err != nil || p.Title != want {
			t.Errorf("%s: %+v, %v", url, p, err)
		}
	}
	if _, err := links.PageByID(t.Context(), s.DB, 999); err == nil || !strings.Contains(err.Error(), db.ErrNotFound.Error()) {
		t.Errorf("no such page: %v", err)
	}
	if _, _, err := links.Pages(t.Context(), s.DB, "planet", 1, 1, false); err == nil {
		t.Error("no error for an unknown scope")
	}
	if waiting, err := links.Waiting(t.Context(), s.DB, 10); err != nil || waiting != 0 {
		t.Errorf("%d wait, %v", waiting, err)
	}
	if pages, n, words, err := links.Counts(t.Context(), s.DB, 1<<40); err != nil || pages != 2 || n != 1 || words != 1 {
		t.Errorf("%d pages, %d links, %d words, %v", pages, n, words, err)
	}
}

// TestPageByURL: an address that redirects stands for the one where it leads.
func TestPageByURL(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	storetest.Fetched(t, s, c.ID, 1, "http://old.test/", "http://new.test/", "")
	storetest.Fetched(t, s, c.ID, 2, "http://a.test/", "http://a.test/", "<p>a")
	storetest.Fetched(t, s, c.ID, 3, "http://b.test/", "http://b.test/", "<p>b")
	readLinks(t, s, graph{"http://a.test/": {to("http://old.test/", "fetched")}, "http://b.test/": {to("http://old.test/", "again"), to("http://new.test/", "new")}})
	for _, url := range []string{"http://old.test/", "http://new.test/"} {
		if p, err := links.PageByURL(t.Context(), s.DB, url); err != nil || p.URL != "http://new.test/" || p.Sources != 2 {
			t.Errorf("%s: %+v, %v", url, p, err)
		}
	}
}

// TestLinksScanNoTable: what is done for each page, and what is read of one, reads no whole table.
func TestLinksScanNoTable(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	ctx := t.Context()
	m := sessiontest.New(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/set", "Ice", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>Ice</title>")))
	clear(all)
	readLinks(t, s, map[string][]links.Link{"http://ice.test/set": {to("http://b.test/", "rink")}})
	storetest.Change(t, s, `INSERT INTO link_queue (url, lost) VALUES ('http://ice.test/set', 1)`)
	storetest.Change(t, s, `INSERT INTO link_queue (url) VALUES ('http://b.test/')`)
	readLinks(t, s, map[string][]links.Link{"http://ice.test/set": {to("http://c.test/", "rink")}})
	p, err := links.PageByURL(ctx, s.DB, "http://c.test/")
	if err != nil || p.Sources != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, bySite := range []bool{false, true} {
		if words, err := links.Keywords(ctx, s.DB, []int64{p.ID}, bySite); err != nil || !maps.EqualFunc(words, map[int64][]links.Keyword{p.ID: {{"rink", 1}}}, slices.Equal) {
			t.Fatalf("%v, %v", words, err)
		}
	}
	if l, n, err := links.To(ctx, s.DB, p.ID, 5); err != nil || n != 1 || l[0].SourceTitle != "Ice" || l[0].SourceURL != "http://ice.test/set" || len(l[0].Hash) != 32 || l[0].Pos != 7 || !slices.Equal(l[0].Words, []string{"rink"}) {
		t.Fatalf("%+v, %d, %v", l, n, err)
	}
	if _, _, err := links.Pages(ctx, s.DB, links.PagesOfSession, 1, 1, false); err != nil {
		t.Fatal(err)
	}
	if len(all) < 15 {
		t.Fatalf("%d statements ran: the test proves little", len(all))
	}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(text, "PRAGMA ") || strings.Contains(text, "FROM link_queue") && strings.Contains(text, "LIMIT") {
			continue
		}
		args := all[text]
		if len(args) == 0 { // it was prepared
			args = make([]any, strings.Count(text, "?"))
		}
		for _, step := range plans.FullScans(t, s.Readers, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
