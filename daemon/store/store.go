// Package store keeps all data in one SQLite file. Each exported method is one transaction, composed of unexported
// helpers that take the transaction, most of them as a work, which stops at its first error. All SQL of the project is in
// this package and in migrations/.
//
// One connection writes, several read. A commit is durable when it returns (synchronous=FULL), so that acknowledged
// events survive a power cut; only data that can be rebuilt does not wait for that (see writeDerived). psow=0 keeps
// what is written later out of the sectors of such a commit.
package store

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
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the database driver

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/migrations"
)

// ErrNotFound says that the store does not have the requested row.
var ErrNotFound = errors.New("not found")

// Driver is the name of the driver of SQLite. Tests replace it by one that notes statements, see package plans.
var Driver = "sqlite"

// Store is an open database.
type Store struct {
	Now    func() time.Time // the clock; tests replace it
	Wrote  func(error)      // called after each write with its error, nil if it was stored; set before the store is used, may be nil
	Listen string           // ADDR:PORT of the dashboard, whose pages are not stored; set before the store is used, may be ""
	path   string
	copied string // path of the copy that Open made before a migration, or ""
	w, r   *sql.DB
	turns  turns                // whose transaction is next on w
	often  map[string]*sql.Stmt // prepared statements of crawls, by their text; on w's connection
	events *statements          // those of Ingest
	looks  bool                 // it only reads; see Look
	hosts  *HostMemory

	importing sync.Mutex   // held by the import that is going on
	erasures  atomic.Int64 // starts and ends of erasures so far
}

// Open opens the database at path, creates it if needed and migrates it to the newest schema. It makes a copy before it
// migrates (see Copied). It returns ErrNewer, and leaves the file as it is, when a newer program wrote it.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := prepare(ctx, path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	w, err := sql.Open(Driver, dsn(path, "rwc", "_txlock=immediate&psow=0&_pragma=cache_size(-32768)&_pragma=wal_autocheckpoint(4000)"))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	w.SetMaxOpenConns(1)
	if err := tempIn(ctx, w, filepath.Dir(path)); err != nil {
		w.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	copied, err := copyBefore(ctx, w, migrations.Files, path)
	if err == nil {
		err = migrate(ctx, w, migrations.Files)
	}
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	r := openReaders(w.Driver(), dsn(path, "rw", ""))
	s := &Store{Now: time.Now, path: path, copied: copied, w: w, r: r, often: make(map[string]*sql.Stmt), events: newStatements()}
	s.hosts = newHostMemory(s)
	for _, text := range often {
		if s.often[text], err = w.PrepareContext(ctx, text); err != nil {
			return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), r.Close(), w.Close())
		}
	}
	return s, nil
}

// often are the statements of crawls, which are prepared once.
var often = []string{
	insertFetch, insertContent, insertEntry, setEntry, setLastSeq, holdEntry, finishEntry, dropEntry, beginEntry, countContact, setTotals, openHost, keepHost,
	visitedBefore, listRefused, insertFind, grantTask, arriveTask, moveTask, commitTask, crawlStatus,
}

// stmt returns a prepared statement of s.often in a transaction. Preparing such a statement takes as long as running
// it.
func (s *Store) stmt(ctx context.Context, tx *sql.Tx, text string) *sql.Stmt {
	return tx.StmtContext(ctx, s.often[text])
}

// dsn returns the data source name with all pragmas, so that each pooled connection has them.
func dsn(path, mode, extra string) string {
	return FileURL(path) + "?mode=" + mode +
		"&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&" + extra
}

