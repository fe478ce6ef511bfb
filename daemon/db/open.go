// Package db opens the database, lets one transaction write at a time, and has what statements need: a work that stops at its
// first error, readers of rows, times and JSON. It knows no table but the few by which it recognizes a database of Nightjar.
//
// One connection writes, several read. A commit is durable when it returns (synchronous=FULL), so that acknowledged
// events survive a power cut; only data that can be rebuilt does not wait for that (see WriteDerived). psow=0 keeps
// what is written later out of the sectors of such a commit.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the database driver

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/db/kept"
	"nightjar/daemon/db/turns"
	"nightjar/migrations"
)

// ErrNotFound says that the store does not have the requested row.
var ErrNotFound = errors.New("not found")

// Driver is the name of the driver of SQLite. Tests replace it by one that notes statements, see package plans.
var Driver = "sqlite"

// DB is an open database.
type DB struct {
	Now             func() time.Time // the clock; tests replace it
	Wrote           func(error)      // called after each write with its error, nil if it was stored; set before the database is used, may be nil
	Writer, Readers *sql.DB          // the connection that writes, and those that only read
	path            string
	copied          string      // path of the copy that Open made before a migration, or ""
	turns           turns.Turns // whose transaction is next
	log             writeLog
	looks           bool         // it only reads; see Look
	erasures        atomic.Int64 // starts and ends of erasures so far
	underWay        atomic.Int64 // erasures
	scrubs          []ScrubStep
}

// Options are what opening a database needs to know of its tables.
type Options struct {
	Tables []string    // tables by which a database of Nightjar is recognized, whatever its version
	Views  []View      // temporary views of all connections that read
	Scrub  []ScrubStep // what an erasure leaves to delete
}

// Open opens the database at path, creates it if needed and migrates it to the newest schema. It makes a copy before it
// migrates (see Copied). It returns ErrNewer, and leaves the file as it is, when a newer program wrote it, and ErrNotNightjar for
// that of another program.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	d, err := openDB(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return d, nil
}

func openDB(ctx context.Context, path string, o Options) (*DB, error) {
	if err := prepare(ctx, path, o.Tables); err != nil {
		return nil, err
	}
	named, err := sql.Open(Driver, "") // only to find the driver: this opens no connection
	if err != nil {
		return nil, err
	}
	defer named.Close()
	w := sql.OpenDB(kept.Connections{
		Of: named.Driver(), DSN: DSN(path, "rwc", "_txlock=immediate&psow=0&_pragma=cache_size(-32768)&_pragma=wal_autocheckpoint(0)"),
	})
	w.SetMaxOpenConns(1)
	d := &DB{Now: time.Now, path: path, Writer: w, scrubs: o.Scrub}
	d.log.doubt.Store(true) // the process that wrote last may have been killed after a failure
	if err := d.begin(ctx); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	d.Readers = openReaders(named.Driver(), DSN(path, "rw", ""), o.Views)
	return d, nil
}

// begin creates the tables of a new database or migrates an older one.
func (d *DB) begin(ctx context.Context) (err error) {
	if err := tempIn(ctx, d.Writer, filepath.Dir(d.path)); err != nil {
		return err
	}
	if d.copied, err = copyBefore(ctx, d.Writer, migrations.Files, d.path); err != nil {
		return err
	}
	if err := create(ctx, d.Writer); err != nil {
		return fmt.Errorf("create the tables: %w", err)
	}
	return Migrate(ctx, d.Writer, migrations.Files)
}

// DSN returns the data source name with all pragmas, so that each pooled connection has them.
func DSN(path, mode, extra string) string {
	return FileURL(path) + "?mode=" + mode +
		"&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&" + extra
}

// tempIn makes SQLite put its temporary files into a folder, for the whole process. They hold rows, and VACUUM writes the
// whole database into one, so that they belong on the disk of the database and not in a folder that others share.
func tempIn(ctx context.Context, db *sql.DB, dir string) error {
	var is string
	err := Optional(db.QueryRowContext(ctx, "PRAGMA temp_store_directory").Scan(&is))
	if err != nil || is == dir {
		return err
	}
	_, err = db.ExecContext(ctx, "PRAGMA temp_store_directory = '"+strings.ReplaceAll(dir, "'", "''")+"'")
	return err
}

