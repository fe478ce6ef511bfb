package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"nightjar/migrations"
)

// ErrNewer is returned for a database that a newer Nightjar wrote.
var ErrNewer = errors.New("the database was written by a newer nightjar")

// newest is the schema version this program knows.
func newest(files fs.FS) (steps []string, err error) {
	return fs.Glob(files, "*.sql")
}

// prepare creates a missing database file for its owner's eyes only, and refuses a newer one. It reads through a
// connection that cannot write: opened the ordinary way, even a refused file would be checkpointed.
func prepare(ctx context.Context, path string) error {
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
	how := "?mode=ro&_pragma=busy_timeout(10000)"
	if _, err := os.Stat(path + "-wal"); errors.Is(err, os.ErrNotExist) {
		how = "?mode=ro&immutable=1" // without a log there is nothing to share, and nothing is left beside the file
	}
	db, err := sql.Open("sqlite", fileURL(path)+how)
	if err != nil {
		return err
	}
	defer db.Close()
	steps, err := newest(migrations.Files)
	if err != nil {
		return err
	}
	_, err = schemaVersion(ctx, db, len(steps))
	return err
}

// schemaVersion reads the database's version and refuses one above known.
func schemaVersion(ctx context.Context, db *sql.DB, known int) (int, error) {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	if version > known {
		return 0, fmt.Errorf("%w: its schema is version %d, this program knows %d", ErrNewer, version, known)
	}
	return version, nil
}

// copyBefore writes a copy of a database that lacks steps beside it, for the case that the update goes wrong, and returns
// its path; "" when there is nothing to copy. It is named by the first step that is lacking: nightjar.db.before-0002.
func copyBefore(ctx context.Context, db *sql.DB, files fs.FS, path string) (string, error) {
	steps, err := newest(files)
	if err != nil {
		return "", err
	}
	version, err := schemaVersion(ctx, db, len(steps))
	if err != nil || version == 0 || version == len(steps) {
		return "", err
	}
	name := path + beforeSuffix + steps[version][:4]
	part := name + ".part" // a killed process leaves this, never half a copy under the name itself
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	if _, err = db.ExecContext(ctx, "VACUUM INTO ?", part); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("copy the database before its update: %w", err), os.Remove(part))
	}
	return name, os.Rename(part, name)
}

// beforeSuffix is what the name of a copy made before an update adds to the database's.
const beforeSuffix = ".before-"

// migrate applies the steps of files that the database lacks, each in a transaction of its own together with its
// number in user_version.
func migrate(ctx context.Context, db *sql.DB, files fs.FS) error {
	steps, err := newest(files)
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db, len(steps))
	if err != nil {
		return err
	}
	for i := version; i < len(steps); i++ {
		if err := apply(ctx, db, files, steps[i], i+1); err != nil {
			return fmt.Errorf("migration %s: %w", steps[i], err)
		}
	}
	return nil
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
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
