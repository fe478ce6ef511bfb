package links_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// TestLinksFollowContent: a page is read when its content comes or changes, not when the same content comes again, and loses its
// links when it is erased. A page whose content was thrown away keeps them.
func TestLinksFollowContent(t *testing.T) {
	s, c := withCrawl(t)
	of := map[string][]links.Link{
		"http://a.test/": {to("http://b.test/", "ice", "rink"), to("http://c.test/", "ice")},
		"http://b.test/": {to("http://a.test/", "home")},
		"http://v.test/": {to("http://b.test/", "puck")},
	}
	waits := func(what string, want ...string) {
		t.Helper()
		if got := readLinks(t, s, of); !slices.Equal(got, want) {
			t.Errorf("%s: %q waited, want %q", what, got, want)
		}
	}
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	storetest.Fetched(t, s, c.ID, 2, "http://b.test/", "http://b.test/", "<p>b")
	storetest.Fetched(t, s, c.ID, 3, "http://none.test/", "http://none.test/", "")
	waits("fetched", "http://a.test/", "http://b.test/")
	wantLinks(t, s, "fetched", "a.test/ b.test/: ice rink", "a.test/ c.test/: ice", "b.test/ a.test/: home")

	storetest.Fetched(t, s, c.ID, 4, "http://a.test/", "http://a.test/", "<p>a")
	waits("the same content")
	of["http://a.test/"] = []links.Link{to("http://b.test/", "rink", "new")}
	storetest.Fetched(t, s, c.ID, 5, "http://a.test/", "http://a.test/", "<p>a, changed")
	waits("changed", "http://a.test/")
	wantLinks(t, s, "changed", "a.test/ b.test/: new rink", "b.test/ a.test/: home")

	m := sessiontest.New(1)
	start, v := m.Start("Hockey"), m.Visit("http://v.test/", "V", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>V</title>")))
	waits("visited", "http://v.test/")
	wantLinks(t, s, "visited", "a.test/ b.test/: new rink", "b.test/ a.test/: home", "v.test/ b.test/: puck")

	storetest.Change(t, s, `UPDATE fetches SET content_hash = NULL`) // as at the end of a crawl
	waits("thrown away")
	storetest.Change(t, s, `INSERT INTO link_queue (url) VALUES ('http://a.test/')`)
	waits("queued without content", "http://a.test/")
	wantLinks(t, s, "thrown away", "a.test/ b.test/: new rink", "b.test/ a.test/: home", "v.test/ b.test/: puck")

	storetest.Must(sessions.Delete(t.Context(), s.DB, 1))(t)
	wantLinks(t, s, "the session was deleted", "a.test/ b.test/: new rink", "b.test/ a.test/: home")
	storetest.Change(t, s, `DELETE FROM fetches WHERE final_url = 'http://a.test/'`)
	storetest.OK(t, links.Forget(t.Context(), s.DB, 1e9))
	wantLinks(t, s, "the fetches of a page were deleted", "b.test/ a.test/: home")
	if n := count(t, s, "SELECT count(*) FROM link_queue"); n > 0 {
		t.Errorf("%d addresses wait", n)
	}
	storetest.Change(t, s, `UPDATE fetches SET outcome = 'refused'`)
	storetest.OK(t, links.Forget(t.Context(), s.DB, 1e9))
	wantLinks(t, s, "what was fetched is refused now")
}

// TestErasedContentOfKnownPage: links of content that was erased go at once, also when the page is still known with other
// content, which then waits to be read.
func TestErasedContentOfKnownPage(t *testing.T) {
	s, c := withCrawl(t)
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>public")
	m := sessiontest.New(1)
	start, v := m.Start("Curling"), m.Visit("http://a.test/", "A", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>private</title>")))
	readLinks(t, s, map[string][]links.Link{"http://a.test/": {to("http://b.test/", "private")}})
	wantLinks(t, s, "visited", "a.test/ b.test/: private")
	storetest.Must(sessions.Delete(t.Context(), s.DB, 1))(t)
	wantLinks(t, s, "the session was deleted")
	wantGone(t, s, "private")
	if read := readLinks(t, s, map[string][]links.Link{"http://a.test/": {to("http://b.test/", "public")}}); len(read) != 1 {
		t.Errorf("read %q", read)
	}
	wantLinks(t, s, "read again", "a.test/ b.test/: public")
}

// TestChangedSnapshotIsNotErased: a page that shows something else while it is recorded was not erased, so groupings stay.
func TestChangedSnapshotIsNotErased(t *testing.T) {
	s := open(t)
	m := sessiontest.New(1)
	start, v := m.Start("Curling"), m.Visit("http://a.test/", "A", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>one</title>")))
	sessionstest.Ingest(t, s, m.Snapshot(v.Page, []byte("<title>two</title>")))
	if n := count(t, s, "SELECT count(*) FROM link_queue WHERE lost = 0"); n != 1 {
		t.Errorf("%d wait that lost nothing", n)
	}
	if n := count(t, s, "SELECT count(*) FROM link_queue WHERE lost = 1"); n != 0 {
		t.Errorf("%d lost content", n)
	}
}

// TestPutLinksLeavesOut: what was queued again or erased since it was read is not stored.
func TestPutLinksLeavesOut(t *testing.T) {
	s, c := withCrawl(t)
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	storetest.Fetched(t, s, c.ID, 2, "http://b.test/", "http://b.test/", "<p>b")
	old, err := links.Queue(t.Context(), s.DB, 10)
	if err != nil || len(old) != 2 || old[0].URL != "http://b.test/" {
		t.Fatalf("%+v, %v", old, err)
	}
	storetest.Fetched(t, s, c.ID, 3, "http://a.test/", "http://a.test/", "<p>a, changed")
	storetest.Change(t, s, `DELETE FROM fetches WHERE n = 2`)
	var pages []links.PageLinks
	for _, source := range old {
		pages = append(pages, links.PageLinks{Source: source, Links: []links.Link{to("http://c.test/", "old")}})
	}
	storetest.OK(t, links.Put(t.Context(), s.DB, pages))
	wantLinks(t, s, "nothing is stored")
	if now, err := links.Queue(t.Context(), s.DB, 10); err != nil || len(now) != 1 || now[0].URL != "http://a.test/" {
		t.Errorf("%+v, %v wait", now, err)
	}
}

// TestManyLinks: a page with more links than a transaction takes is stored as a whole and replaced as a whole.
func TestManyLinks(t *testing.T) {
	s, c := withCrawl(t)
	many := func(n int, word string) (all []links.Link) {
		for i := range n {
			all = append(all, to(fmt.Sprintf("http://h%d.test/%d", i%50, i), word, fmt.Sprint(word, i%300), fmt.Sprint(word, "x", i%7), "end"))
		}
		return all
	}
	of := map[string][]links.Link{"http://a.test/": many(1300, "first"), "http://b.test/": {to("http://h1.test/1", "end")}}
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	storetest.Fetched(t, s, c.ID, 2, "http://b.test/", "http://b.test/", "<p>b")
	readLinks(t, s, of)
	if got := linksSaid(t, s); len(got) != 1301 || got[0] != "a.test/ h0.test/0: end first first0 firstx0" {
		t.Fatalf("%d links, the first is %q", len(got), got[0])
	}
	of["http://a.test/"] = many(1100, "second")
	storetest.Fetched(t, s, c.ID, 3, "http://a.test/", "http://a.test/", "<p>a, changed")
	readLinks(t, s, of)
	if got := linksSaid(t, s); len(got) != 1101 || got[0] != "a.test/ h0.test/0: end second second0 secondx0" {
		t.Fatalf("%d links, the first is %q", len(got), got[0])
	}
	if n := count(t, s, "SELECT count(*) FROM word WHERE word LIKE 'first%'"); n > 0 {
		t.Errorf("%d words without a link", n)
	}
}

// TestLinksEndAfterRedirects: links end where fetches, visits and pages of documents lead, also when that is learned after the
// links were stored, in several steps, and for a link that then is one of a page to itself.
func TestLinksEndAfterRedirects(t *testing.T) {
	s, c := withCrawl(t)
	of := map[string][]links.Link{
		"http://a.test/": {to("http://old.test/", "fetched"), to("http://typed.test/", "visited"), to("http://doc.test/", "document"), to("http://self.test/", "self"), to("http://stays.test/", "stays")},
		"http://b.test/": {to("http://old.test/", "again"), to("http://new.test/", "new")},
	}
	storetest.Fetched(t, s, c.ID, 1, "http://a.test/", "http://a.test/", "<p>a")
	readLinks(t, s, of)
	wantLinks(t, s, "nothing is known", "a.test/ doc.test/: document", "a.test/ old.test/: fetched", "a.test/ self.test/: self", "a.test/ stays.test/: stays", "a.test/ typed.test/: visited")

	storetest.Fetched(t, s, c.ID, 2, "http://old.test/", "http://new.test/", "")
	storetest.Fetched(t, s, c.ID, 3, "http://self.test/", "http://a.test/", "")
	storetest.Fetched(t, s, c.ID, 4, "http://stays.test/", "http://elsewhere.test/", "")
	storetest.Fetched(t, s, c.ID, 5, "http://stays.test/", "http://stays.test/", "") // a page of its own again
	m := sessiontest.New(1)
	start, v := m.Start("Hockey"), m.Visit("http://shown.test/", "", protocol.HowTyped, "")
	v.Requested = "http://typed.test/"
	sessionstest.Ingest(t, s, start, v)
	storetest.Change(t, s, `INSERT INTO documents (id, key, title, source, created_at) VALUES (1, 'k', 'Ice', '', 1)`)
	storetest.Change(t, s, `INSERT INTO document_pages (document_id, url, final_url, host, outcome, content_hash, at)
		SELECT 1, 'http://doc.test/', 'http://paper.test/', 'paper.test', 'ok', max(hash), 1 FROM contents`)
	storetest.Fetched(t, s, c.ID, 6, "http://b.test/", "http://b.test/", "<p>b")
	readLinks(t, s, of)
	moved := []string{"a.test/ new.test/: fetched", "a.test/ paper.test/: document", "a.test/ shown.test/: visited", "a.test/ stays.test/: stays",
		"b.test/ new.test/: again", "b.test/ new.test/: new"}
	wantLinks(t, s, "moved", moved...)
	storetest.Fetched(t, s, c.ID, 7, "http://new.test/", "http://newest.test/", "")
	storetest.Change(t, s, `INSERT INTO link_queue (url) SELECT 'http://b.test/' WHERE NOT EXISTS (SELECT 1 FROM link_queue WHERE url = 'http://b.test/')`)
	readLinks(t, s, of)
	for i := range moved {
		moved[i] = strings.Replace(moved[i], "new.test", "newest.test", 1)
	}
	slices.Sort(moved)
	wantLinks(t, s, "moved on", moved...)
}
