package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/migrations"
)

// ErrNewer says that a newer Nightjar wrote the database.
var ErrNewer = errors.New("a newer Nightjar wrote the database")

// ErrNotNightjar says that a file is not a database of Nightjar.
var ErrNotNightjar = errors.New("this is not a database of Nightjar")

// MigrationNames returns the names of the migrations in order. Their number is the schema version of this program.
func MigrationNames(files fs.FS) ([]string, error) {
	return fs.Glob(files, "*.sql")
}

// prepare creates a missing database file, readable by its owner only, and refuses a newer one and that of another program. It uses a read-only
// connection, since another one would checkpoint even a refused file.
func prepare(ctx context.Context, path string, tables []string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if info.Size() == 0 {
		return nil
	}
	if err := recognize(ctx, path, tables); err != nil {
		return err
	}
	how := "?mode=ro&_pragma=busy_timeout(10000)"
	if _, err := os.Stat(path + "-wal"); errors.Is(err, os.ErrNotExist) {
		how = "?mode=ro&immutable=1" // no log, so nobody writes; this leaves no files beside the database
	}
	db, err := sql.Open("sqlite", FileURL(path)+how)
	if err != nil {
		return err
	}
	defer db.Close()
	steps, err := MigrationNames(migrations.Files)
	if err != nil {
		return err
	}
	_, err = SchemaVersion(ctx, db, len(steps))
	return err
}

// SchemaVersion reads the database's version and refuses one above known.
func SchemaVersion(ctx context.Context, db *sql.DB, known int) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version > known {
		return 0, fmt.Errorf("%w: its schema has version %d, this program supports version %d", ErrNewer, version, known)
	}
	return version, nil
}

// copyBefore copies a database that must be migrated to a file beside it, in case the migration goes wrong, and returns
// the copy's path, or "" when there is nothing to migrate. The name has the number of the first migration to apply:
// nightjar.db.before-0002.
func copyBefore(ctx context.Context, db *sql.DB, files fs.FS, path string) (string, error) {
	steps, err := MigrationNames(files)
	if err != nil {
		return "", err
	}
	version, err := SchemaVersion(ctx, db, len(steps))
	if err != nil || version == 0 || version == len(steps) {
		return "", err
	}
	failpoint.Here("store.migrate.before-copy")
	name := path + beforeSuffix + steps[version][:4]
	part := name + leftovers.Part // so that a killed process leaves no incomplete copy under the final name
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", part)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("copy the database before its migration: %w", err), os.Remove(part))
	}
	failpoint.Here("store.migrate.copy-written")
	return name, durable.Rename(part, name)
}

// beforeSuffix follows the database's name in the name of a copy made before a migration.
const beforeSuffix = ".before-"

// Migrate applies the migrations that the database lacks, each in a separate transaction, which also sets user_version
// to the migration's number.
func Migrate(ctx context.Context, db *sql.DB, files fs.FS) error {
	steps, err := MigrationNames(files)
	if err != nil {
		return err
	}
	version, err := SchemaVersion(ctx, db, len(steps))
	if err != nil {
		return err
	}
	failpoint.Here("store.migrate.copied")
	for i := version; i < len(steps); i++ {
		if err := apply(ctx, db, files, steps[i], i+1); err != nil {
			return fmt.Errorf("migration %s: %w", steps[i], err)
		}
		failpoint.Here("store.migrate.step-committed")
	}
	return nil
}

// create makes the tables of a new database at once. One migration after another takes ten times as long, since each ALTER TABLE
// reads the whole schema again.
func create(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version > 0 {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, migrations.New); err != nil {
		return err
	}
	return tx.Commit()
}

func apply(ctx context.Context, db *sql.DB, files fs.FS, name string, version int) error {
	step, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, string(step)); err != nil {
		return err
	}
	failpoint.Here("store.migrate.step-applied")
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	failpoint.Here("store.migrate.before-commit")
	return tx.Commit()
}

// recognize returns ErrNotNightjar for a database of another program, of which it changes nothing. Its size is not 0. It first
// reads the file alone, without the write-ahead log, for which SQLite would make a file beside it. The tables of a database
// that was never closed may be in that log only.
func recognize(ctx context.Context, path string, tables []string) error {
	empty, err := recognizeBy(ctx, path, tables, "?mode=ro&immutable=1")
	if Damaged(err) {
		return nil // that is told by whoever opens it
	}
	if _, serr := os.Stat(path + "-wal"); serr != nil || err == nil && !empty {
		return err
	}
	_, serr := os.Stat(path + "-shm")
	_, err = recognizeBy(ctx, path, tables, "?mode=ro&_pragma=busy_timeout(10000)")
	if errors.Is(err, ErrNotNightjar) && errors.Is(serr, os.ErrNotExist) {
		_ = os.Remove(path + "-shm") // it was made for this look
	}
	return err
}

// recognizeBy reports whether a database has no tables yet, and returns ErrNotNightjar when it has those of another program.
func recognizeBy(ctx context.Context, path string, tables []string, how string) (empty bool, err error) {
	db, err := sql.Open("sqlite", FileURL(path)+how)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var version, all, ours int
	if err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), count(*),
		count(*) FILTER (WHERE name IN (SELECT value FROM json_each(?)))
		FROM sqlite_schema WHERE type = 'table'`, JSONList(tables)).Scan(&version, &all, &ours); err != nil {
		return false, err
	}
	if empty = version == 0 && all == 0; empty || ours == len(tables) && version > 0 {
		return empty, nil
	}
	return false, fmt.Errorf("%w: %s has tables of another program", ErrNotNightjar, path)
}
