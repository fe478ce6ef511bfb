package sessions

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/store"
)

// columns lists the tables that have rows, with their columns; without those that a later step dropped unread, and without
// the last numbers of queues, to which a later step adds its own.
func columns(tb testing.TB, path string) []string {
	tb.Helper()
	plain, err := sql.Open("sqlite", db.DSN(path, "rw", ""))
	if err != nil {
		tb.Fatal(err)
	}
	defer plain.Close()
	all, err := db.Query(tb.Context(), plain, db.ScanText, `SELECT 'SELECT ' || group_concat('quote(' || c.name || ')', ' || ''|'' || ')
		|| ' FROM ' || t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT IN ('links', 'sqlite_sequence')
			AND (t.name, c.name) NOT IN (VALUES ('fetches', 'took_ms'), ('fetches', 'not_modified'), ('stopped', 'at'),
			('pages', 'visited_at'), ('visits', 'at'), ('marks', 'at'), ('events', 'received_at'),
			('contents', 'size'), ('erased', 'at'), ('hosts', 'sitemaps_at'), ('hosts', 'sitemaps'),
			('frontier', 'second'), ('learned', 'second')) GROUP BY t.name ORDER BY t.name`)
	if err != nil {
		tb.Fatal(err)
	}
	for i, text := range all {
		if strings.HasSuffix(text, " FROM frontier") {
			all[i] = strings.Replace(text, "quote(state)", statePath, 1)
		}
	}
	return all
}

// updated are the columns as they are read after the update: step 7 moved frontier.state to path.
func updated(columns []string) []string {
	var all []string
	for _, text := range columns {
		if strings.HasSuffix(text, " FROM frontier") {
			text = strings.Replace(text, statePath, "quote(CAST(coalesce(path, '') AS TEXT))", 1)
		}
		all = append(all, text)
	}
	return all
}

// statePath reads a path's state before step 7; '{}' was that of a strategy without one.
const statePath = "quote(replace(state, '{}', ''))"

// contents lists every row of the tables and columns.
func contents(tb testing.TB, path string, columns []string) string {
	tb.Helper()
	plain, err := sql.Open("sqlite", db.DSN(path, "rw", ""))
	if err != nil {
		tb.Fatal(err)
	}
	defer plain.Close()
	var out strings.Builder
	for _, text := range columns {
		rows, err := db.Query(tb.Context(), plain, db.ScanText, text)
		if err != nil {
			tb.Fatal(err)
		}
		if len(rows) == 0 && !strings.HasSuffix(text, "erased") && !strings.HasSuffix(text, "withheld") {
			tb.Errorf("%s finds no rows: the test proves little", text)
		}
		_, table, _ := strings.Cut(text, " FROM ")
		out.WriteString(table + "\n" + strings.Join(rows, "\n") + "\n")
	}
	return out.String()
}

func TestUpdateFromVersionOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [folder] with %20")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 1)
	tables := columns(t, path)
	before := contents(t, path, tables)
	if err := os.WriteFile(path+".before-0002.part", []byte("half a copy"), 0o600); err != nil { // of a killed process
		t.Fatal(err)
	}

	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Copied() != path+".before-0002" {
		t.Errorf("copied to %q", s.Copied())
	}
	if _, err := topics.Combine(t.Context(), s.DB, "Ice", []int64{1, 2}); err != nil {
		t.Errorf("combine in the updated database: %v", err)
	}
	if _, err := s.Writer.Exec("DELETE FROM combined; DELETE FROM topics WHERE name = 'Ice'"); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if after := contents(t, path, updated(tables)); after != before {
		t.Errorf("after the update\n%s\nbefore\n%s", after, before)
	}
	if kept := contents(t, path+".before-0002", tables); kept != before {
		t.Errorf("the copy holds\n%s\nwant\n%s", kept, before)
	}
	info, err := os.Stat(path + ".before-0002")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v, %v", info.Mode(), err)
	}
	if _, err := os.Stat(path + ".before-0002.part"); err == nil {
		t.Error("half a copy is left")
	}

	// Opened again there is nothing to update, and the copy stays until everything is erased.
	s, err = store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if copies, err := s.Copies(); err != nil || len(copies) != 1 || s.Copied() != "" {
		t.Errorf("opened again: copies %v, %v, copied %q", copies, err, s.Copied())
	}
	if err := Keep.EraseAll(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if copies, err := s.Copies(); err != nil || len(copies) != 0 {
		t.Errorf("after everything was erased: copies %v, %v", copies, err)
	}
	grepFiles(t, s, "ice.test")
}

// What the snapshots of an open session showed before the update still counts when more of them come.
func TestUpdateKeepsWhatSnapshotsShow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 1)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	shows := func(want string) {
		t.Helper()
		var title string
		if err := s.Readers.QueryRow("SELECT title FROM visits WHERE load = '01890a5d-ac96-774b-bcce-b302099a8057'").Scan(&title); err != nil || title != want {
			t.Errorf("the visit's title is %q, %v; want %q", title, err, want)
		}
	}
	m := maker(1)
	m.Client, m.Session = "5e0d1a3c-8f52-4c26-9d3a-0b1c2d3e4f50", "01890a5d-ac96-774b-bcce-b302099a8000"
	snapshot := func(seq int64, html string) protocol.Event {
		e := m.Snapshot("01890a5d-ac96-774b-bcce-b302099a8057", []byte(html))
		e.Seq = seq
		return e
	}
	shows("Shown last")
	mustIngest(t, s, snapshot(3, "<title>Late word of an early snapshot</title>"))
	shows("Shown last")
	mustIngest(t, s, snapshot(9, "<p>no title"))
	shows("Shown last")
	mustIngest(t, s, snapshot(10, "<title>New</title>"))
	shows("New")
}