// tempIn makes SQLite put its temporary files into a folder, for the whole process. They hold rows, and VACUUM writes the
// whole database into one, so that they belong on the disk of the database and not in a folder that others share.
func tempIn(ctx context.Context, db *sql.DB, dir string) error {
	var is string
	err := optional(db.QueryRowContext(ctx, "PRAGMA temp_store_directory").Scan(&is))
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
func (s *Store) Close() error {
	if s.looks {
		return s.r.Close()
	}
	failpoint.Here("store.close")
	_, cerr := s.w.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(s.r.Close(), cerr, s.w.Close())
}

// Path returns the path of the database file.
func (s *Store) Path() string { return s.path }

// Copied returns the path of the copy that Open made before it migrated the database, or "" if it did not migrate.
func (s *Store) Copied() string { return s.copied }

// Copies lists the copies that were made before migrations and still exist. They may hold data that was erased from the
// database; EraseAll deletes them.
func (s *Store) Copies() ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil {
		return nil, fmt.Errorf("list copies of the database: %w", err)
	}
	var all []string
	for _, e := range entries { // filepath.Glob would read the folder's name as a pattern
		if strings.HasPrefix(e.Name(), filepath.Base(s.path)+beforeSuffix) && !strings.HasSuffix(e.Name(), leftovers.Part) {
			all = append(all, filepath.Join(filepath.Dir(s.path), e.Name()))
		}
	}
	return all, nil
}

// write runs f in one transaction and commits when f returns nil.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	if err := s.turns.take(ctx, false); err != nil {
		return err
	}
	defer s.turns.end()
	return s.writeOn(ctx, s.w, f)
}

// writeSmall is write for a transaction whose statements change little each. SQLite keeps the data to undo a failed statement
// in memory; usually it moves more than 64 kB to a temporary file, which takes longer than the statement.
func (s *Store) writeSmall(ctx context.Context, f func(*sql.Tx) error) error {
	return s.writeWith(ctx, "PRAGMA temp_store = MEMORY", "PRAGMA temp_store = FILE", f)
}

// writeDerived is write for data that can be rebuilt from other rows. It does not wait for the disk: a power cut may undo it, and
// every later write of this kind. The next commit of another kind, such as one of events, makes them all durable. f must change
// the rows that it writes: two identical pages in a row mean a commit that waited, see synced.
func (s *Store) writeDerived(ctx context.Context, f func(*sql.Tx) error) error {
	return s.writeWith(ctx, "PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL", f)
}

// writeWith is write with another setting of the connection. A connection that does not take its own setting back is closed, so
// that no later write has the other one.
func (s *Store) writeWith(ctx context.Context, other, own string, f func(*sql.Tx) error) error {
	if err := s.turns.take(ctx, false); err != nil {
		return err
	}
	defer s.turns.end()
	conn, err := s.w.Conn(ctx)
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
	return s.writeOn(ctx, conn, f)
}

func (s *Store) writeOn(ctx context.Context, on interface {
	BeginTx(context.Context, *sql.TxOptions) (*sql.Tx, error)
}, f func(*sql.Tx) error) (err error) {
	defer func() { s.wrote(err) }()
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
		return err
	}
	failpoint.Here("store.write.after-commit")
	return nil
}

// Erasures returns a number that changes when an erasure starts and when it ends. Data that was read before the number
// changed may have been erased.
func (s *Store) Erasures() int64 { return s.erasures.Load() }

// erasing notes that an erasure starts. The returned function notes its end.
func (s *Store) erasing() (end func()) {
	s.erasures.Add(1)
	return func() { s.erasures.Add(1) }
}

// scrub moves the write-ahead log into the file and empties it, so that erased data is in neither: secure_delete
// overwrites it in the file, erased pages lose their links, and erased words leave the search index. While another connection
// reads, or when there is much of it, the rest is left to later: to the next checkpoint, and to PutLinks and MergeSearch in the
// background.
func (s *Store) scrub(ctx context.Context) error {
	if err := s.forgetLinks(ctx, 2*time.Second); err != nil {
		return err
	}
	if _, err := s.MergeSearch(ctx, 2*time.Second); err != nil {
		return err
	}
	return s.Checkpoint(ctx)
}

// Checkpoint moves the write-ahead log into the file and empties it.
func (s *Store) Checkpoint(ctx context.Context) error {
	var busy, frames, moved int
	failpoint.Here("store.checkpoint")
	return s.w.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
}
