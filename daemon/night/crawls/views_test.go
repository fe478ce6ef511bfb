package crawls

import (
	"slices"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/store/storetest"
)

func TestCrawlsBefore(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10)
	dbtest.Crawl(t, s.DB, 2, 2, "", 20)
	for before, want := range map[int64][]int64{0: {2, 1}, 2: {1}, 1: nil} {
		all, err := Before(t.Context(), s.DB, 0, before, 5)
		var got []int64
		for _, c := range all {
			got = append(got, c.ID)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("before %d: %v, %v; want %v", before, got, err, want)
		}
	}
}

func TestCrawlViewOfNothing(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	if _, err := ByID(t.Context(), s.DB, 1); err != db.ErrNotFound {
		t.Errorf("crawl: %v", err)
	}
	if c := (View{}); c.Harvest() != 0 || !c.Live() {
		t.Errorf("an empty crawl: %v", c.Harvest())
	}
	dbtest.Crawl(t, s.DB, 1, 1, "", time.Now().UnixMilli(), "x")
	if c, err := ByID(t.Context(), s.DB, 1); err != nil || c.Topic != "Hockey" || c.Finds != 1 || c.Live() {
		t.Errorf("%+v, %v", c, err)
	}
}
