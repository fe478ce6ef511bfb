package scheduler

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"nightjar/daemon/night/settings"
	"nightjar/daemon/store"
)

// mustFull returns the error of a full database.
func mustFull(t *testing.T) error {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(t.TempDir(), "full.db"))+"?_pragma=max_page_count(2)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO t VALUES (zeroblob(1000000))")
	if !store.IsFull(err) {
		t.Fatalf("a full database says %v", err)
	}
	return fmt.Errorf("crawl: %w", err)
}

// TestFullDisk: a crawl that cannot commit waits until it can, however often it fails, and then fetches everything.
func TestFullDisk(t *testing.T) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(*settings.Settings) {})
	topic := w.mustTopic(t, "hockey")
	s, err := New(w.st, &w.bus, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := w.mustRunNow(t, s, topic)
	full := mustFull(t)
	for range 2 * maxFailed {
		s.fail(t.Context(), s.all()[0], full)
	}
	if c := w.mustCrawl(t, id); c.Status == store.CrawlEnded || c.Paused != "the disk is full" {
		t.Fatalf("%s, %q, waits: %q", c.Status, c.StopReason, c.Paused)
	}
	w.start(t, Options{}) // takes it up
	if c := w.mustEnd(t, topic, 1); c.StopReason != "no links left" || c.Totals.Fetched != 31 || c.Paused != "" {
		t.Errorf("%q, %d pages", c.StopReason, c.Totals.Fetched)
	}
}
