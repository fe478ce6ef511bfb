package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"modernc.org/sqlite"

	"nightjar/daemon/db/kept"
)

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// counting is a driver that counts the statements which are prepared, and those of them which are open.
type counting struct{ prepared, open atomic.Int64 }

func (n *counting) Open(dsn string) (driver.Conn, error) {
	c, err := (&sqlite.Driver{}).Open(dsn)
	if err != nil {
		return nil, err
	}
	return countingConn{c.(Conn), n}, nil
}

type countingConn struct {
	Conn
	n *counting
}

func (c countingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	s, err := c.Conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.n.prepared.Add(1)
	c.n.open.Add(1)
	return countingStmt{s.(kept.Stmt), c.n}, nil
}

type countingStmt struct {
	kept.Stmt
	n *counting
}

func (s countingStmt) Close() error {
	s.n.open.Add(-1)
	return s.Stmt.Close()
}

// keeping opens a pool of at most so many connections that keep statements, to a new database with a table t of the numbers 1 to 9.
// When the test ends, no statement is open.
func keeping(t *testing.T, most int) (*sql.DB, *counting) {
	t.Helper()
	n := &counting{}
	d := sql.OpenDB(kept.Connections{Of: n, DSN: DSN(filepath.Join(t.TempDir(), "kept.db"), "rwc", "_txlock=immediate")})
	d.SetMaxOpenConns(most)
	t.Cleanup(func() {
		ok(t, d.Close())
		if left := n.open.Load(); left != 0 {
			t.Errorf("%d statements are open after the pool was closed", left)
		}
	})
	run(t, d, "CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t (a) VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)")
	return d, n
}

func run(t *testing.T, q Execer, text string, args ...any) {
	t.Helper()
	ok(t, Execute(t.Context(), q, text, args...))
}

// wantOne fails a test unless a query has this one value.
func wantOne[T comparable](t *testing.T, q Queryer, want T, text string, args ...any) {
	t.Helper()
	if got, err := Single[T](t.Context(), q, text, args...); err != nil || got != want {
		t.Errorf("%s: %v and %v, want %v", text, got, err, want)
	}
}

func TestStatementIsPreparedOnce(t *testing.T) {
	d, n := keeping(t, 1)
	for i := range 10 {
		wantOne(t, d, i+1, "SELECT ?", i+1)
		run(t, d, "\n\tINSERT INTO t (a) VALUES (?)", 100+i)
		run(t, d, "DELETE FROM t WHERE a = ?", 100+i)
	}
	if got := n.prepared.Load(); got != 3 {
		t.Errorf("%d statements were prepared, want 3", got)
	}
	wantOne(t, d, 9, "SELECT count(*) FROM t")
}

// TestStatementInUse: while the rows of a statement are read, the same text is another statement.
func TestStatementInUse(t *testing.T) {
	d, n := keeping(t, 1)
	tx, err := d.Begin()
	ok(t, err)
	defer tx.Rollback()
	const text = "SELECT a FROM t WHERE a > ? ORDER BY a"
	for range 3 {
		var pairs int
		ok(t, Each(t.Context(), tx, func(outer Scanner) error {
			a, err := ScanID(outer)
			if err != nil {
				return err
			}
			return Each(t.Context(), tx, func(inner Scanner) error {
				b, err := ScanID(inner)
				if b <= a {
					t.Errorf("%d follows %d", b, a)
				}
				pairs++
				return err
			}, text, a)
		}, text, 0))
		if pairs != 36 {
			t.Errorf("%d pairs, want 36", pairs)
		}
	}
	if got := n.prepared.Load(); got != 2 {
		t.Errorf("%d statements were prepared, want 2", got)
	}
}

