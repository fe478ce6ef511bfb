package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// recognize returns ErrNotNightjar for a database of another program, of which it changes nothing. Its size is not 0. It first
// reads the file alone, without the write-ahead log, for which SQLite would make a file beside it. The tables of a database
// that was never closed may be in that log only.
func recognize(ctx context.Context, path string) error {
	empty, err := recognizeBy(ctx, path, "?mode=ro&immutable=1")
	if Damaged(err) {
		return nil // that is told by whoever opens it
	}
	if _, serr := os.Stat(path + "-wal"); serr != nil || err == nil && !empty {
		return err
	}
	_, serr := os.Stat(path + "-shm")
	_, err = recognizeBy(ctx, path, "?mode=ro&_pragma=busy_timeout(10000)")
	if errors.Is(err, ErrNotNightjar) && errors.Is(serr, os.ErrNotExist) {
		_ = os.Remove(path + "-shm") // it was made for this look
	}
	return err
}

// recognizeBy reports whether a database has no tables yet, and returns ErrNotNightjar when it has those of another program.
func recognizeBy(ctx context.Context, path, how string) (empty bool, err error) {
	db, err := sql.Open("sqlite", FileURL(path)+how)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var version, tables, ours int
	if err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version), count(*),
		count(*) FILTER (WHERE name IN ('topics', 'sessions', 'events', 'settings'))
		FROM sqlite_schema WHERE type = 'table'`).Scan(&version, &tables, &ours); err != nil {
		return false, err
	}
	if empty = version == 0 && tables == 0; empty || ours == 4 && version > 0 {
		return empty, nil
	}
	return false, fmt.Errorf("%w: %s has tables of another program", ErrNotNightjar, path)
}
