package erasing

import (
	"os"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

// TestEraseAllWhenFull: on a full disk, what can be erased is, and the rest when there is room: a file beside the database says
// so until then, whatever ends the process.
func TestEraseAllWhenFull(t *testing.T) {
	s, _ := crawlstest.Open(t, crawls.Options{Starts: []string{"http://canary.test/"}})
	ctx := t.Context()
	for i := range 300 {
		storetest.OK(t, s.SetSetting(ctx, "x"+strings.Repeat("y", i), strings.Repeat("canary ", 100)))
	}
	storetest.OK(t, s.Checkpoint(ctx))
	if _, err := s.Writer.ExecContext(ctx, "PRAGMA max_page_count = 1"); err != nil { // as many as there are
		t.Fatal(err)
	}
	storetest.Must(s.Writer.ExecContext(ctx, `CREATE TRIGGER full AFTER DELETE ON crawls BEGIN
		INSERT INTO settings (key, value) VALUES ('full', printf('%.*c', 10000000, 'x')); END`))(t)
	var told []error
	s.Wrote = func(err error) { told = append(told, err) }
	if err := All(ctx, s); !db.IsFull(err) {
		t.Fatalf("without room: %v", err)
	}
	if !AllBegun(s.DB) || len(told) == 0 || !db.IsFull(told[0]) {
		t.Errorf("it is not noted, or not told: %t, %v", AllBegun(s.DB), told)
	}
	var on int
	if err := s.Writer.QueryRowContext(ctx, "PRAGMA foreign_keys").Scan(&on); err != nil || on != 1 {
		t.Errorf("foreign keys hold: %d, %v", on, err)
	}
	storetest.Must(s.Writer.ExecContext(ctx, "DROP TRIGGER full"))(t)
	storetest.Must(s.Writer.ExecContext(ctx, "PRAGMA max_page_count = 1000000"))(t)
	if err := All(ctx, s); err != nil || AllBegun(s.DB) {
		t.Errorf("with room: %v, %t", err, AllBegun(s.DB))
	}
	text, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(text), "canary") {
		t.Errorf("something is left: %v", err)
	}
}

// TestEraseInParts: small parts erase the same rows, in every kind of table.
func TestEraseInParts(t *testing.T) {
	s, _ := crawlstest.Open(t, crawls.Options{Starts: []string{"http://canary.test/"}})
	storetest.OK(t, eraseInParts(t.Context(), s.DB))
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
