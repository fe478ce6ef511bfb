package erasing

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// everyTable lists the tables that All empties, the largest first, so that no row is looked for in them.
const everyTable = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
	AND name NOT LIKE 'search\_words%' ESCAPE '\' AND name NOT IN ('settings', 'search_state')
	ORDER BY name NOT IN ('link_word', 'link'), name = 'link', rowid`

// erasingAll is a file beside the database while everything is to be erased and is not yet.
func erasingAll(d *db.DB) string { return d.Path() + ".erasing" }

// AllBegun reports whether All was begun and did not end, because the disk was full or the process was killed. Another one goes on.
func AllBegun(d *db.DB) bool {
	_, err := os.Lstat(erasingAll(d))
	return err == nil
}

// BeginAll notes that everything is to be erased, so that it is even if the process dies before All.
func BeginAll(d *db.DB) error {
	return db.Wrap(durable.WriteFile(erasingAll(d), nil), "note that everything is to be erased")
}

// All deletes all rows, except the settings with which the dashboard can be reached, and the copies of the
// database that were made before migrations and what is left over of earlier runs. These go first, as they free space. On a
// full disk, it deletes the rows in small parts, in the room that was reserved; see AllBegun for what it could not do.
func All(ctx context.Context, s *store.Store) error {
	defer s.Erasing()()
	err := BeginAll(s.DB)
	copies, cerr := s.Copies()
	for _, name := range copies {
		cerr = errors.Join(cerr, os.Remove(name))
	}
	if err = errors.Join(cerr, leftovers.RemoveAll(filepath.Dir(s.Path())), err); err != nil {
		return fmt.Errorf("erase everything: %w", err)
	}
	err = s.Commit(ctx, func(w *db.Work) {
		w.Exec(`PRAGMA defer_foreign_keys = 1`)
		eraseRows(w)
	})
	if db.IsFull(err) {
		err = eraseInParts(ctx, s.DB)
	}
	if err != nil {
		return fmt.Errorf("erase everything: %w", err)
	}
	failpoint.Here("store.erase-all.deleted")
	if err := s.Scrub(ctx); err != nil {
		return err
	}
	return os.Remove(erasingAll(s.DB))
}

// eraseRows deletes all rows at once.
func eraseRows(w *db.Work) {
	tables := db.List(w, db.ScanText, everyTable)
	for _, name := range tables { // names from the schema, so safe to insert
		w.Exec(`DELETE FROM "` + name + `"`)
	}
	w.Do(func(ctx context.Context, tx *sql.Tx) error { return eraseRest(ctx, tx) })
}

// eraseRest deletes the index of words, and the settings.
func eraseRest(ctx context.Context, q db.Execer) error {
	if _, err := q.ExecContext(ctx, `INSERT INTO search_words (search_words) VALUES ('delete-all')`); err != nil {
		return err
	}
	return db.Execute(ctx, q, `DELETE FROM settings WHERE key NOT LIKE 'dashboard.%'`)
}

// largestPart is how many rows eraseInParts deletes at once where there is room.
const largestPart = 256

// eraseInParts deletes all rows, few at a time: each part needs room in the log, which is emptied after it. Foreign keys do not
// hold between two parts; nothing reads rows whose others are gone but until the next part, and the next All deletes them.
func eraseInParts(ctx context.Context, d *db.DB) (err error) {
	if _, err := leftovers.FreeReserve(filepath.Dir(d.Path())); err != nil {
		return err
	}
	conn, err := d.Writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, `PRAGMA foreign_keys = 0`); err != nil {
		return err
	}
	defer func() {
		_, ferr := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA foreign_keys = 1`)
		err = errors.Join(err, ferr)
	}()
	for range 2 { // triggers put rows into tables that were empty
		tables, err := db.Query(ctx, conn, db.ScanText, everyTable)
		if err != nil {
			return err
		}
		for _, name := range tables {
			if err := eraseParts(ctx, conn, name); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
		}
	}
	return eraseRest(ctx, conn)
}

// eraseParts deletes the rows of one table in parts, smaller ones where there is less room.
func eraseParts(ctx context.Context, conn *sql.Conn, table string) error {
	key, err := rowKey(ctx, conn, table)
	if err != nil {
		return err
	}
	text := `DELETE FROM "` + table + `" WHERE (` + key + `) IN (SELECT ` + key + ` FROM "` + table + `" LIMIT ?)` // names from the schema
	for part := largestPart; ; {
		done, err := conn.ExecContext(ctx, text, part)
		if db.IsFull(err) && part > 1 {
			part = max(1, part/8)
			continue
		}
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err != nil || n == 0 {
			return err
		}
		if _, err := conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil && !db.IsFull(err) {
			return err
		}
	}
}

// rowKey names the columns that identify a row of a table.
func rowKey(ctx context.Context, conn *sql.Conn, table string) (string, error) {
	columns, err := db.Query(ctx, conn, db.ScanText, `SELECT '"' || name || '"' FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table)
	if len(columns) == 0 {
		return "rowid", err
	}
	return strings.Join(columns, ", "), err
}
