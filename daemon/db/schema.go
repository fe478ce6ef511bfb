package db

import (
	"context"
	"database/sql"
	"errors"
	"slices"
)

// CheckSchema returns ErrNotNightjar when the schema of a database is not that of a new one: tables, indexes, views or triggers were
// added or changed, or are missing.
func CheckSchema(ctx context.Context, q Queryer) error {
	plain, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	plain.SetMaxOpenConns(1) // each connection has a database of its own
	const text = "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name"
	err = create(ctx, plain)
	want, werr := Query(ctx, plain, ScanText, text)
	has, herr := Query(ctx, q, ScanText, text)
	if err = errors.Join(err, werr, herr, plain.Close()); err == nil && !slices.Equal(has, want) {
		err = ErrNotNightjar
	}
	return err
}
