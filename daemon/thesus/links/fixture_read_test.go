package links_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/lab/traces"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// to is a link with each word once.
func to(url string, words ...string) links.Link {
	l := links.Link{URL: url, Pos: 7}
	for _, w := range words {
		l.Words = append(l.Words, links.Word{Word: w, N: 1})
	}
	return l
}

// readLinks stores links of all pages that wait, and returns their addresses; of gives the links of each.
func readLinks(t *testing.T, s *store.Store, of map[string][]links.Link) (read []string) {
	t.Helper()
	for {
		queue := storetest.Must(links.Queue(t.Context(), s.DB, 3))(t)
		if len(queue) == 0 {
			slices.Sort(read)
			return read
		}
		var pages []links.PageLinks
		for _, source := range queue {
			read = append(read, source.URL)
			p := links.PageLinks{Source: source}
			if source.Hash != nil {
				p.Links = of[source.URL]
			}
			pages = append(pages, p)
		}
		storetest.OK(t, links.Put(t.Context(), s.DB, pages))
	}
}

// linksSaid lists all links as "src dst: words", sorted, with short addresses.
func linksSaid(t *testing.T, s *store.Store) []string {
	t.Helper()
	all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT s.url || ' ' || d.url || ':' || coalesce((SELECT group_concat(' ' || word, '') FROM (
			SELECT word.word FROM link_word w JOIN word ON word.id = w.word WHERE w.link = l.id ORDER BY 1)), '')
		FROM link l JOIN link_page s ON s.id = l.src JOIN link_page d ON d.id = l.dst ORDER BY 1`))(t)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "http://", "")
	}
	wholeLinks(t, s)
	return all
}

// wholeLinks checks that no page and no word is without a link.
func wholeLinks(t *testing.T, s *store.Store) {
	t.Helper()
	for text, what := range map[string]string{
		`SELECT count(*) FROM word WHERE id NOT IN (SELECT word FROM link_word)`:                                     "words without a link",
		`SELECT count(*) FROM link_page WHERE id NOT IN (SELECT src FROM link) AND id NOT IN (SELECT dst FROM link)`: "pages without a link",
		`SELECT count(*) FROM link WHERE src = dst`:                                                                  "links of a page to itself",
	} {
		if n := count(t, s, text); n > 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}

func wantLinks(t *testing.T, s *store.Store, what string, want ...string) {
	t.Helper()
	if got := linksSaid(t, s); !slices.Equal(got, want) {
		t.Errorf("%s: links\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// withCrawl is storetest.WithCrawl with a store that forgets links when something is erased.
func withCrawl(t *testing.T) (*store.Store, crawls.Crawl) {
	t.Helper()
	return crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}}, links.Forget)
}

// count reads a number.
func count(t *testing.T, s *store.Store, text string) int {
	t.Helper()
	return storetest.Must(db.Single[int](t.Context(), s.Readers, text))(t)
}

// wantGone fails the test when a word is anywhere in the data folder.
func wantGone(t *testing.T, s *store.Store, word string) {
	t.Helper()
	for _, place := range storetest.Must(traces.Find(t.Context(), filepath.Dir(s.Path()), word))(t) {
		t.Errorf("left is %s", place)
	}
}
