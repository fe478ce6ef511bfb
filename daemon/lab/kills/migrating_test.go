package kills

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/migrations"
)

// steps are the migrations, in order.
func steps(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// execute runs statements on a database, which it creates.
func execute(t *testing.T, path string, texts ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(path)+"?mode=rwc&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range texts {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
}

// step is a migration and the number that it sets, for execute.
func step(t *testing.T, i int, name string) string {
	t.Helper()
	text, err := fs.ReadFile(migrations.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s;\nPRAGMA user_version = %d", text, i+1)
}

// olderDatabase writes the database of a version, with the rows that each version up to it brought.
func olderDatabase(t *testing.T, path string, version int) {
	t.Helper()
	for i, name := range steps(t)[:version] {
		rows, err := os.ReadFile(filepath.Join(root, "daemon/store/testdata", fmt.Sprintf("version%d.sql", i+1)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		execute(t, path, step(t, i, name), string(rows))
	}
}

// dump is the schema and every row of a database.
func dump(t *testing.T, path string) []string {
	t.Helper()
	db := look(t, path)
	defer db.Close()
	all := lines(t, db, "SELECT 'version', user_version FROM pragma_user_version")
	all = append(all, lines(t, db, "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2")...)
	for _, table := range lines(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") {
		rows := lines(t, db, `SELECT * FROM "`+table+`"`)
		slices.Sort(rows)
		for _, row := range rows {
			all = append(all, table+": "+row)
		}
	}
	return all
}

// TestMigrating ends the program twice while it updates the database of each earlier version. What is there after a kill is the
// database of one version, whole, as if the steps up to it had been applied by hand; a copy of the old one is beside it; and in
// the end the update is complete.
func TestMigrating(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(5, uint64(kills())))
	var mu sync.Mutex
	next := 0
	newest := len(steps(t))
	rounds(t, kills(), placesOf(migrating), func(t *testing.T, place string) {
		mu.Lock()
		version := 1 + next*7%(newest-1) // each in turn
		next++
		lot := random.IntN(1000)
		mu.Unlock()
		stepwise := strings.Contains(place, "step") || place == "store.migrate.before-commit"
		dir := t.TempDir()
		data, byHand := filepath.Join(dir, "data"), filepath.Join(dir, "by-hand.db")
		if err := os.Mkdir(data, 0o700); err != nil {
			t.Fatal(err)
		}
		olderDatabase(t, database(data), version)
		if err := copyFile(database(data), byHand); err != nil {
			t.Fatal(err)
		}
		before := dump(t, byHand)
		at := version
		for again := 0; again < 2 && at < newest; again++ {
			pass := 1
			if stepwise {
				pass += (lot >> again) % (newest - at)
			}
			l := serve(t, plan{place: place, pass: pass}, data)
			if l.ready() {
				t.Fatalf("the update did not come to %s %d times", place, pass)
			}
			at = sameAsByHand(t, database(data), byHand, at)
		}
		withStore(t, data, func(*store.Store) {})
		if at = sameAsByHand(t, database(data), byHand, at); at != newest {
			t.Errorf("the database has version %d in the end", at)
		}
		kept := fmt.Sprintf("%s.before-%04d", database(data), version+1)
		sound(t, kept)
		same(t, "the copy", dump(t, kept), before)
		left, err := filepath.Glob(filepath.Join(data, "*.part*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}

// sameAsByHand compares a database with one to which the steps are applied by hand, from version from on, and returns its
// version.
func sameAsByHand(t *testing.T, path, byHand string, from int) (version int) {
	t.Helper()
	sound(t, path)
	db := look(t, path)
	version = count(t, db, "SELECT user_version FROM pragma_user_version")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for i, name := range steps(t) {
		if i >= from && i < version {
			execute(t, byHand, step(t, i, name))
		}
	}
	if version < from {
		t.Errorf("version %d after %d", version, from)
	}
	same(t, fmt.Sprint("version ", version), dump(t, path), dump(t, byHand))
	return version
}
