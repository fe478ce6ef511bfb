package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db"
)

// to is a link with each word once.
func to(url string, words ...string) Link {
	l := Link{URL: url, Pos: 7}
	for _, w := range words {
		l.Words = append(l.Words, LinkWord{w, 1})
	}
	return l
}

// readLinks stores links of all pages that wait; of gives those of each, by address.
func readLinks(t *testing.T, s *Store, of map[string][]Link) (read []string) {
	t.Helper()
	for {
		queue := must(s.LinkQueue(t.Context(), 3))(t)
		if len(queue) == 0 {
			slices.Sort(read)
			return read
		}
		var pages []PageLinks
		for _, source := range queue {
			read = append(read, source.URL)
			p := PageLinks{LinkSource: source}
			if source.Hash != nil {
				p.Links = of[source.URL]
			}
			pages = append(pages, p)
		}
		ok(t, s.PutLinks(t.Context(), pages))
	}
}

// linksSaid lists all links as "src dst: words", sorted, with short addresses.
func linksSaid(t *testing.T, s *Store) []string {
	t.Helper()
	all := must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT s.url || ' ' || d.url || ':' || coalesce((SELECT group_concat(' ' || word, '') FROM (
			SELECT word.word FROM link_word w JOIN word ON word.id = w.word WHERE w.link = l.id ORDER BY 1)), '')
		FROM link l JOIN link_page s ON s.id = l.src JOIN link_page d ON d.id = l.dst ORDER BY 1`))(t)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "http://", "")
	}
	wholeLinks(t, s)
	return all
}

// wholeLinks checks that no page and no word is without a link.
func wholeLinks(t *testing.T, s *Store) {
	t.Helper()
	for text, what := range map[string]string{
		`SELECT count(*) FROM word WHERE id NOT IN (SELECT word FROM link_word)`:                                     "words without a link",
		`SELECT count(*) FROM link_page WHERE id NOT IN (SELECT src FROM link) AND id NOT IN (SELECT dst FROM link)`: "pages without a link",
		`SELECT count(*) FROM link WHERE src = dst`:                                                                  "links of a page to itself",
	} {
		if n := mustCount(t, s, text); n > 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}

func wantLinks(t *testing.T, s *Store, what string, want ...string) {
	t.Helper()
	if got := linksSaid(t, s); !slices.Equal(got, want) {
		t.Errorf("%s: links\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLinksFollowContent: a page is read when its content comes or changes, not when the same content comes again, and loses its
// links when it is erased. A page whose content was thrown away keeps them.
func TestLinksFollowContent(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	of := map[string][]Link{
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
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	s.mustFetched(t, c.ID, 2, "http://b.test/", "http://b.test/", 0, "<p>b")
	s.mustFetched(t, c.ID, 3, "http://none.test/", "http://none.test/", 0, "")
	waits("fetched", "http://a.test/", "http://b.test/")
	wantLinks(t, s, "fetched", "a.test/ b.test/: ice rink", "a.test/ c.test/: ice", "b.test/ a.test/: home")

	s.mustFetched(t, c.ID, 4, "http://a.test/", "http://a.test/", 0, "<p>a")
	waits("the same content")
	of["http://a.test/"] = []Link{to("http://b.test/", "rink", "new")}
	s.mustFetched(t, c.ID, 5, "http://a.test/", "http://a.test/", 0, "<p>a, changed")
	waits("changed", "http://a.test/")
	wantLinks(t, s, "changed", "a.test/ b.test/: new rink", "b.test/ a.test/: home")

	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://v.test/", "V", protocol.HowTyped, "")
	mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>V</title>")))
	waits("visited", "http://v.test/")
	wantLinks(t, s, "visited", "a.test/ b.test/: new rink", "b.test/ a.test/: home", "v.test/ b.test/: puck")

	s.mustExec(t, `UPDATE fetches SET content_hash = NULL`) // as at the end of a crawl
	waits("thrown away")
	s.mustExec(t, `INSERT INTO link_queue (url) VALUES ('http://a.test/')`)
	waits("queued without content", "http://a.test/")
	wantLinks(t, s, "thrown away", "a.test/ b.test/: new rink", "b.test/ a.test/: home", "v.test/ b.test/: puck")

	must(s.DeleteSession(t.Context(), 1))(t)
	wantLinks(t, s, "the session was deleted", "a.test/ b.test/: new rink", "b.test/ a.test/: home")
	s.mustExec(t, `DELETE FROM fetches WHERE final_url = 'http://a.test/'`)
	ok(t, forgetLinks(t.Context(), s.DB, 1e9))
	wantLinks(t, s, "the fetches of a page were deleted", "b.test/ a.test/: home")
	if n := mustCount(t, s, "SELECT count(*) FROM link_queue"); n > 0 {
		t.Errorf("%d addresses wait", n)
	}
	s.mustExec(t, `UPDATE fetches SET outcome = 'refused'`)
	ok(t, forgetLinks(t.Context(), s.DB, 1e9))
	wantLinks(t, s, "what was fetched is refused now")
}

// TestErasedContentOfKnownPage: links of content that was erased go at once, also when the page is still known with other
// content, which then waits to be read.
func TestErasedContentOfKnownPage(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>public")
	m := maker(1)
	start, v := m.Start("Curling"), m.Visit("http://a.test/", "A", protocol.HowTyped, "")
	mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>private</title>")))
	readLinks(t, s, map[string][]Link{"http://a.test/": {to("http://b.test/", "private")}})
	wantLinks(t, s, "visited", "a.test/ b.test/: private")
	must(s.DeleteSession(t.Context(), 1))(t)
	wantLinks(t, s, "the session was deleted")
	grepFiles(t, s, "private")
	if read := readLinks(t, s, map[string][]Link{"http://a.test/": {to("http://b.test/", "public")}}); len(read) != 1 {
		t.Errorf("read %q", read)
	}
	wantLinks(t, s, "read again", "a.test/ b.test/: public")
}

// TestChangedSnapshotIsNotErased: a page that shows something else while it is recorded was not erased, so groupings stay.
func TestChangedSnapshotIsNotErased(t *testing.T) {
	s := open(t)
	m := maker(1)
	start, v := m.Start("Curling"), m.Visit("http://a.test/", "A", protocol.HowTyped, "")
	mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>one</title>")))
	mustIngest(t, s, m.Snapshot(v.Page, []byte("<title>two</title>")))
	if n := mustCount(t, s, "SELECT count(*) FROM link_queue WHERE lost = 0"); n != 1 {
		t.Errorf("%d wait that lost nothing", n)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM link_queue WHERE lost = 1"); n != 0 {
		t.Errorf("%d lost content", n)
	}
}

// TestPutLinksLeavesOut: what was queued again or erased since it was read is not stored.
func TestPutLinksLeavesOut(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	s.mustFetched(t, c.ID, 2, "http://b.test/", "http://b.test/", 0, "<p>b")
	old, err := s.LinkQueue(t.Context(), 10)
	if err != nil || len(old) != 2 || old[0].URL != "http://b.test/" {
		t.Fatalf("%+v, %v", old, err)
	}
	s.mustFetched(t, c.ID, 3, "http://a.test/", "http://a.test/", 0, "<p>a, changed")
	s.mustExec(t, `DELETE FROM fetches WHERE n = 2`)
	var pages []PageLinks
	for _, source := range old {
		pages = append(pages, PageLinks{source, []Link{to("http://c.test/", "old")}})
	}
	ok(t, s.PutLinks(t.Context(), pages))
	wantLinks(t, s, "nothing is stored")
	if now, err := s.LinkQueue(t.Context(), 10); err != nil || len(now) != 1 || now[0].URL != "http://a.test/" {
		t.Errorf("%+v, %v wait", now, err)
	}
}

// TestManyLinks: a page with more links than a transaction takes is stored as a whole and replaced as a whole.
func TestManyLinks(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	many := func(n int, word string) (all []Link) {
		for i := range n {
			all = append(all, to(fmt.Sprintf("http://h%d.test/%d", i%50, i), word, fmt.Sprint(word, i%300), fmt.Sprint(word, "x", i%7), "end"))
		}
		return all
	}
	of := map[string][]Link{"http://a.test/": many(1300, "first"), "http://b.test/": {to("http://h1.test/1", "end")}}
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	s.mustFetched(t, c.ID, 2, "http://b.test/", "http://b.test/", 0, "<p>b")
	readLinks(t, s, of)
	if got := linksSaid(t, s); len(got) != 1301 || got[0] != "a.test/ h0.test/0: end first first0 firstx0" {
		t.Fatalf("%d links, the first is %q", len(got), got[0])
	}
	of["http://a.test/"] = many(1100, "second")
	s.mustFetched(t, c.ID, 3, "http://a.test/", "http://a.test/", 0, "<p>a, changed")
	readLinks(t, s, of)
	if got := linksSaid(t, s); len(got) != 1101 || got[0] != "a.test/ h0.test/0: end second second0 secondx0" {
		t.Fatalf("%d links, the first is %q", len(got), got[0])
	}
	if n := mustCount(t, s, "SELECT count(*) FROM word WHERE word LIKE 'first%'"); n > 0 {
		t.Errorf("%d words without a link", n)
	}
}

// TestLinksEndAfterRedirects: links end where fetches, visits and pages of documents lead, also when that is learned after the
// links were stored, in several steps, and for a link that then is one of a page to itself.
func TestLinksEndAfterRedirects(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	of := map[string][]Link{
		"http://a.test/": {to("http://old.test/", "fetched"), to("http://typed.test/", "visited"), to("http://doc.test/", "document"), to("http://self.test/", "self"), to("http://stays.test/", "stays")},
		"http://b.test/": {to("http://old.test/", "again"), to("http://new.test/", "new")},
	}
	s.mustFetched(t, c.ID, 1, "http://a.test/", "http://a.test/", 0, "<p>a")
	readLinks(t, s, of)
	wantLinks(t, s, "nothing is known", "a.test/ doc.test/: document", "a.test/ old.test/: fetched", "a.test/ self.test/: self", "a.test/ stays.test/: stays", "a.test/ typed.test/: visited")

	s.mustFetched(t, c.ID, 2, "http://old.test/", "http://new.test/", 0, "")
	s.mustFetched(t, c.ID, 3, "http://self.test/", "http://a.test/", 0, "")
	s.mustFetched(t, c.ID, 4, "http://stays.test/", "http://elsewhere.test/", 0, "")
	s.mustFetched(t, c.ID, 5, "http://stays.test/", "http://stays.test/", 0, "") // a page of its own again
	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://shown.test/", "", protocol.HowTyped, "")
	v.Requested = "http://typed.test/"
	mustIngest(t, s, start, v)
	s.mustExec(t, `INSERT INTO documents (id, key, title, source, created_at) VALUES (1, 'k', 'Ice', '', 1)`)
	s.mustExec(t, `INSERT INTO document_pages (document_id, url, final_url, host, outcome, content_hash, at)
		VALUES (1, 'http://doc.test/', 'http://paper.test/', 'paper.test', 'ok', ?, 1)`, s.mustContent(t, "<p>doc"))
	s.mustFetched(t, c.ID, 6, "http://b.test/", "http://b.test/", 0, "<p>b")
	readLinks(t, s, of)
	moved := []string{"a.test/ new.test/: fetched", "a.test/ paper.test/: document", "a.test/ shown.test/: visited", "a.test/ stays.test/: stays",
		"b.test/ new.test/: again", "b.test/ new.test/: new"}
	wantLinks(t, s, "moved", moved...)
	s.mustFetched(t, c.ID, 7, "http://new.test/", "http://newest.test/", 0, "")
	s.mustExec(t, `INSERT INTO link_queue (url) SELECT 'http://b.test/' WHERE NOT EXISTS (SELECT 1 FROM link_queue WHERE url = 'http://b.test/')`)
	readLinks(t, s, of)
	for i := range moved {
		moved[i] = strings.Replace(moved[i], "new.test", "newest.test", 1)
	}
	slices.Sort(moved)
	wantLinks(t, s, "moved on", moved...)
}
