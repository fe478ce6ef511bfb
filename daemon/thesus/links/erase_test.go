package links_test

import (
	"slices"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// mustGrouping stores a finished grouping with descriptions of pages, by address, and words with the term t1, as package
// explore does, and returns its number.
func mustGrouping(t *testing.T, s *store.Store, scope string, scopeID int64, result string, of map[string]string, words ...string) (id int64) {
	t.Helper()
	storetest.OK(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO groupings (scope, scope_id, options, state, created_at, ended_at, result)
		VALUES (?, ?, '{}', 'done', 1, 2, ?) RETURNING id`, scope, scopeID, storetest.Must(store.Packed([]byte(result)))(t).Gzip).Scan(&id))
	for url, body := range of {
		storetest.Change(t, s, `INSERT INTO descriptions (grouping_id, page_id, body) SELECT ?, id, ? FROM link_page WHERE url = ?`, id, body, url)
	}
	for _, word := range words {
		storetest.Change(t, s, `INSERT INTO term_words (grouping_id, term, word, pages) SELECT ?, 't1', id, 1 FROM word WHERE word = ?`, id, word)
	}
	return id
}

// groupingState is what an erasure may change of a grouping.
type groupingState struct {
	State, Problem, Stale string
	Result                bool // it has one
}

func stateOf(t *testing.T, s *store.Store, id int64) (groupingState, error) {
	t.Helper()
	return db.Found(db.Fields[groupingState](s.Readers.QueryRowContext(t.Context(),
		`SELECT state, problem, stale, result IS NOT NULL FROM groupings WHERE id = ?`, id)))
}

// TestEraseHostLinks: nothing of a host is left in the file that came by links: from its pages, to its pages, words that only it
// used, descriptions with them, results, and what the person asked about it. What others said of others stays.
func TestEraseHostLinks(t *testing.T) {
	s, c := withCrawl(t)
	ctx := t.Context()
	of := map[string][]links.Link{
		"http://canary.test/":      {to("http://ice.test/", "canaryword", "ice"), to("http://www.canary.test/deep", "canarydeep")},
		"http://www.canary.test/x": {to("http://ice.test/", "canarysub")},
		"http://a.test/":           {to("http://canary.test/", "towardscanary"), to("http://snow.test/", "snow"), to("http://ice.test/", "ice")},
		"http://b.test/":           {to("http://snow.test/", "snow")},
	}
	n := 0
	for src := range of {
		n++
		storetest.Fetched(t, s, c.ID, n, src, src, "<p>"+src)
	}
	readLinks(t, s, of)
	storetest.Change(t, s, `UPDATE contents SET gzip = x'1f8b'`) // so that no word is in a content by chance
	about := mustGrouping(t, s, "all", 0, `{"label":"canarylabel"}`,
		map[string]string{"http://ice.test/": `{"words":[{"word":"canaryword","n":1}]}`, "http://snow.test/": `{}`}, "canaryword")
	on := mustGrouping(t, s, "topic", c.TopicID, `{}`, map[string]string{"http://canary.test/": `{}`})
	plain := mustGrouping(t, s, "crawl", c.ID, `{}`, map[string]string{"http://snow.test/": `{}`}, "snow")
	storetest.Change(t, s, `INSERT INTO saved_sets (name, expression, created_at) VALUES ('mine', '[http://Canary.test/]', 1), ('other', '[http://ice.test/]', 1)`)
	storetest.Change(t, s, `INSERT INTO operations (at, text) VALUES (1, 'crawl([canary.test], 2)'), (2, 'crawl([ice.test], 2)')`)
	storetest.Change(t, s, `INSERT INTO link_queue (url) VALUES ('http://canary.test/waits'), ('http://ice.test/')`)

	plan, err := erasing.PlanFor(ctx, s.DB, wings.Erasing, "canary.test")
	if err != nil || plan.Links != 4 || plan.Groups != 2 || plan.Empty() {
		t.Errorf("plan %+v, %v", plan, err)
	}
	storetest.Must(erasing.Host(ctx, s, wings.Erasing, "canary.test"))(t)
	wantGone(t, s, "canary")
	wantGone(t, s, "Canary")
	wantLinks(t, s, "erased", "a.test/ ice.test/: ice", "a.test/ snow.test/: snow", "b.test/ snow.test/: snow")
	for id, want := range map[int64]string{about: "failed", on: "failed", plain: "done"} {
		g, err := stateOf(t, s, id)
		if err != nil || g.State != want || (g.Stale != "") != (want == "failed") || (g.Problem != "") != (want == "failed") || g.Result != (want == "done") {
			t.Errorf("grouping %d is %+v, %v", id, g, err)
		}
	}
	if left, err := db.Query(ctx, s.Readers, db.ScanText, `SELECT name FROM saved_sets UNION ALL SELECT text FROM operations UNION ALL SELECT url FROM link_queue`); err != nil ||
		!slices.Equal(left, []string{"other", "crawl([ice.test], 2)", "http://ice.test/"}) {
		t.Errorf("left are %q, %v", left, err)
	}
	if plan, err := erasing.PlanFor(ctx, s.DB, wings.Erasing, "canary.test"); err != nil || !plan.Empty() {
		t.Errorf("left to erase: %+v, %v", plan, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestEraseSessionGroupings: the descriptions with words of a deleted session's pages go with it; one that is being made stays in
// the making.
func TestEraseSessionGroupings(t *testing.T) {
	s, c := withCrawl(t)
	ctx := t.Context()
	m := sessiontest.New(1)
	start, v := m.Start("Curling"), m.Visit("http://v.test/", "V", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>V</title>")))
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	readLinks(t, s, map[string][]links.Link{"http://v.test/": {to("http://ice.test/", "canaryword")}, "http://a.test/": {to("http://ice.test/", "ice")}})
	all := mustGrouping(t, s, "all", 0, `{}`, map[string]string{"http://ice.test/": `canaryword`}, "canaryword")
	again := mustGrouping(t, s, "crawl", c.ID, `{}`, map[string]string{"http://ice.test/": `canaryword`})
	storetest.Change(t, s, `UPDATE groupings SET state = 'working', ended_at = NULL WHERE id = ?`, again)
	of := mustGrouping(t, s, "session", 1, `{}`, nil)
	storetest.Must(sessions.Delete(ctx, s.DB, 1))(t)
	wantGone(t, s, "canary")
	wantLinks(t, s, "deleted", "a.test/ ice.test/: ice")
	for id, want := range map[int64]string{all: "failed", again: "working"} {
		if g, err := stateOf(t, s, id); err != nil || g.State != want {
			t.Errorf("grouping %+v, %v", g, err)
		}
	}
	if _, err := stateOf(t, s, of); err == nil {
		t.Error("the grouping of the session is still there")
	}
	storetest.Must(sessions.DeleteTopic(ctx, s.DB, c.TopicID))(t)
	wantLinks(t, s, "the topic was deleted")
	if n := count(t, s, `SELECT count(*) FROM groupings`); n != 1 {
		t.Errorf("%d groupings are left, want that of all pages", n)
	}
}

// TestEraseAllLinks: nothing is left of what links say.
func TestEraseAllLinks(t *testing.T) {
	s, c := withCrawl(t)
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	readLinks(t, s, map[string][]links.Link{"http://a.test/": {to("http://canary.test/", "canaryword")}})
	mustGrouping(t, s, "all", 0, `{"x":"canarylabel"}`, map[string]string{"http://canary.test/": `{}`}, "canaryword")
	storetest.OK(t, erasing.All(t.Context(), s))
	wantGone(t, s, "canary")
	for _, table := range []string{"link_page", "link", "word", "link_word", "link_queue", "ontologies", "ontology_edits",
		"groupings", "descriptions", "term_words", "saved_sets", "operations"} {
		if n := count(t, s, "SELECT count(*) FROM "+table); n > 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
}
