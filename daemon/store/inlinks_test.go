package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
)

// mustExec changes the database.
func (s *Store) mustExec(t testing.TB, text string, args ...any) {
	t.Helper()
	dbtest.Exec(t, s.DB, text, args...)
}

// mustContent stores the HTML of a page and returns its hash.
func (s *Store) mustContent(t *testing.T, html string) []byte {
	t.Helper()
	return dbtest.Content(t, s.DB, html)
}

// mustFetched stores a fetch that got a page, from the page of another fetch (0 for none), and returns its id.
func (s *Store) mustFetched(t *testing.T, crawl int64, n int, url, final string, parent int64, html string) int64 {
	t.Helper()
	var hash []byte
	if html != "" {
		hash = s.mustContent(t, html)
	}
	var id int64
	ok(t, s.Writer.QueryRowContext(t.Context(), `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, parent_id, content_hash)
		VALUES (?, ?, ?, ?, 'h', 'ok', 1, nullif(?, 0), ?) RETURNING id`, crawl, n, url, final, parent, hash).Scan(&id))
	return id
}

// TestLinksTo: the pages from which a crawl followed or queued a link, and those from which the person followed one, also by
// an address that redirects. Those with content come first, and never more than asked for.
func TestLinksTo(t *testing.T) {
	s := open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 1)
	const to = "http://to.test/page"
	start := s.mustFetched(t, 1, 1, "http://a.test/", "http://a.test/home", 0, "<p>start")
	empty := s.mustFetched(t, 1, 2, "http://0.test/", "http://0.test/", 0, "")
	s.mustFetched(t, 1, 3, to, to, start, "<p>target")
	s.mustFetched(t, 1, 4, "http://to.test/moved", to, empty, "<p>target")
	s.mustFetched(t, 1, 5, "http://other.test/", "http://other.test/", 0, "<p>other")
	s.mustExec(t, `INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n) VALUES (?, 'http://to.test/moved', 'queued', '[]', 9, 5)`, 1)
	s.mustExec(t, `INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n) VALUES (?, 'http://elsewhere.test/', 'queued', '[]', 10, 1)`, 1)
	s.mustExec(t, `INSERT INTO sessions (uuid, topic_id, client, status, started_at) VALUES ('s', ?, 'c', 'submitted', 1)`, 1)
	for i, p := range []struct{ url, requested, how, from string }{
		{"http://mine.test/", "", "typed", ""},
		{to, "http://short.test/x", "link", "load1"},
		{"http://typed.test/", "", "typed", ""},
		{to, "", "typed", "load3"}, // typed while that page was shown: no link
	} {
		s.mustExec(t, `INSERT OR IGNORE INTO pages (url, title) VALUES (?, '')`, p.url)
		s.mustExec(t, `INSERT INTO visits (load, session_id, page_id, requested, how, from_load, seq)
			VALUES ('load' || ?1, 1, (SELECT id FROM pages WHERE url = ?2), ?3, ?4, ?5, ?1)`, i+1, p.url, p.requested, p.how, p.from)
	}
	want := []string{"http://a.test/home", "http://other.test/", "http://0.test/", "http://mine.test/"}
	for _, url := range []string{to, "http://to.test/moved", "http://short.test/x"} {
		got, err := s.LinksTo(t.Context(), url, 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", url, got, err, want)
		}
	}
	if got, err := s.LinksTo(t.Context(), to, 2); err != nil || !slices.Equal(got, want[:2]) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := s.LinksTo(t.Context(), "http://unknown.test/", 10); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	if html, err := s.PageContent(t.Context(), "http://a.test/home"); err != nil || string(html) != "<p>start" {
		t.Errorf("%q, %v", html, err)
	}
	for _, url := range []string{"http://mine.test/", "http://unknown.test/"} {
		if _, err := s.PageContent(t.Context(), url); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// TestLinksToUsesIndexes: only the list of crawls is read whole.
func TestLinksToUsesIndexes(t *testing.T) {
	s := open(t)
	for _, step := range plans.FullScans(t, s.Readers, linksTo, "http://a.test/", 10) {
		if !strings.HasPrefix(step, "SCAN c") && step != "SCAN ends" && step != "SCAN forms" {
			t.Error(step)
		}
	}
}