// TestNotKept: settings act each time, and each statement of a text with several runs each time.
func TestNotKept(t *testing.T) {
	d, _ := keeping(t, 1)
	for range 3 {
		for _, on := range []int{0, 1} {
			run(t, d, fmt.Sprintf("PRAGMA foreign_keys = %d", on))
			wantOne(t, d, on, "PRAGMA foreign_keys")
		}
		run(t, d, "INSERT INTO t (a) VALUES (?1); DELETE FROM t WHERE a = ?1; INSERT INTO t (a) VALUES (?1)", 50)
		wantOne(t, d, 10, "SELECT count(*) FROM t")
		run(t, d, "DELETE FROM t WHERE a = 50;\n")
		wantOne(t, d, 9, "SELECT count(*) FROM t;\n")
	}
}

func TestKeptAreBounded(t *testing.T) {
	d, n := keeping(t, 1)
	for i := range 3 * kept.Most {
		wantOne(t, d, i, fmt.Sprintf("SELECT %d", i))
		wantOne(t, d, -1, "SELECT -1")
	}
	if open := n.open.Load(); open != kept.Most {
		t.Errorf("%d statements are open, want %d", open, kept.Most)
	}
	if prepared := n.prepared.Load(); prepared != 3*kept.Most+1 {
		t.Errorf("%d statements were prepared, want %d: that used last was not kept", prepared, 3*kept.Most+1)
	}
}

// TestKeptAfterSchemaChange: a kept statement reads what the schema is now, whichever connection changed it.
func TestKeptAfterSchemaChange(t *testing.T) {
	d, _ := keeping(t, 2)
	const all = "SELECT * FROM t ORDER BY a"
	columns := func(q *sql.Conn) (names []string) {
		rows, err := q.QueryContext(t.Context(), all)
		ok(t, err)
		names, err = rows.Columns()
		ok(t, errors.Join(err, rows.Close()))
		return names
	}
	reads, err := d.Conn(t.Context())
	ok(t, err)
	defer reads.Close()
	changes, err := d.Conn(t.Context())
	ok(t, err)
	defer changes.Close()
	for i, by := range []*sql.Conn{changes, reads, changes} {
		for _, q := range []*sql.Conn{reads, changes} {
			if got := columns(q); len(got) != i+1 {
				t.Errorf("columns %q, want %d", got, i+1)
			}
		}
		run(t, by, fmt.Sprintf("ALTER TABLE t ADD COLUMN c%d", i))
	}
	run(t, changes, "DROP TABLE t")
	if _, err := Single[int](t.Context(), reads, all); err == nil {
		t.Error("a table that is no more was read")
	}
	run(t, changes, "CREATE TABLE t (a); INSERT INTO t VALUES (5); VACUUM")
	wantOne(t, reads, 5, all)
	run(t, changes, "ATTACH ':memory:' AS other; CREATE TABLE other.u (a); INSERT INTO u VALUES (6)")
	wantOne(t, changes, 6, "SELECT a FROM u")
	run(t, changes, "DETACH other; CREATE TABLE u (a); INSERT INTO u VALUES (7)")
	wantOne(t, changes, 7, "SELECT a FROM u")
}

// TestKeptAfterFailure: a statement that failed, was cancelled, or whose rows were not read to the end, does the same afterwards as
// a new one, and holds nothing.
func TestKeptAfterFailure(t *testing.T) {
	d, _ := keeping(t, 1)
	for range 3 {
		for _, a := range []int{1, 20} { // the first is there already
			if err := Execute(t.Context(), d, "INSERT INTO t (a) VALUES (?)", a); (err == nil) != (a == 20) {
				t.Errorf("insert %d: %v", a, err)
			}
		}
		wantOne(t, d, 1, "DELETE FROM t WHERE a = 20 RETURNING 1")
		for _, bad := range []string{"{", "[]"} { // the last row fails
			got, err := Query(t.Context(), d, ScanText, "SELECT json(iif(a = 9, ?, '[]')) FROM t", bad)
			if (err == nil) != (bad == "[]") || err == nil && len(got) != 9 {
				t.Errorf("%q: %d rows, %v", bad, len(got), err)
			}
		}
		const long = "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) SELECT count(*) FROM n"
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := Single[int](ctx, d, long, 1_000_000_000); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a cancelled query: %v", err)
		}
		cancel()
		wantOne(t, d, 10, long, 10)
		ctx, cancel = context.WithCancel(t.Context())
		rows, err := d.QueryContext(ctx, "SELECT a FROM t")
		ok(t, err)
		if !rows.Next() {
			t.Error(rows.Err())
		}
		cancel()
		ok(t, rows.Close())
		wantOne(t, d, 1, "SELECT a FROM t") // the first of several rows
		var busy, frames, moved int
		ok(t, d.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved))
		if busy != 0 {
			t.Error("a statement that is kept still reads")
		}
	}
}

