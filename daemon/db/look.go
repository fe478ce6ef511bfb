package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"

	"nightjar/migrations"
)

// Look opens the database at path only to read it: it creates, copies and migrates nothing, so that a database with a
// fault, or of another version, stays as it is. Every method that writes fails.
func Look(ctx context.Context, path string, o Options) (*DB, error) {
	db := openReaders(&sqlite.Driver{}, toLook(path), o.Views)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), db.Close())
	}
	return &DB{Now: time.Now, path: path, Writer: db, Readers: db, looks: true}, nil
}

// toLook is the data source name of a database that is only read.
func toLook(path string) string {
	return FileURL(path) + "?mode=ro&_pragma=busy_timeout(5000)"
}

// Schema returns the number of the database's last migration, and that of this program.
func (d *DB) Schema(ctx context.Context) (has, knows int, err error) {
	steps, err := MigrationNames(migrations.Files)
	if err != nil {
		return 0, 0, err
	}
	err = d.Readers.QueryRowContext(ctx, "PRAGMA user_version").Scan(&has)
	return has, len(steps), err
}

// ErrOlder says that the database has an older schema, which a reader cannot update.
var ErrOlder = errors.New("an older Nightjar wrote the database")

// OpenReadOnly is Look for a database with the schema of this program. Otherwise the error is ErrOlder or ErrNewer; it
// wraps os.ErrNotExist if there is no database.
func OpenReadOnly(ctx context.Context, path string, o Options) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d, err := Look(ctx, path, o)
	if err != nil {
		return nil, err
	}
	has, knows, err := d.Schema(ctx)
	switch {
	case err == nil && has > knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrNewer, has, knows)
	case err == nil && has < knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrOlder, has, knows)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), d.Close())
	}
	return d, nil
}
