// Package kept keeps the statements that a connection to SQLite ran last: preparing one often takes longer than running it.
//
// Each connection keeps them by their text. While a statement runs, or its rows are read, it is not among them: the same text is
// then prepared once more. SQLite itself prepares a statement again after the schema has changed. database/sql lets one goroutine
// at a time use a connection.
package kept

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
)

// Most bounds the statements that a connection keeps.
const Most = 128

// Connections opens connections that keep statements; it is a driver.Connector.
type Connections struct {
	Of    driver.Driver
	DSN   string
	Begin func(context.Context, driver.Conn) error // prepares a new connection for its use; may be nil
}

// Driver returns the driver of the connections.
func (c Connections) Driver() driver.Driver { return c.Of }

// Connect opens a connection.
func (c Connections) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Of.Open(c.DSN)
	if err != nil {
		return nil, err
	}
	plain, ok := opened.(Conn)
	if !ok {
		err = errors.New("the driver's connections lack methods")
	} else if c.Begin != nil {
		err = c.Begin(ctx, opened)
	}
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return &keeper{Conn: plain}, nil
}

// Conn is what database/sql asks of the driver's connections.
type Conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// Stmt is what database/sql asks of the driver's prepared statements.
type Stmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keeper is a connection that keeps statements.
type keeper struct {
	Conn
	idle []kept // the one used last is the last
}

type kept struct {
	Stmt
	text string
}

// keeps reports whether a statement may be kept. Some others, as PRAGMA, already act when they are prepared.
func keeps(text string) bool {
	verb, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), " ")
	return slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}, verb)
}

// take returns the statement with a text, which is kept no longer.
func (k *keeper) take(ctx context.Context, text string) (kept, error) {
	if i := slices.IndexFunc(k.idle, func(s kept) bool { return s.text == text }); i >= 0 {
		s := k.idle[i]
		k.idle = slices.Delete(k.idle, i, i+1)
		return s, nil
	}
	prepared, err := k.PrepareContext(ctx, text)
	if err != nil {
		return kept{}, err
	}
	plain, ok := prepared.(Stmt)
	if !ok {
		return kept{}, errors.Join(errors.New("the driver's statements lack methods"), prepared.Close())
	}
	return kept{plain, text}, nil
}

// keep keeps a statement, unless it failed, and closes the one that was not used for the longest time. It returns the error of the
// statement, if any.
func (k *keeper) keep(s kept, err error) error {
	if err != nil {
		_ = s.Close() // it repeats the error
		return err
	}
	if k.idle = append(k.idle, s); len(k.idle) > Most {
		err = k.idle[0].Close()
		k.idle = slices.Delete(k.idle, 0, 1)
	}
	return err
}

func (k *keeper) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if !keeps(text) {
		return k.Conn.ExecContext(ctx, text, args)
	}
	s, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(ctx, args)
	return result, k.keep(s, err)
}

func (k *keeper) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if !keeps(text) {
		return k.Conn.QueryContext(ctx, text, args)
	}
	s, err := k.take(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, k.keep(s, err)
	}
	return &keptRows{Rows: rows, of: s, keeper: k}, nil
}

// Close closes the connection with its statements.
func (k *keeper) Close() (err error) {
	for _, s := range k.idle {
		err = errors.Join(err, s.Close())
	}
	k.idle = nil
	return errors.Join(err, k.Conn.Close())
}

// keptRows are the rows of a statement that is kept once they are closed.
type keptRows struct {
	driver.Rows
	of     kept
	keeper *keeper
	failed error
}

func (r *keptRows) Next(into []driver.Value) error {
	err := r.Rows.Next(into)
	if err != nil && err != io.EOF {
		r.failed = err
	}
	return err
}

func (r *keptRows) Close() error {
	err := r.Rows.Close()
	if failed := r.keeper.keep(r.of, errors.Join(r.failed, err)); r.failed == nil && err == nil {
		return failed
	}
	return err
}
