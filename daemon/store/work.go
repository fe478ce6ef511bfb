package store

import (
	"context"
	"database/sql"
)

// work is a transaction, or several reads, up to its first error. After that it runs no statement, changes nothing and reads zero
// values, so that a function need not look at the error of each step: it is enough that whoever began the work does. Only a loop that
// goes on until something is read, and what takes the first of several rows, must look at err.
type work struct {
	ctx context.Context
	q   runner
	tx  *sql.Tx // nil for reads
	err error
}

// commit runs f in one transaction, and commits it unless the work has failed.
func (s *Store) commit(ctx context.Context, f func(*work)) error {
	return s.write(ctx, func(tx *sql.Tx) error { return within(ctx, tx, f) })
}

// within runs f in a transaction that somebody else ends.
func within(ctx context.Context, tx *sql.Tx, f func(*work)) error {
	w := &work{ctx: ctx, q: tx, tx: tx}
	f(w)
	return w.err
}

// commitEvents is commit for events, whose statements are kept prepared. Where a browser waits for them, they go first.
func (s *Store) commitEvents(ctx context.Context, first bool, f func(*work)) error {
	if err := s.turns.take(ctx, first); err != nil {
		return err
	}
	defer s.turns.end()
	s.events.prepare(ctx, s.w)
	return s.writeOn(ctx, s.w, func(tx *sql.Tx) error {
		w := &work{ctx: ctx, q: quick{tx, s.events}, tx: tx}
		f(w)
		return w.err
	})
}

// reads begins reads that see what is committed then, each for itself.
func (s *Store) reads(ctx context.Context) *work { return &work{ctx: ctx, q: s.r} }

// fail ends the work with an error, unless it has failed before.
func (w *work) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// do runs a step that is not written for a work.
func (w *work) do(step func(context.Context, *sql.Tx) error) {
	if w.err == nil {
		w.err = step(w.ctx, w.tx)
	}
}

// exec runs a statement.
func (w *work) exec(text string, args ...any) { w.change(text, args...) }

// change is exec, and returns how many rows the statement changed.
func (w *work) change(text string, args ...any) (n int64) {
	if w.err == nil {
		n, w.err = affected(w.q.ExecContext(w.ctx, text, args...))
	}
	return n
}

// execAll runs statements with the same arguments.
func (w *work) execAll(texts []string, args ...any) {
	for _, text := range texts {
		w.exec(text, args...)
	}
}

// prepare returns a function that runs a statement, which is prepared once.
func (w *work) prepare(text string) func(args ...any) {
	if w.err != nil {
		return func(...any) {}
	}
	stmt, err := w.tx.PrepareContext(w.ctx, text) // the end of the transaction closes it
	w.fail(err)
	return func(args ...any) {
		if w.err == nil {
			_, w.err = stmt.ExecContext(w.ctx, args...)
		}
	}
}

// must is exec for a statement that is to change a row. The work fails with none when it changes none.
func (w *work) must(none error, text string, args ...any) {
	if w.change(text, args...) == 0 {
		w.fail(none)
	}
}

// has reads whether a condition is true: a query with one row and one column.
func (w *work) has(text string, args ...any) bool { return value[bool](w, text, args...) }

// each calls scan for each row of a read, until scan returns an error.
func (w *work) each(scan func(scanner) error, text string, args ...any) {
	if w.err == nil {
		w.err = each(w.ctx, w.q, scan, text, args...)
	}
}

// oneRow is a read of at most one row.
type oneRow struct {
	w   *work
	row *sql.Row // nil after an error
}

// row reads at most one row.
func (w *work) row(text string, args ...any) oneRow {
	if w.err != nil {
		return oneRow{w: w}
	}
	return oneRow{w, w.q.QueryRowContext(w.ctx, text, args...)}
}

// find reads the row, and reports whether there is one.
func (r oneRow) find(into ...any) bool {
	if r.row == nil {
		return false
	}
	err := r.row.Scan(into...)
	there := err == nil
	if err = optional(err); err != nil {
		r.w.fail(err)
	}
	return there
}

// read reads the row. The work fails with ErrNotFound when there is none.
func (r oneRow) read(into ...any) {
	if !r.find(into...) {
		r.w.fail(ErrNotFound)
	}
}

// Scan is find for a function that scans a row.
func (r oneRow) Scan(into ...any) error {
	if r.row == nil {
		return r.w.err
	}
	return r.row.Scan(into...)
}

// value returns the value of a read with one column. The work fails with ErrNotFound when there is no row.
func value[T any](w *work, text string, args ...any) (v T) {
	w.row(text, args...).read(&v)
	return v
}

// first returns the first row of a read. The work fails with ErrNotFound when there is none.
func first[T any](w *work, scan func(scanner) (T, error), text string, args ...any) (one T) {
	one, err := found(scan(w.row(text, args...)))
	w.fail(err)
	return one
}

// list returns the rows of a read; scan reads one.
func list[T any](w *work, scan func(scanner) (T, error), text string, args ...any) (all []T) {
	if w.err == nil {
		all, w.err = query(w.ctx, w.q, scan, text, args...)
	}
	return all
}

// mapped returns the rows of a read with two columns as a map.
func mapped[K comparable, V any](w *work, text string, args ...any) (all map[K]V) {
	if w.err == nil {
		all, w.err = pairs[K, V](w.ctx, w.q, text, args...)
	}
	return all
}
