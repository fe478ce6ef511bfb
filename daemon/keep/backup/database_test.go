package backup

import (
	"slices"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store/storetest"
)

// TestTables: each table of the schema is in one kind of data, and so either in backups or one of this computer's own.
func TestTables(t *testing.T) {
	s := storetest.Open(t)
	tables, err := db.Query(t.Context(), s.Readers, db.ScanText, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil || len(tables) < 30 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	var known []string
	for _, k := range kinds {
		known = append(known, slices.Concat(k.restored, k.own)...)
	}
	slices.Sort(known)
	for _, table := range tables {
		if !slices.Contains(known, table) {
			t.Errorf("table %s is in no kind: say in kinds what it holds, and whether a backup holds it", table)
		}
	}
	for i, table := range known {
		if i > 0 && known[i-1] == table {
			t.Errorf("table %s is in two lists of kinds", table)
		}
		if !slices.Contains(tables, table) {
			t.Errorf("kinds names table %s, which the schema does not have", table)
		}
	}
}

// TestSizes: the sizes are those of the file, and a kind grows with its tables.
func TestSizes(t *testing.T) {
	s := storetest.Open(t)
	before := storetest.Must(Sizes(t.Context(), s.DB))(t)
	storetest.Must(s.Writer.Exec("INSERT INTO actions (at, kind, site) VALUES (1, 'refuse', hex(randomblob(500000)))"))(t)
	after := storetest.Must(Sizes(t.Context(), s.DB))(t)
	var sum int64
	for i, k := range after {
		sum += k.Bytes
		if grown := k.Bytes - before[i].Bytes; (k.Kind == "Crawls and finds") != (grown >= 1e6) {
			t.Errorf("%s grew by %d bytes", k.Kind, grown)
		}
	}
	if whole, err := Size(t.Context(), s.DB); err != nil || sum != whole {
		t.Errorf("the kinds take %d of %d bytes, %v", sum, whole, err)
	}
}
