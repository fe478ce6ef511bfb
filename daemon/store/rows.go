package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// wrap says of an error during what it happened; it is nil for no error.
func wrap(err error, doing string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// execute runs a statement.
func execute(ctx context.Context, q execer, text string, args ...any) error {
	_, err := q.ExecContext(ctx, text, args...)
	return err
}

// exec runs one statement in a transaction of its own.
func (s *Store) exec(ctx context.Context, text string, args ...any) error {
	_, err := s.change(ctx, text, args...)
	return err
}

// change is exec, and returns how many rows the statement changed.
func (s *Store) change(ctx context.Context, text string, args ...any) (n int64, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		n, err = affected(tx.ExecContext(ctx, text, args...))
		return err
	})
	return n, err
}

// must is exec for a statement that is to change a row. The error is none when it changes none.
func (s *Store) must(ctx context.Context, none error, text string, args ...any) error {
	n, err := s.change(ctx, text, args...)
	if err == nil && n == 0 {
		err = none
	}
	return err
}

// execAll runs statements with the same arguments.
func execAll(ctx context.Context, q execer, texts []string, args ...any) error {
	for _, text := range texts {
		if _, err := q.ExecContext(ctx, text, args...); err != nil {
			return err
		}
	}
	return nil
}

// affected returns how many rows a statement changed.
func affected(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// optional is the error of a read that may find no row: what it reads then keeps its value.
func optional(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// single returns the value of a read with one row and one column.
func single[T any](ctx context.Context, q queryer, text string, args ...any) (value T, err error) {
	err = q.QueryRowContext(ctx, text, args...).Scan(&value)
	return value, err
}

// query returns the rows of a read; scan reads one.
func query[T any](ctx context.Context, q queryer, scan func(scanner) (T, error), text string, args ...any) ([]T, error) {
	var all []T
	err := each(ctx, q, func(row scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, text, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// pairs returns the rows of a read with two columns as a map.
func pairs[K comparable, V any](ctx context.Context, q queryer, text string, args ...any) (map[K]V, error) {
	all := map[K]V{}
	err := each(ctx, q, func(row scanner) error {
		var k K
		var v V
		err := row.Scan(&k, &v)
		all[k] = v
		return err
	}, text, args...)
	return all, err
}

// each calls scan for each row of a read, until scan returns an error.
func each(ctx context.Context, q queryer, scan func(scanner) error, text string, args ...any) error {
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

// execer is a transaction or a pool of connections, for writing.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// queryer is a transaction or a pool of connections.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// scanner is one row of a result.
type scanner interface{ Scan(dest ...any) error }

func scanText(row scanner) (string, error) {
	var s string
	return s, row.Scan(&s)
}