// FileURL returns the data source name of a database file. In a path joined to "file:" as it is, "#", "?" and "%" would
// name another file.
func FileURL(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// Close moves the write-ahead log into the file and closes the database.
func (d *DB) Close() error {
	if d.looks {
		return d.Readers.Close()
	}
	failpoint.Here("store.close")
	err := d.Checkpoint(context.Background())
	return errors.Join(d.Readers.Close(), err, d.log.close(), d.Writer.Close())
}

// Path returns the path of the database file.
func (d *DB) Path() string { return d.path }

// Copied returns the path of the copy that Open made before it migrated the database, or "" if it did not migrate.
func (d *DB) Copied() string { return d.copied }

// Copies lists the copies that were made before migrations and still exist. They may hold data that was erased from the
// database; erasing.All deletes them.
func (d *DB) Copies() ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(d.path))
	if err != nil {
		return nil, fmt.Errorf("list copies of the database: %w", err)
	}
	var all []string
	for _, e := range entries { // filepath.Glob would read the folder's name as a pattern
		if strings.HasPrefix(e.Name(), filepath.Base(d.path)+beforeSuffix) && !strings.HasSuffix(e.Name(), leftovers.Part) {
			all = append(all, filepath.Join(filepath.Dir(d.path), e.Name()))
		}
	}
	return all, nil
}

// Write runs f in one transaction and commits when f returns nil.
func (d *DB) Write(ctx context.Context, f func(*sql.Tx) error) error { return d.write(ctx, false, f) }

func (d *DB) write(ctx context.Context, urgent bool, f func(*sql.Tx) error) error {
	if err := d.turns.Take(ctx, urgent); err != nil {
		return err
	}
	defer d.turns.End()
	return d.writeOn(ctx, d.Writer, f)
}

// WriteSmall is Write for a transaction whose statements change little each. SQLite keeps the data to undo a failed statement
// in memory; usually it moves more than 64 kB to a temporary file, which takes longer than the statement.
func (d *DB) WriteSmall(ctx context.Context, f func(*sql.Tx) error) error {
	return d.writeWith(ctx, "PRAGMA temp_store = MEMORY", "PRAGMA temp_store = FILE", f)
}

// WriteDerived is Write for data that can be rebuilt from other rows. It does not wait for the disk: a power cut may undo it, and
// every later write of this kind. The next commit of another kind, such as one of events, makes them all durable. f must change
// the rows that it writes: two identical pages in a row mean a commit that waited, see synced in package store.
func (d *DB) WriteDerived(ctx context.Context, f func(*sql.Tx) error) error {
	return d.writeWith(ctx, "PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL", f)
}

// writeWith is Write with another setting of the connection. A connection that does not take its own setting back is closed, so
// that no later write has the other one.
func (d *DB) writeWith(ctx context.Context, other, own string, f func(*sql.Tx) error) error {
	if err := d.turns.Take(ctx, false); err != nil {
		return err
	}
	defer d.turns.End()
	conn, err := d.Writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool, which holds only this one
	if _, err := conn.ExecContext(ctx, other); err != nil {
		return err
	}
	defer func() {
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), own); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // this closes it
		}
	}()
	return d.writeOn(ctx, conn, f)
}

// Conn is what database/sql asks of a connection.
type Conn = kept.Conn

// connection is the connection that writes, or the pool that holds only this one.
type connection interface {
	BeginTx(context.Context, *sql.TxOptions) (*sql.Tx, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
}

func (d *DB) writeOn(ctx context.Context, on connection, f func(*sql.Tx) error) (err error) {
	defer func() { d.Ended(err) }()
	if err := d.makeSure(ctx, on); err != nil {
		return err
	}
	tx, err := on.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	failpoint.Here("store.write.before-commit")
	if err := tx.Commit(); err != nil {
		d.doubt(ctx, err)
		return err
	}
	failpoint.Here("store.write.after-commit")
	d.shorten(ctx, on)
	return nil
}

// Turn waits until nobody else writes, and keeps it so until end is called. Urgent turns go before others.
func (d *DB) Turn(ctx context.Context, urgent bool) (end func(), err error) {
	if err := d.turns.Take(ctx, urgent); err != nil {
		return nil, err
	}
	return d.turns.End, nil
}

// Waiting returns how many transactions wait for their turn.
func (d *DB) Waiting() (urgent, others int) { return d.turns.Waiting() }

// Hurry reports whether an urgent transaction waits. A transaction that can be cut into several ends then.
func (d *DB) Hurry() bool {
	urgent, _ := d.Waiting()
	return urgent > 0
}
