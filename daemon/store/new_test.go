package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/migrations"
)

// TestGoldenNew: a new database is, but for the place of its pages, what all migrations together make of an empty one: its tables,
// indexes and triggers in the same order and with the same text, every row, and the settings in the file.
func TestGoldenNew(t *testing.T) {
	migrated := migrated(t)
	if *update {
		ok(t, os.WriteFile(filepath.FromSlash("../../migrations/new/schema.sql"), []byte(script(t, migrated)), 0o644))
		return // the file is compiled into this test
	}
	if script(t, migrated) != migrations.New {
		t.Error("the script for new databases is not that of all migrations; run with -update")
	}
	s := must(Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db")))(t)
	defer s.Close()
	want, got := everything(t, migrated), everything(t, s.Readers)
	if len(want) < 200 {
		t.Fatalf("only %d lines tell of a database", len(want))
	}
	if !slices.Equal(got, want) {
		t.Errorf("a new database is not what migrations make: %s", firstDifference(got, want))
	}
	ok(t, s.Check(t.Context()))
}

// migrated is a database that all migrations made.
func migrated(tb testing.TB) *sql.DB {
	tb.Helper()
	plain, err := sql.Open("sqlite", db.DSN(filepath.Join(tb.TempDir(), "nightjar.db"), "rwc", ""))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = plain.Close() }) // it is in the test's folder
	ok(tb, db.Migrate(tb.Context(), plain, migrations.Files))
	return plain
}

// texts are the rows of a query, which gives one text each.
func texts(tb testing.TB, plain *sql.DB, query string) []string {
	tb.Helper()
	return must(db.Query(tb.Context(), plain, db.ScanText, query))(tb)
}

// tableRows are the rows of a table, as SQL writes them.
func tableRows(tb testing.TB, plain *sql.DB, table string) []string {
	tb.Helper()
	columns := texts(tb, plain, `SELECT 'quote("' || name || '")' FROM pragma_table_info('`+table+`') ORDER BY cid`)
	return texts(tb, plain, fmt.Sprintf(`SELECT %s FROM "%s" ORDER BY 1`, strings.Join(columns, " || ', ' || "), table))
}

// everything lists the settings in a database's file, its schema in its order, and every row.
func everything(tb testing.TB, plain *sql.DB) (all []string) {
	tb.Helper()
	for _, pragma := range []string{"user_version", "application_id", "encoding", "page_size", "auto_vacuum", "journal_mode"} {
		all = append(all, pragma+" "+texts(tb, plain, "PRAGMA "+pragma)[0])
	}
	all = append(all, texts(tb, plain, "SELECT type || ' ' || name || ' on ' || tbl_name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")...)
	for _, table := range texts(tb, plain, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'virtual' AND name <> 'sqlite_schema' ORDER BY name") {
		for _, row := range tableRows(tb, plain, table) {
			all = append(all, table+": "+row)
		}
	}
	return all
}

// script makes the database: its statements in their order, then its rows. SQLite makes its own tables itself, and so does FTS5 those
// of an index of words.
func script(tb testing.TB, plain *sql.DB) string {
	tb.Helper()
	var out strings.Builder
	out.WriteString("-- What all migrations together make. Written by go test ./daemon/store -run TestGoldenNew -update\n")
	for _, text := range texts(tb, plain, `SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
		AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`) {
		out.WriteString("\n" + text + "\n")
	}
	for _, table := range texts(tb, plain, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema' ORDER BY name") {
		for _, row := range tableRows(tb, plain, table) {
			fmt.Fprintf(&out, "\nINSERT INTO %s VALUES (%s);\n", table, row)
		}
	}
	fmt.Fprintf(&out, "\nPRAGMA user_version = %s;\n", texts(tb, plain, "PRAGMA user_version")[0])
	return out.String()
}
