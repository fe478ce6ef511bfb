package store

import (
	"maps"
	"testing"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/night/settings"
)

// TestArchived follows where a crawl's pages are in the archive: as recorded, moved, and gone.
func TestArchived(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{crawlURL(0)}, Budget: settings.Budget{Pages: 60}})
	mustCrawlWeb(t, s, c.ID, 60)
	ctx := t.Context()
	must(s.Writer.ExecContext(ctx, `UPDATE fetches SET archive_file = CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, archive_offset = n * 10`))(t)
	type place struct {
		n  int
		at crawler.Place
	}
	places := func() map[int]crawler.Place {
		t.Helper()
		all := must(db.Query(ctx, s.Readers, func(row db.Scanner) (place, error) {
			var p place
			return p, row.Scan(&p.n, &p.at.File, &p.at.Offset)
		}, `SELECT n, archive_file, archive_offset FROM fetches`))(t)
		by := map[int]crawler.Place{}
		for _, p := range all {
			by[p.n] = p.at
		}
		return by
	}
	want := places()
	ok(t, s.MoveArchived(ctx, "even", map[int64]int64{20: 7, 40: 40, 999: 1}))
	for n := range want {
		if n%2 == 0 {
			want[n] = crawler.Place{}
		}
	}
	want[2], want[4] = crawler.Place{File: "even", Offset: 7}, crawler.Place{File: "even", Offset: 40}
	if got := places(); !maps.Equal(got, want) {
		t.Errorf("places %v, want %v", got, want)
	}
}
