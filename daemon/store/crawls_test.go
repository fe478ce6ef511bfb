package store

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
	"nightjar/daemon/night/settings"
)

// mustCrawlWeb runs one crawl over the made-up web to its budget and ends it.
func mustCrawlWeb(t *testing.T, s *Store, id int64, pages int) (finds []int64) {
	t.Helper()
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	ctx := t.Context()
	c := must(s.CrawlByID(ctx, id))(t)
	resume := must(s.ResumeCrawl(ctx, id))(t)
	j := s.Journal(c)
	j.OnFind = func(find int64) { finds = append(finds, find) }
	r := must(crawler.Run(ctx, crawlClient{server.URL}, crawlStrategy{}, crawler.Options{
		Resume: resume, Journal: j, Budget: crawler.Budget{Pages: pages},
	}))(t)
	ok(t, s.EndCrawl(ctx, id, r.StopReason))
	return finds
}

// TestCrawlIsKept: totals, finds with their snippets, and the contents of the pages on the way to a find, no others.
func TestCrawlIsKept(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{crawlURL(0)}, Budget: settings.Budget{Pages: 60}})
	finds := mustCrawlWeb(t, s, c.ID, 60)
	c, err := s.CrawlByID(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if c.Status != CrawlEnded || c.StopReason != "budget of 60 pages used" || c.Totals.Fetched != 60 || c.EndedAt.IsZero() {
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
	s.linksRead(t)
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
	options := CrawlOptions{Starts: []string{crawlURL(0)}}
	s, first := mustStoreWithCrawl(t, options)
	must(s.Writer.Exec(`INSERT INTO pages (url) VALUES (?), (?)`, crawlURL(3), crawlURL(45)+"#/route"))(t)
	found := len(mustCrawlWeb(t, s, first.ID, 40))
	second := mustCrawlWeb(t, s, mustCreateCrawl(t, s, first).ID, 100)
	all := must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT url FROM finds"))(t)
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
	ok(t, s.DropQueues(t.Context()))
	left, err := db.Query(t.Context(), s.Readers, db.ScanID, "SELECT DISTINCT crawl_id FROM frontier")
	if err != nil || !slices.Equal(left, []int64{crawls[0].ID}) {
		t.Errorf("frontiers of crawls %v, want only the last, %v", left, err)
	}
}

// TestBeginWithoutEntry: a journal that lost its crawl says so rather than fetch what it cannot record.
func TestBeginWithoutEntry(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{crawlURL(0)}})
	if err := s.Journal(c).Commit(t.Context(), &crawler.Batch{Begun: []string{"http://elsewhere.test/"}}); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("Commit = %v, want ErrNotFound", err)
	}
	if _, err := s.ResumeCrawl(t.Context(), 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("ResumeCrawl = %v, want ErrNotFound", err)
	}
}

// TestResumeEqualsMemory: at any point, what the store gives back is what the crawl knows, also when memory has no room for all links.
func TestResumeEqualsMemory(t *testing.T) {
	for _, most := range []int{0, 30} {
		t.Run(fmt.Sprint(most), func(t *testing.T) { resumeEqualsMemory(t, most) })
	}
}

func resumeEqualsMemory(t *testing.T, most int) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{crawlURL(0)}})
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	resume := must(s.ResumeCrawl(t.Context(), c.ID))(t)
	crawl := must(crawler.New(crawlClient{server.URL}, crawlStrategy{}, crawler.Options{Resume: resume, Journal: s.Journal(c), MaxQueued: most}))(t)
	pages := 0
	for range 12 {
		r := must(crawl.Run(context.Background(), crawler.Budget{Pages: 7}))(t)
		pages = r.Outcomes[fetch.OK]
		got := must(s.ResumeCrawl(t.Context(), c.ID))(t)
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
	ok(tb, r.Links(tb.Context(), func(e frontier.Entry) { all = append(all, e) }))
	return all
}

// linksRead does as if the links of all pages had been read.
func (s *Store) linksRead(t *testing.T) {
	t.Helper()
	s.mustExec(t, "DELETE FROM link_queue")
	ok(t, s.DropRead(t.Context()))
}

// TestContentsWaitForLinks: a crawl that ends keeps contents until their links are read, also over a restart, and no longer.
func TestContentsWaitForLinks(t *testing.T) {
	s, crawl := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	for n := 1; n <= 3; n++ {
		url := fmt.Sprint("http://a.test/", n)
		s.mustFetched(t, crawl.ID, n, url, url, 0, "page "+url)
	}
	ctx := t.Context()
	contents := func() int {
		return mustCount(t, s, fmt.Sprintf("SELECT count(*) FROM fetches JOIN contents ON hash = content_hash WHERE crawl_id = %d", crawl.ID))
	}
	whole := contents()
	if err := s.DropRead(ctx); err != nil || contents() != whole {
		t.Fatalf("a running crawl has %d contents of %d, %v", contents(), whole, err)
	}
	for _, check := range []func() error{
		func() error { return s.EndCrawl(ctx, crawl.ID, "over") },
		func() error { return s.DropRead(ctx) },
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
		s.mustExec(t, text)
	}
	if err := s.DropRead(ctx); err != nil || contents() != whole-1 {
		t.Fatalf("%d contents of %d are left after one was read, %v", contents(), whole, err)
	}
	s.linksRead(t)
	if n := mustCount(t, s, "SELECT count(*) FROM crawls WHERE unread = 1"); contents() != 0 || n != 0 {
		t.Errorf("%d contents are left, %d crawls wait", contents(), n)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM link"); n != 1 {
		t.Errorf("%d links are left", n)
	}
}
