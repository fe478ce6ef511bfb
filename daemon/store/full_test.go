package store

import (
	"errors"
	"os"
	"strings"
	"testing"

	"nightjar/daemon/db"
)

// TestIsFull: a database that has no room says so, keeps what it has, and goes on when there is room.
func TestIsFull(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	limit := func(pages string) {
		must(s.Writer.ExecContext(ctx, "PRAGMA max_page_count = "+pages))(t)
	}
	limit("1") // as many as there are: it cannot be less
	large := strings.Repeat("x", 1<<20)
	err := s.SetSetting(ctx, "large", large)
	if !db.IsFull(err) {
		t.Errorf("a full database says %v", err)
	}
	if db.IsFull(nil) || db.IsFull(errors.New("database or disk is full")) {
		t.Error("anything is a full database")
	}
	if crawls, err := s.OpenCrawls(ctx); err != nil || len(crawls) != 1 {
		t.Errorf("what was kept: %d crawls, %v", len(crawls), err)
	}
	limit("1000000")
	if err := s.SetSetting(ctx, "large", large); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

// TestEraseAllWhenFull: on a full disk, what can be erased is, and the rest when there is room: a file beside the database says
// so until then, whatever ends the process.
func TestEraseAllWhenFull(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://canary.test/"}})
	ctx := t.Context()
	for i := range 300 {
		ok(t, s.SetSetting(ctx, "x"+strings.Repeat("y", i), strings.Repeat("canary ", 100)))
	}
	ok(t, s.Checkpoint(ctx))
	if _, err := s.Writer.ExecContext(ctx, "PRAGMA max_page_count = 1"); err != nil { // as many as there are
		t.Fatal(err)
	}
	must(s.Writer.ExecContext(ctx, `CREATE TRIGGER full AFTER DELETE ON crawls BEGIN
		INSERT INTO settings (key, value) VALUES ('full', printf('%.*c', 10000000, 'x')); END`))(t)
	var told []error
	s.Wrote = func(err error) { told = append(told, err) }
	if err := s.EraseAll(ctx); !db.IsFull(err) {
		t.Fatalf("without room: %v", err)
	}
	if !s.ErasesAll() || len(told) == 0 || !db.IsFull(told[0]) {
		t.Errorf("it is not noted, or not told: %t, %v", s.ErasesAll(), told)
	}
	var on int
	if err := s.Writer.QueryRowContext(ctx, "PRAGMA foreign_keys").Scan(&on); err != nil || on != 1 {
		t.Errorf("foreign keys hold: %d, %v", on, err)
	}
	must(s.Writer.ExecContext(ctx, "DROP TRIGGER full"))(t)
	must(s.Writer.ExecContext(ctx, "PRAGMA max_page_count = 1000000"))(t)
	if err := s.EraseAll(ctx); err != nil || s.ErasesAll() {
		t.Errorf("with room: %v, %t", err, s.ErasesAll())
	}
	text, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(text), "canary") {
		t.Errorf("something is left: %v", err)
	}
}

// TestEraseInParts: small parts erase the same rows, in every kind of table.
func TestEraseInParts(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://canary.test/"}})
	ok(t, s.eraseInParts(t.Context()))
	tables, err := db.Query(t.Context(), s.Readers, db.ScanText, everyTable)
	if err != nil || len(tables) < 30 {
		t.Fatal(len(tables), err)
	}
	for _, name := range tables {
		var n int
		if err := s.Readers.QueryRowContext(t.Context(), `SELECT count(*) FROM "`+name+`"`).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s has %d rows, %v", name, n, err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
