package db

import (
	"context"
	"database/sql"
	"sync"
)

// MaxPrepared bounds the statements that are kept prepared.
const MaxPrepared = 96

// runner is a transaction, or one whose statements are kept prepared.
type runner interface {
	Execer
	Queryer
}

// statements are those of CommitPrepared. Each is prepared once it was used: preparing one takes longer than running it. They
// belong to the connection that writes, so that they are prepared between two transactions.
type statements struct {
	mu     sync.Mutex
	ready  map[string]*sql.Stmt
	wanted map[string]bool
}

func newStatements() *statements {
	return &statements{ready: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// prepare prepares the statements that earlier transactions used, while the caller has the turn to write and no transaction is
// open. One that cannot be prepared now is left as it is: its next use says why.
func (p *statements) prepare(ctx context.Context, w *sql.DB) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for text := range p.wanted {
		if stmt, err := w.PrepareContext(ctx, text); err == nil {
			p.ready[text] = stmt
		}
	}
	clear(p.wanted)
}

// Prepared returns how many statements are prepared, and how many will be before the next CommitPrepared.
func (d *DB) Prepared() (ready, wanted int) {
	d.quick.mu.Lock()
	defer d.quick.mu.Unlock()
	return len(d.quick.ready), len(d.quick.wanted)
}

// get returns the statement with a text, or nil if it is not prepared yet. A nil p has none.
func (p *statements) get(text string) *sql.Stmt {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	stmt := p.ready[text]
	if stmt == nil && len(p.ready)+len(p.wanted) < MaxPrepared {
		p.wanted[text] = true
	}
	return stmt
}

// quick is a transaction that uses prepared statements where there are some.
type quick struct {
	*sql.Tx
	from *statements
}

func (q quick) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if stmt := q.from.get(text); stmt != nil {
		return q.StmtContext(ctx, stmt).ExecContext(ctx, args...)
	}
	return q.Tx.ExecContext(ctx, text, args...)
}

func (q quick) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if stmt := q.from.get(text); stmt != nil {
		return q.StmtContext(ctx, stmt).QueryContext(ctx, args...)
	}
	return q.Tx.QueryContext(ctx, text, args...)
}

func (q quick) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	if stmt := q.from.get(text); stmt != nil {
		return q.StmtContext(ctx, stmt).QueryRowContext(ctx, args...)
	}
	return q.Tx.QueryRowContext(ctx, text, args...)
}
