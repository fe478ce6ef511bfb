package db

import (
	"context"
	"database/sql"
)

// runner is a transaction or a pool of connections.
type runner interface {
	Execer
	Queryer
}

// Work is a transaction, or several reads, up to its first error. After that it runs no statement, changes nothing and reads zero
// values, so that a function need not look at the error of each step: it is enough that whoever began the work does. Only a loop that
// goes on until something is read, and what takes the first of several rows, must look at err.
type Work struct {
	Ctx context.Context
	Q   runner
	Tx  *sql.Tx // nil for reads
	Err error
}

// Commit runs f in one transaction, and commits it unless the work has failed.
func (d *DB) Commit(ctx context.Context, f func(*Work)) error {
	return d.Write(ctx, func(tx *sql.Tx) error { return Within(ctx, tx, f) })
}

// Within runs f in a transaction that somebody else ends.
func Within(ctx context.Context, tx *sql.Tx, f func(*Work)) error {
	w := &Work{Ctx: ctx, Q: tx, Tx: tx}
	f(w)
	return w.Err
}

// CommitUrgent is Commit for what a browser waits for: it goes before others that wait.
func (d *DB) CommitUrgent(ctx context.Context, f func(*Work)) error {
	return d.write(ctx, true, func(tx *sql.Tx) error { return Within(ctx, tx, f) })
}

// Reads begins reads that see what is committed then, each for itself.
func (d *DB) Reads(ctx context.Context) *Work { return &Work{Ctx: ctx, Q: d.Readers} }

// Fail ends the work with an error, unless it has failed before.
func (w *Work) Fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// Do runs a step that is not written for a work.
func (w *Work) Do(step func(context.Context, *sql.Tx) error) {
	if w.Err == nil {
		w.Err = step(w.Ctx, w.Tx)
	}
}

// Exec runs a statement.
func (w *Work) Exec(text string, args ...any) { w.Change(text, args...) }

// Change is Exec, and returns how many rows the statement changed.
func (w *Work) Change(text string, args ...any) (n int64) {
	if w.Err == nil {
		n, w.Err = Affected(w.Q.ExecContext(w.Ctx, text, args...))
	}
	return n
}

// ExecAll runs statements with the same arguments.
func (w *Work) ExecAll(texts []string, args ...any) {
	for _, text := range texts {
		w.Exec(text, args...)
	}
}

// Must is Exec for a statement that is to change a row. The work fails with none when it changes none.
func (w *Work) Must(none error, text string, args ...any) {
	if w.Change(text, args...) == 0 {
		w.Fail(none)
	}
}

// Has reads whether a condition is true: a query with one row and one column.
func (w *Work) Has(text string, args ...any) bool { return Value[bool](w, text, args...) }

// Each calls scan for each row of a read, until scan returns an error.
func (w *Work) Each(scan func(Scanner) error, text string, args ...any) {
	if w.Err == nil {
		w.Err = Each(w.Ctx, w.Q, scan, text, args...)
	}
}

// oneRow is a read of at most one row.
type oneRow struct {
	w   *Work
	row *sql.Row // nil after an error
}

// Row reads at most one row.
func (w *Work) Row(text string, args ...any) oneRow {
	if w.Err != nil {
		return oneRow{w: w}
	}
	return oneRow{w, w.Q.QueryRowContext(w.Ctx, text, args...)}
}

// Find reads the row, and reports whether there is one.
func (r oneRow) Find(into ...any) bool {
	if r.row == nil {
		return false
	}
	err := r.row.Scan(into...)
	there := err == nil
	if err = Optional(err); err != nil {
		r.w.Fail(err)
	}
	return there
}

// Read reads the row. The work fails with ErrNotFound when there is none.
func (r oneRow) Read(into ...any) {
	if !r.Find(into...) {
		r.w.Fail(ErrNotFound)
	}
}

// Scan is Find for a function that scans a row.
func (r oneRow) Scan(into ...any) error {
	if r.row == nil {
		return r.w.Err
	}
	return r.row.Scan(into...)
}

// Value returns the value of a read with one column. The work fails with ErrNotFound when there is no row.
func Value[T any](w *Work, text string, args ...any) (v T) {
	w.Row(text, args...).Read(&v)
	return v
}

// First returns the first row of a read. The work fails with ErrNotFound when there is none.
func First[T any](w *Work, scan func(Scanner) (T, error), text string, args ...any) (one T) {
	one, err := Found(scan(w.Row(text, args...)))
	w.Fail(err)
	return one
}

// List returns the rows of a read; scan reads one.
func List[T any](w *Work, scan func(Scanner) (T, error), text string, args ...any) (all []T) {
	if w.Err == nil {
		all, w.Err = Query(w.Ctx, w.Q, scan, text, args...)
	}
	return all
}

// Mapped returns the rows of a read with two columns as a map.
func Mapped[K comparable, V any](w *Work, text string, args ...any) (all map[K]V) {
	if w.Err == nil {
		all, w.Err = Pairs[K, V](w.Ctx, w.Q, text, args...)
	}
	return all
}
