package crawls

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/trap"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
)

// mustCrawlWeb runs one crawl over the made-up web to its budget and ends it.
func mustCrawlWeb(t *testing.T, s *store.Store, id int64, pages int) (finds []int64) {
	t.Helper()
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	ctx := t.Context()
	c := storetest.Must(Get(ctx, s.DB, id))(t)
	resume := storetest.Must(Resume(ctx, s.DB, id))(t)
	j := NewJournal(s.DB, c)
	j.OnFind = func(find int64) { finds = append(finds, find) }
	r := storetest.Must(crawler.Run(ctx, crawlClient{server.URL}, crawlStrategy{}, crawler.Options{
		Resume: resume, Journal: j, Budget: crawler.Budget{Pages: pages},
	}))(t)
	storetest.OK(t, End(ctx, s.DB, id, r.StopReason))
	return finds
}

// TestCrawlIsKept: totals, finds with their snippets, and the contents of the pages on the way to a find, no others.
func TestCrawlIsKept(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}, Budget: settings.Budget{Pages: 60}})
	finds := mustCrawlWeb(t, s, c.ID, 60)
	c, err := Get(t.Context(), s.DB, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if c.Status != Ended || c.StopReason != "budget of 60 pages used" || c.Totals.Fetched != 60 || c.EndedAt.IsZero() {
		t.Errorf("crawl %+v", c)
	}
	if len(finds) == 0 || len(finds) != c.Totals.Relevant {
		t.Fatalf("%d finds of %d relevant pages", len(finds), c.Totals.Relevant)
	}
	snippets, err := db.Query(t.Context(), s.Readers, db.ScanText, "SELECT snippet FROM finds")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range snippets {
		if !strings.HasPrefix(text, "words of page") {
			t.Errorf("snippet %q", text)
		}
	}
	mustReadLinks(t, s)
	kept, err := db.Query(t.Context(), s.Readers, db.ScanID, `WITH RECURSIVE way(id) AS (
		SELECT fetch_id FROM finds UNION SELECT parent_id FROM fetches JOIN way USING (id) WHERE parent_id IS NOT NULL)
		SELECT id FROM way ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	has, err := db.Query(t.Context(), s.Readers, db.ScanID, "SELECT id FROM fetches WHERE content_hash IS NOT NULL ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept, has) || len(has) == 60 {
		t.Errorf("contents of fetches %v, want those on the trails %v", has, kept)
	}
	orphans, err := db.Query(t.Context(), s.Readers, db.ScanBytes, "SELECT hash FROM contents WHERE hash NOT IN (SELECT content_hash FROM fetches WHERE content_hash IS NOT NULL)")
	if err != nil || len(orphans) > 0 {
		t.Errorf("%d contents belong to nothing, %v", len(orphans), err)
	}
}

// TestFindsAreNew: what was found before, or visited under any address, is no find of a later crawl.
func TestFindsAreNew(t *testing.T) {
	options := Options{Starts: []string{crawlURL(0)}}
	s, first := mustStoreWithCrawl(t, options)
	storetest.Must(s.Writer.Exec(`INSERT INTO pages (url) VALUES (?), (?)`, crawlURL(3), crawlURL(45)+"#/route"))(t)
	found := len(mustCrawlWeb(t, s, first.ID, 40))
	second := mustCrawlWeb(t, s, mustCreateCrawl(t, s, first).ID, 100)
	all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT url FROM finds"))(t)
	if found == 0 || len(second) == 0 || len(all) != found+len(second) {
		t.Errorf("%d finds, then %d, in all %d", found, len(second), len(all))
	}
	for _, visited := range []string{crawlURL(3), crawlURL(45)} {
		if slices.Contains(all, visited) {
			t.Errorf("%s was visited and is a find", visited)
		}
	}
	crawls, err := db.Query(t.Context(), s.Readers, scanCrawl, selectCrawl+"WHERE topic_id = ? ORDER BY id DESC", first.TopicID)
	if err != nil || len(crawls) != 2 {
		t.Fatalf("%d crawls, %v", len(crawls), err)
	}
	storetest.OK(t, DropQueues(t.Context(), s.DB))
	left, err := db.Query(t.Context(), s.Readers, db.ScanID, "SELECT DISTINCT crawl_id FROM frontier")
	if err != nil || !slices.Equal(left, []int64{crawls[0].ID}) {
		t.Errorf("frontiers of crawls %v, want only the last, %v", left, err)
	}
}

// TestBeginWithoutEntry: a journal that lost its crawl says so rather than fetch what it cannot record.
func TestBeginWithoutEntry(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	if err := NewJournal(s.DB, c).Commit(t.Context(), &crawler.Batch{Begun: []string{"http://elsewhere.test/"}}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("Commit = %v, want ErrNotFound", err)
	}
	if _, err := Resume(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("Resume = %v, want ErrNotFound", err)
	}
}

// TestResumeEqualsMemory: at any point, what the store gives back is what the crawl knows, also when memory has no room for all links.
func TestResumeEqualsMemory(t *testing.T) {
	for _, most := range []int{0, 30} {
		t.Run(fmt.Sprint(most), func(t *testing.T) { resumeEqualsMemory(t, most) })
	}
}

func resumeEqualsMemory(t *testing.T, most int) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	resume := storetest.Must(Resume(t.Context(), s.DB, c.ID))(t)
	crawl := storetest.Must(crawler.New(crawlClient{server.URL}, crawlStrategy{}, crawler.Options{Resume: resume, Journal: NewJournal(s.DB, c), MaxQueued: most}))(t)
	pages := 0
	for range 12 {
		r := storetest.Must(crawl.Run(context.Background(), crawler.Budget{Pages: 7}))(t)
		pages = r.Outcomes[fetch.OK]
		got := storetest.Must(Resume(t.Context(), s.DB, c.ID))(t)
		queued := r.Queued + crawl.InFlight() // what is in flight is fetched again after a crash
		if len(mustQueued(t, got)) != queued || got.Totals.Fetched != r.Fetched || got.Totals.Relevant != r.Relevant || got.Totals.Bytes != r.Bytes {
			t.Fatalf("stored: %d queued, %+v; in memory %d and %+v", len(mustQueued(t, got)), got.Totals, queued, r)
		}
		if i := slices.IndexFunc(got.Past, func(p trap.Past) bool { return p.URL == crawlURL(0) }); i < 0 || got.Past[i].Title != "Page 0" {
			t.Errorf("the past for the trap guard lacks the first page or its title: %+v", got.Past)
		}
		for o, n := range r.Outcomes {
			if got.Outcomes[o] != n {
				t.Errorf("stored %d %s, in memory %d", got.Outcomes[o], o, n)
			}
		}
	}
	if pages < 50 {
		t.Errorf("%d pages are too few for a test", pages)
	}
}

// mustQueued lists the links of a crawl that is to go on.
func mustQueued(tb testing.TB, r *crawler.Resume) (all []frontier.Entry) {
	tb.Helper()
	storetest.OK(tb, r.Links(tb.Context(), func(e frontier.Entry) { all = append(all, e) }))
	return all
}

// mustReadLinks does as if the links of all pages had been read.
func mustReadLinks(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Change(t, s, "DELETE FROM link_queue")
	storetest.OK(t, DropRead(t.Context(), s.DB))
}

// TestContentsWaitForLinks: a crawl that ends keeps contents until their links are read, also over a restart, and no longer.
func TestContentsWaitForLinks(t *testing.T) {
	s, crawl := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/"}})
	for n := 1; n <= 3; n++ {
		url := fmt.Sprint("http://a.test/", n)
		storetest.Fetched(t, s, crawl.ID, n, url, url, "page "+url)
	}
	ctx := t.Context()
	contents := func() int {
		return storetest.Count(t, s, fmt.Sprintf("SELECT count(*) FROM fetches JOIN contents ON hash = content_hash WHERE crawl_id = %d", crawl.ID))
	}
	whole := contents()
	if err := DropRead(ctx, s.DB); err != nil || contents() != whole {
		t.Fatalf("a running crawl has %d contents of %d, %v", contents(), whole, err)
	}
	for _, check := range []func() error{
		func() error { return End(ctx, s.DB, crawl.ID, "over") },
		func() error { return DropRead(ctx, s.DB) },
	} {
		if err := check(); err != nil || contents() != whole || whole < 2 {
			t.Fatalf("%d contents of %d are left, %v", contents(), whole, err)
		}
	}
	for _, text := range []string{ // as links.Put does
		`INSERT INTO link_page (url, site) SELECT url, 'ice.test' FROM link_queue WHERE id = (SELECT max(id) FROM link_queue)`,
		`INSERT INTO link_page (url, site) VALUES ('http://end.test/', 'end.test')`,
		`INSERT INTO link (src, dst, pos) VALUES (1, 2, 7)`,
		`DELETE FROM link_queue WHERE id = (SELECT max(id) FROM link_queue)`,
	} {
		storetest.Change(t, s, text)
	}
	if err := DropRead(ctx, s.DB); err != nil || contents() != whole-1 {
		t.Fatalf("%d contents of %d are left after one was read, %v", contents(), whole, err)
	}
	mustReadLinks(t, s)
	if n := storetest.Count(t, s, "SELECT count(*) FROM crawls WHERE unread = 1"); contents() != 0 || n != 0 {
		t.Errorf("%d contents are left, %d crawls wait", contents(), n)
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM link"); n != 1 {
		t.Errorf("%d links are left", n)
	}
}
