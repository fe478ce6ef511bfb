package dashboard

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"nightjar/daemon/store"
)

// atOnce is how many rows a transaction writes.
const atOnce = 50_000

// writer writes the rows of many years to a database. It does nothing after its first error.
type writer struct {
	db    *sql.DB
	tx    *sql.Tx
	stmts map[string]*sql.Stmt
	again []string // statements that make again what is missing meanwhile
	n     int
	err   error
}

// openWriter opens a database that nothing else has open. The indexes and triggers that an SQL condition on sqlite_schema selects are
// missing until close. A crash meanwhile destroys the database.
func openWriter(ctx context.Context, name, without string) (*writer, error) {
	db, err := sql.Open("sqlite", store.FileURL(name)+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=cache_size(-2000000)&_pragma=foreign_keys(0)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	w := &writer{db: db}
	if err := w.drop(ctx, without); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := w.begin(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return w, nil
}

func (w *writer) drop(ctx context.Context, without string) error {
	rows, err := w.db.QueryContext(ctx, "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ("+without+") ORDER BY type")
	if err != nil {
		return err
	}
	var drop []string
	for rows.Next() {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return errors.Join(err, rows.Close())
		}
		drop, w.again = append(drop, "DROP "+kind+" "+name), append(w.again, text)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	return w.exec(ctx, drop)
}

func (w *writer) exec(ctx context.Context, all []string) error {
	for _, text := range all {
		if _, err := w.db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

func (w *writer) begin(ctx context.Context) (err error) {
	w.stmts = map[string]*sql.Stmt{}
	w.tx, err = w.db.BeginTx(ctx, nil)
	return err
}

// run runs a statement, which is prepared once for all values.
func (w *writer) run(ctx context.Context, text string, values ...any) error {
	if w.err == nil {
		if w.err = w.put(ctx, text, values); w.err != nil {
			w.err = fmt.Errorf("%s: %w", text, w.err)
		}
	}
	return w.err
}

func (w *writer) put(ctx context.Context, text string, values []any) (err error) {
	if w.n++; w.n%atOnce == 0 {
		if err := w.tx.Commit(); err != nil {
			return err
		}
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	stmt := w.stmts[text]
	if stmt == nil {
		if stmt, err = w.tx.PrepareContext(ctx, text); err != nil {
			return err
		}
		w.stmts[text] = stmt
	}
	_, err = stmt.ExecContext(ctx, values...)
	return err
}

// close makes what was missing and closes the database. failed is what went wrong besides; the database is then left as it is.
func (w *writer) close(ctx context.Context, failed error) error {
	if failed == nil {
		failed = w.err
	}
	if failed == nil {
		failed = w.tx.Commit()
	}
	if failed == nil {
		failed = w.exec(ctx, w.again)
	}
	return errors.Join(failed, w.db.Close())
}
