package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"nightjar/migrations"
)

// ErrNewer is returned for a database that a newer Nightjar wrote.
var ErrNewer = errors.New("the database was written by a newer nightjar")

// migrate applies the steps that the database lacks, each in a transaction of its own together with its number in
// user_version.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return err
	}
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if version > len(steps) {
		return fmt.Errorf("%w: its schema is version %d, this program knows %d", ErrNewer, version, len(steps))
	}
	for i := version; i < len(steps); i++ {
		if err := apply(ctx, db, steps[i], i+1); err != nil {
			return fmt.Errorf("migration %s: %w", steps[i], err)
		}
	}
	return nil
}

func apply(ctx context.Context, db *sql.DB, name string, version int) error {
	step, err := fs.ReadFile(migrations.Files, name)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing
	if _, err := tx.ExecContext(ctx, string(step)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return err
	}
	return tx.Commit()
}
