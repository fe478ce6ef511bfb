package erasing

import (
	"fmt"
	"slices"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

// TestMoveArchived follows where a crawl's pages are in the archive: moved, gone, and in another file.
func TestMoveArchived(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	for n := range 6 {
		url := fmt.Sprintf("http://a.test/%d", n)
		storetest.Fetched(t, s, c.ID, n, url, url, "")
	}
	storetest.Change(t, s, `UPDATE fetches SET archive_file = iif(n % 2 = 0, 'even', 'odd'), archive_offset = n * 10`)
	storetest.OK(t, MoveArchived(t.Context(), s.DB, "even", map[int64]int64{20: 7, 40: 40, 999: 1}))
	got, err := db.Query(t.Context(), s.Readers, db.ScanText, `SELECT n || ' ' || archive_file || ' ' || archive_offset FROM fetches ORDER BY n`)
	want := []string{"0  0", "1 odd 10", "2 even 7", "3 odd 30", "4 even 40", "5 odd 50"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("places %q, %v; want %q", got, err, want)
	}
}
