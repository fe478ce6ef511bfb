package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Wrap says of an error during what it happened; it is nil for no error.
func Wrap(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// Execute runs a statement.
func Execute(ctx context.Context, q Execer, text string, args ...any) error {
	_, err := q.ExecContext(ctx, text, args...)
	return err
}

// Exec runs one statement in a transaction of its own.
func (d *DB) Exec(ctx context.Context, text string, args ...any) error {
	_, err := d.Change(ctx, text, args...)
	return err
}

// Change is Exec, and returns how many rows the statement changed.
func (d *DB) Change(ctx context.Context, text string, args ...any) (n int64, err error) {
	err = d.Write(ctx, func(tx *sql.Tx) error {
		n, err = Affected(tx.ExecContext(ctx, text, args...))
		return err
	})
	return n, err
}

// Must is Exec for a statement that is to change a row. The error is none when it changes none.
func (d *DB) Must(ctx context.Context, none error, text string, args ...any) error {
	n, err := d.Change(ctx, text, args...)
	if err == nil && n == 0 {
		err = none
	}
	return err
}

// ExecAll runs statements with the same arguments.
func ExecAll(ctx context.Context, q Execer, texts []string, args ...any) error {
	for _, text := range texts {
		if _, err := q.ExecContext(ctx, text, args...); err != nil {
			return err
		}
	}
	return nil
}

// Affected returns how many rows a statement changed.
func Affected(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// Found turns "no rows" into ErrNotFound.
func Found[T any](value T, err error) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	return value, err
}

// Optional is the error of a read that may find no row: what it reads then keeps its value.
func Optional(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// Single returns the value of a read with one row and one column.
func Single[T any](ctx context.Context, q Queryer, text string, args ...any) (value T, err error) {
	err = q.QueryRowContext(ctx, text, args...).Scan(&value)
	return value, err
}

// Query returns the rows of a read; scan reads one.
func Query[T any](ctx context.Context, q Queryer, scan func(Scanner) (T, error), text string, args ...any) ([]T, error) {
	var all []T
	err := Each(ctx, q, func(row Scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, text, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Pairs returns the rows of a read with two columns as a map.
func Pairs[K comparable, V any](ctx context.Context, q Queryer, text string, args ...any) (map[K]V, error) {
	all := map[K]V{}
	err := Each(ctx, q, func(row Scanner) error {
		var k K
		var v V
		err := row.Scan(&k, &v)
		all[k] = v
		return err
	}, text, args...)
	return all, err
}

// Each calls scan for each row of a read, until scan returns an error.
func Each(ctx context.Context, q Queryer, scan func(Scanner) error, text string, args ...any) error {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Execer is a transaction or a pool of connections, for writing.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Queryer is a transaction or a pool of connections.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Scanner is one row of a result.
type Scanner interface{ Scan(dest ...any) error }

func ScanText(row Scanner) (string, error) {
	var s string
	return s, row.Scan(&s)
}

func ScanID(row Scanner) (int64, error) {
	var id int64
	return id, row.Scan(&id)
}

func ScanBytes(row Scanner) ([]byte, error) {
	var b []byte
	return b, row.Scan(&b)
}

// Missing turns "no rows" into ErrNotFound, and wraps other errors with the failed operation.
func Missing(err error, doing string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return Wrap(err, "%s", doing)
}
