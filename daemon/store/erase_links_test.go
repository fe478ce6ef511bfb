package store

import (
	"slices"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
)

// mustGrouping stores a finished grouping with descriptions of pages, by address, and words with the term t1, as package
// explore does, and returns its number.
func mustGrouping(t *testing.T, s *Store, scope string, scopeID int64, result string, of map[string]string, words ...string) (id int64) {
	t.Helper()
	ok(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO groupings (scope, scope_id, options, state, created_at, ended_at, result)
		VALUES (?, ?, '{}', 'done', 1, 2, ?) RETURNING id`, scope, scopeID, must(Packed([]byte(result)))(t).Gzip).Scan(&id))
	for url, body := range of {
		s.mustExec(t, `INSERT INTO descriptions (grouping_id, page_id, body) SELECT ?, id, ? FROM link_page WHERE url = ?`, id, body, url)
	}
	for _, word := range words {
		s.mustExec(t, `INSERT INTO term_words (grouping_id, term, word, pages) SELECT ?, 't1', id, 1 FROM word WHERE word = ?`, id, word)
	}
	return id
}

// groupingState is what an erasure may change of a grouping.
type groupingState struct {
	State, Problem, Stale string
	Result                bool // it has one
}

func stateOf(t *testing.T, s *Store, id int64) (groupingState, error) {
	t.Helper()
	return db.Found(db.Fields[groupingState](s.Readers.QueryRowContext(t.Context(),
		`SELECT state, problem, stale, result IS NOT NULL FROM groupings WHERE id = ?`, id)))
}

// TestEraseHostLinks: nothing of a host is left in the file that came by links: from its pages, to its pages, words that only it
// used, descriptions with them, results, and what the person asked about it. What others said of others stays.
func TestEraseHostLinks(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	of := map[string][]Link{
		"http://canary.test/":      {to("http://ice.test/", "canaryword", "ice"), to("http://www.canary.test/deep", "canarydeep")},
		"http://www.canary.test/x": {to("http://ice.test/", "canarysub")},
		"http://a.test/":           {to("http://canary.test/", "towardscanary"), to("http://snow.test/", "snow"), to("http://ice.test/", "ice")},
		"http://b.test/":           {to("http://snow.test/", "snow")},
	}
	n := 0
	for src := range of {
		n++
		s.mustFetched(t, c.ID, n, src, src, 0, "<p>"+src)
	}
	readLinks(t, s, of)
	s.mustExec(t, `UPDATE contents SET gzip = x'1f8b'`) // so that no word is in a content by chance
	about := mustGrouping(t, s, "all", 0, `{"label":"canarylabel"}`,
		map[string]string{"http://ice.test/": `{"words":[{"word":"canaryword","n":1}]}`, "http://snow.test/": `{}`}, "canaryword")
	on := mustGrouping(t, s, "topic", c.TopicID, `{}`, map[string]string{"http://canary.test/": `{}`})
	plain := mustGrouping(t, s, "crawl", c.ID, `{}`, map[string]string{"http://snow.test/": `{}`}, "snow")
	s.mustExec(t, `INSERT INTO saved_sets (name, expression, created_at) VALUES ('mine', '[http://Canary.test/]', 1), ('other', '[http://ice.test/]', 1)`)
	s.mustExec(t, `INSERT INTO operations (at, text) VALUES (1, 'crawl([canary.test], 2)'), (2, 'crawl([ice.test], 2)')`)
	s.mustExec(t, `INSERT INTO link_queue (url) VALUES ('http://canary.test/waits'), ('http://ice.test/')`)

	plan, err := Keep.Traces(ctx, s, "canary.test")
	if err != nil || plan.Links != 4 || plan.Groups != 2 || plan.Empty {
		t.Errorf("plan %+v, %v", plan, err)
	}
	must(Keep.EraseHost(ctx, s, "canary.test"))(t)
	grepFiles(t, s, "canary")
	grepFiles(t, s, "Canary")
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
	if plan, err := Keep.Traces(ctx, s, "canary.test"); err != nil || !plan.Empty {
		t.Errorf("left to erase: %+v, %v", plan, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestEraseSessionGroupings: the descriptions with words of a deleted session's pages go with it; one that is being made stays in
// the making.
func TestEraseSessionGroupings(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	m := maker(1)
	start, v := m.Start("Curling"), m.Visit("http://v.test/", "V", protocol.HowTyped, "")
	mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>V</title>")))
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	readLinks(t, s, map[string][]Link{"http://v.test/": {to("http://ice.test/", "canaryword")}, "http://a.test/": {to("http://ice.test/", "ice")}})
	all := mustGrouping(t, s, "all", 0, `{}`, map[string]string{"http://ice.test/": `canaryword`}, "canaryword")
	again := mustGrouping(t, s, "crawl", c.ID, `{}`, map[string]string{"http://ice.test/": `canaryword`})
	s.mustExec(t, `UPDATE groupings SET state = 'working', ended_at = NULL WHERE id = ?`, again)
	of := mustGrouping(t, s, "session", 1, `{}`, nil)
	must(s.DeleteSession(ctx, 1))(t)
	grepFiles(t, s, "canary")
	wantLinks(t, s, "deleted", "a.test/ ice.test/: ice")
	for id, want := range map[int64]string{all: "failed", again: "working"} {
		if g, err := stateOf(t, s, id); err != nil || g.State != want {
			t.Errorf("grouping %+v, %v", g, err)
		}
	}
	if _, err := stateOf(t, s, of); err == nil {
		t.Error("the grouping of the session is still there")
	}
	must(s.DeleteTopic(ctx, c.TopicID))(t)
	wantLinks(t, s, "the topic was deleted")
	if n := mustCount(t, s, `SELECT count(*) FROM groupings`); n != 1 {
		t.Errorf("%d groupings are left, want that of all pages", n)
	}
}

// TestEraseAllLinks: nothing is left of what links say.
func TestEraseAllLinks(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	readLinks(t, s, map[string][]Link{"http://a.test/": {to("http://canary.test/", "canaryword")}})
	mustGrouping(t, s, "all", 0, `{"x":"canarylabel"}`, map[string]string{"http://canary.test/": `{}`}, "canaryword")
	ok(t, Keep.EraseAll(t.Context(), s))
	grepFiles(t, s, "canary")
	for _, table := range []string{"link_page", "link", "word", "link_word", "link_queue", "ontologies", "ontology_edits",
		"groupings", "descriptions", "term_words", "saved_sets", "operations"} {
		if n := mustCount(t, s, "SELECT count(*) FROM "+table); n > 0 {
			t.Errorf("%s has %d rows", table, n)
		}
	}
}