// TestKeptLetTheLogEmpty: a kept statement whose rows were read only in part holds no part of the log.
func TestKeptLetTheLogEmpty(t *testing.T) {
	d, _ := keeping(t, 2)
	run(t, d, "PRAGMA journal_mode = WAL")
	reads, err := d.Conn(t.Context())
	ok(t, err)
	defer reads.Close()
	changes, err := d.Conn(t.Context())
	ok(t, err)
	defer changes.Close()
	wantOne(t, reads, 1, "SELECT a FROM t ORDER BY a")
	run(t, changes, "DELETE FROM t WHERE a = 9")
	var busy, frames, moved int
	ok(t, changes.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved))
	if busy != 0 || frames != 0 { // -1 without a log
		t.Errorf("busy %d, %d frames are left", busy, frames)
	}
	wantOne(t, reads, 1, "SELECT a FROM t ORDER BY a")
}

// TestKeptTogether reads, writes, cancels and changes the schema at the same time, on several connections.
func TestKeptTogether(t *testing.T) {
	d, n := keeping(t, 4)
	run(t, d, "CREATE TABLE sums (side TEXT PRIMARY KEY, n INTEGER); INSERT INTO sums VALUES ('left', 0), ('right', 0)")
	const rounds = 40
	work := []func(ctx context.Context, i int) error{
		func(ctx context.Context, i int) error { // moves something from one side to the other
			tx, err := d.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer tx.Rollback()
			by := rand.IntN(100)
			for side, n := range map[string]int{"left": by, "right": -by} {
				if err := Execute(ctx, tx, "UPDATE sums SET n = n + ? WHERE side = ?", n, side); err != nil {
					return err
				}
			}
			return tx.Commit()
		},
		func(ctx context.Context, i int) error {
			all, err := Query(ctx, d, ScanID, "SELECT n FROM sums")
			if err == nil && (len(all) != 2 || all[0]+all[1] != 0) {
				t.Errorf("read %d", all)
			}
			return err
		},
		func(ctx context.Context, i int) error {
			from := rand.Int64N(9)
			all, err := Query(ctx, d, ScanID, "SELECT a FROM t WHERE a > ? ORDER BY a", from)
			if err == nil && (int64(len(all)) != 9-from || !slices.IsSorted(all)) {
				t.Errorf("after %d: %d", from, all)
			}
			return err
		},
		func(ctx context.Context, i int) error {
			if i%10 == 0 {
				return Execute(ctx, d, fmt.Sprintf("ALTER TABLE t ADD COLUMN c%d", i))
			}
			return nil
		},
	}
	var all sync.WaitGroup
	for i := range 2 * len(work) {
		one := work[i%len(work)]
		cancels := i >= len(work)
		if cancels && i%len(work) == 3 {
			continue // one changes the schema
		}
		all.Go(func() {
			for round := range rounds {
				ctx, cancel := context.WithCancel(t.Context())
				if cancels {
					time.AfterFunc(time.Duration(rand.IntN(300))*time.Microsecond, cancel)
				}
				if err := one(ctx, round); err != nil && !cancels {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	all.Wait()
	wantOne(t, d, 0, "SELECT sum(n) FROM sums")
	if open := n.open.Load(); open > 4*10 {
		t.Errorf("%d statements are open", open)
	}
}
