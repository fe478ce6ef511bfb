package webtest

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"

	"modernc.org/sqlite"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// fullDriver is the name of a driver for SQLite whose disk can be full.
const fullDriver = "sqlite-full"

// disk is that of all databases of fullDriver. While full is set, no transaction that changed a row can be committed: that is
// where a write-ahead log grows.
var disk struct {
	full    atomic.Pointer[sqlite.Error] // what SQLite says
	refused atomic.Int64                 // transactions
}

func init() {
	plans.Register(fullDriver, func(c db.Conn) driver.Conn { return fillableConn{c} })
}

type fillableConn struct{ db.Conn }

func (c fillableConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	before, err := c.changes(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := c.Conn.BeginTx(ctx, o)
	return fillableTx{tx, c, before}, err
}

// changes returns how many rows the connection has changed.
func (c fillableConn) changes(ctx context.Context) (int64, error) {
	rows, err := c.QueryContext(ctx, "SELECT total_changes()", nil)
	if err != nil {
		return 0, err
	}
	n := make([]driver.Value, 1)
	if err := errors.Join(rows.Next(n), rows.Close()); err != nil {
		return 0, err
	}
	return n[0].(int64), nil
}

type fillableTx struct {
	driver.Tx
	conn   fillableConn
	before int64
}

func (t fillableTx) Commit() error {
	full := disk.full.Load()
	if full == nil {
		return t.Tx.Commit()
	}
	now, err := t.conn.changes(context.Background())
	if err != nil {
		return err
	}
	if now == t.before {
		return t.Tx.Commit()
	}
	disk.refused.Add(1)
	return errors.Join(t.Tx.Rollback(), full)
}

// fill fills the disk of fullDriver until the test ends.
func fill(t *testing.T) {
	t.Helper()
	full, ok := errors.AsType[*sqlite.Error](storetest.Full(t))
	if !ok {
		t.Fatal("the error of a full database is not SQLite's")
	}
	disk.full.Store(full)
	t.Cleanup(func() { disk.full.Store(nil) })
}
