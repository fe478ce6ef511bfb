package web

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/store"
)

// TestLikelyOnPages: the list of finds and the page of a crawl say how many are probably useful, marks narrow it, and
// without enough judged finds nothing is said.
func TestLikelyOnPages(t *testing.T) {
	s := seed(t)
	finds := s.Count(t, `SELECT count(*) FROM finds WHERE crawl_id = ?`, s.Crawl)
	if finds < 12 {
		t.Fatalf("the crawl has %d finds", finds)
	}
	s.Exec(t, `UPDATE finds SET useful = .6`)
	says := func() string {
		t.Helper()
		list := webtest.Text(s.Page(t, "/?state=all").Find("#run-" + fmt.Sprint(s.Crawl)).Parent().Find(".likely"))
		crawl := webtest.Text(s.Page(t, fmt.Sprintf("/crawls/%d", s.Crawl)).Find(".likely"))
		if !strings.HasPrefix(crawl, list) {
			t.Errorf("the list says %q, the crawl %q", list, crawl)
		}
		return list
	}
	width := func(said string) int {
		t.Helper()
		var all, about, low, high int
		if _, err := fmt.Sscanf(said, "%d finds, about %d of them useful, most likely %d to %d.", &all, &about, &low, &high); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
		if all != finds || low > about || about > high || high > finds {
			t.Errorf("%q of %d finds", said, finds)
		}
		return high - low
	}
	before := width(says())
	for i := range 8 {
		mark := store.MarkUseful
		if i%2 == 0 {
			mark = store.MarkNotUseful
		}
		if err := marks.Put(t.Context(), s.Store.DB, int64(s.Count(t, `SELECT id FROM finds WHERE crawl_id = ? ORDER BY id LIMIT 1 OFFSET ?`, s.Crawl, i)), mark); err != nil {
			t.Fatal(err)
		}
	}
	if after := width(says()); after >= before {
		t.Errorf("with marks the bounds are %d apart, without %d", after, before)
	}
	s.Exec(t, `UPDATE finds SET useful = 0 WHERE id = (SELECT max(id) FROM finds WHERE crawl_id = ?)`, s.Crawl)
	if got := says(); got != "" {
		t.Errorf("with a find from before the judge: %q", got)
	}
	s.Exec(t, `UPDATE finds SET useful = .6`)
	s.Exec(t, `UPDATE finds SET refused = 1 WHERE id NOT IN (SELECT id FROM finds WHERE crawl_id = ? LIMIT ?)`, s.Crawl, 4)
	if got := says(); got != "" {
		t.Errorf("with few finds: %q", got)
	}
}
