package db

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"modernc.org/sqlite"
)

// failing says that the disk cannot keep what "sqlite-failing" commits or moves.
var failing atomic.Bool

func init() {
	sql.Register("sqlite-failing", failingDriver{})
}

type failingDriver struct{}

func (failingDriver) Open(dsn string) (driver.Conn, error) {
	c, err := (&sqlite.Driver{}).Open(dsn)
	if err != nil {
		return nil, err
	}
	return failingConn{c.(Conn)}, nil
}

var errDisk = errors.New("the disk failed")

type failingConn struct{ Conn }

func (c failingConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, o)
	return failingTx{tx}, err
}

func (c failingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if failing.Load() && text == "PRAGMA main.wal_checkpoint(PASSIVE)" {
		return nil, errDisk
	}
	return c.Conn.QueryContext(ctx, text, args)
}

type failingTx struct{ driver.Tx }

func (t failingTx) Commit() error {
	if failing.Load() {
		return errors.Join(errDisk, t.Tx.Rollback())
	}
	return t.Tx.Commit()
}

// openFailing opens a new database on a disk that can fail.
func openFailing(t *testing.T) *DB {
	t.Helper()
	Driver = "sqlite-failing"
	defer func() { Driver = "sqlite" }()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db"), Options{})
	ok(t, err)
	t.Cleanup(func() { ok(t, d.Close()) })
	return d
}

const insert = "INSERT INTO settings (key, value) VALUES (?, ?)"

func put(ctx context.Context, key, value string) func(*sql.Tx) error {
	return func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, insert, key, value)
		return err
	}
}

func readLog(t *testing.T, d *DB) []byte {
	t.Helper()
	log, err := os.ReadFile(d.Path() + "-wal")
	ok(t, err)
	return log
}

// afterPowerCut lists the keys that are stored after a power cut, when the disk never got bytes of the log that still are where they were.
func afterPowerCut(t *testing.T, d *DB, at int, bytesThere []byte) []string {
	t.Helper()
	log := readLog(t, d)
	if end := at + len(bytesThere); len(log) >= end && bytes.Equal(log[at:end], bytesThere) {
		clear(log[at:end])
	}
	file, err := os.ReadFile(d.Path())
	ok(t, err)
	path := filepath.Join(t.TempDir(), "nightjar.db")
	ok(t, errors.Join(os.WriteFile(path, file, 0o600), os.WriteFile(path+"-wal", log, 0o600)))
	again, err := Open(t.Context(), path, Options{})
	ok(t, err)
	keys, err := Query(t.Context(), again.Readers, ScanText, "SELECT key FROM settings WHERE key LIKE 'test-%' ORDER BY key")
	ok(t, errors.Join(err, again.Close()))
	return keys
}

// TestFailedSync: after a failed commit, or a failed checkpoint, the disk may lack rows that did not wait for it. What is committed
// afterwards outlasts a power cut nevertheless.
func TestFailedSync(t *testing.T) {
	for name, fails := range map[string]func(*testing.T, *DB){
		"commit": func(t *testing.T, d *DB) {
			if err := d.Write(t.Context(), put(t.Context(), "test-refused", "")); !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
		},
		"checkpoint": func(t *testing.T, d *DB) {
			if _, err := checkpoint(t.Context(), d.Writer, "PASSIVE"); !errors.Is(err, errDisk) {
				t.Fatal(err)
			} else {
				d.doubt(t.Context(), err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, d := t.Context(), openFailing(t)
			ok(t, d.Write(ctx, put(ctx, "test-1", "")))
			before := readLog(t, d)
			ok(t, d.WriteDerived(ctx, put(ctx, "test-derived", "")))
			lost := readLog(t, d)[len(before):]
			failing.Store(true)
			fails(t, d)
			failing.Store(false)
			ok(t, d.Write(ctx, put(ctx, "test-2", "")))
			if got := fmt.Sprint(afterPowerCut(t, d, len(before), lost)); got != "[test-1 test-2 test-derived]" {
				t.Errorf("after the power cut: %s", got)
			}
		})
	}
}

// TestNothingIsAckedInDoubt: while somebody reads, the log cannot begin anew, and nothing is stored behind what the disk may lack.
func TestNothingIsAckedInDoubt(t *testing.T) {
	ctx, d := t.Context(), openFailing(t)
	ok(t, d.Write(ctx, put(ctx, "test-1", "")))
	reading, err := d.Readers.BeginTx(ctx, nil)
	ok(t, err)
	if _, err := Single[int](ctx, reading, "SELECT count(*) FROM settings"); err != nil {
		t.Fatal(err)
	}
	ok(t, d.Write(ctx, put(ctx, "test-2", "")))
	d.doubt(ctx, errDisk)
	if _, err := d.Writer.ExecContext(ctx, "PRAGMA busy_timeout = 10"); err != nil {
		t.Fatal(err)
	}
	if err := d.Write(ctx, put(ctx, "test-3", "")); !IsFailing(err) || !Unwritable(err) {
		t.Errorf("a write while the log cannot begin anew: %v", err)
	}
	if err := d.MakeSure(ctx); !IsFailing(err) {
		t.Errorf("while the log cannot begin anew: %v", err)
	}
	ok(t, reading.Rollback())
	ok(t, d.Write(ctx, put(ctx, "test-4", "")))
	keys, err := Query(ctx, d.Readers, ScanText, "SELECT key FROM settings WHERE key LIKE 'test-%' ORDER BY key")
	if got := fmt.Sprint(keys); err != nil || got != "[test-1 test-2 test-4]" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestLogStaysShort: the log is moved into the file, and begins anew, although SQLite does not do so by itself. A checkpoint that fails
// then is noticed.
func TestLogStaysShort(t *testing.T) {
	ctx, d := t.Context(), openFailing(t)
	large := string(bytes.Repeat([]byte("x"), 1000*pageSize))
	for n := range 12 { // after the twelfth, the log is long again
		ok(t, d.Write(ctx, put(ctx, fmt.Sprint("test-", n), large)))
	}
	if size := len(readLog(t, d)); size < maxLog*pageSize || size > (maxLog+1100)*(pageSize+frameHeader) {
		t.Errorf("the log has %d bytes after 48 MB", size)
	}
	failing.Store(true)
	d.shorten(ctx, d.Writer)
	failing.Store(false)
	if !d.log.doubt.Load() {
		t.Error("a checkpoint failed, and nobody noticed")
	}
}
