package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
)

// Where no copy can be made, the database stays as it was.
func TestNoUpdateWithoutCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "testdata", 1)
	if err := os.MkdirAll(path+".before-0002.part/in the way", 0o700); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(t.Context(), path); err == nil {
		s.Close()
		t.Fatal("updated without a copy")
	}
	plain, err := sql.Open("sqlite", db.DSN(path, "rw", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	var version int
	if err := plain.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != 1 {
		t.Errorf("version %d, %v; want 1", version, err)
	}
}

func TestNewDatabaseIsNotCopied(t *testing.T) {
	s := open(t)
	if copies, err := s.Copies(); err != nil || len(copies) != 0 || s.Copied() != "" {
		t.Errorf("copies %v, %v, copied %q", copies, err, s.Copied())
	}
}

// Pages of before there was a search wait to be indexed after the update.
func TestUpdateQueuesOldPages(t *testing.T) {
	path := t.TempDir() + "/nightjar.db"
	dbtest.OldVersion(t, path, "testdata", 12)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	waiting := mustCount(t, s, "SELECT count(*) FROM search_queue")
	if pages := mustCount(t, s, "SELECT count(*) FROM pages"); waiting < pages || pages == 0 {
		t.Errorf("%d pages, %d wait", pages, waiting)
	}
}

// TestUpdateHidesMaps: topics of maps from before are hidden, unless the person used them.
func TestUpdateHidesMaps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "testdata", 18)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	names := must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT name FROM own_topics ORDER BY name`))(t)
	if want := []string{"A map with a feed", "A map with a marked find", "Curling", "Hockey", "Ice", "Pages like a community"}; !slices.Equal(names, want) {
		t.Errorf("topics %q, want %q", names, want)
	}
}

// TestSilencesMove: an update moves the silences that hosts asked for from the settings to the table of hosts, with the times
// of their last requests.
func TestSilencesMove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "testdata", 18)
	plain := must(sql.Open("sqlite", db.DSN(path, "rw", "")))(t)
	now := time.Now().Truncate(time.Second)
	late, past := now.Add(90*time.Minute), now.Add(-time.Minute)
	silent := fmt.Sprintf(`{"busy.test:8080": %q, "over.test": %q}`, late.Format(time.RFC3339Nano), past.UTC().Format(time.RFC3339))
	must(plain.Exec(`INSERT INTO settings VALUES ('silent', ?)`, silent))(t)
	must(plain.Exec(`INSERT INTO contacts (crawl_id, host, purpose, first_at, last_at) VALUES (1, 'asked.test', 'page', 1, ?)`, db.Millis(past)))(t)
	ok(t, plain.Close())
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	got, err := db.Query(t.Context(), s.Readers, db.ScanText, `SELECT host || ' ' || asked_at || ' ' || not_before || ' ' || why FROM hosts ORDER BY host`)
	want := []string{fmt.Sprintf("asked.test %d 0 ", db.Millis(past)), fmt.Sprintf("busy.test:8080 0 %d asked", db.Millis(late))}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM settings WHERE key = 'silent'"); n != 0 {
		t.Error("the setting is still there")
	}
}
