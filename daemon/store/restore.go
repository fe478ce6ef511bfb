package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"

	sqlite3 "modernc.org/sqlite/lib"

	"nightjar/migrations"
)

// ErrNotNightjar says that a file is not a database of Nightjar.
var ErrNotNightjar = errors.New("this is not a database of Nightjar")

// Inspection is what a database holds.
type Inspection struct {
	Schema   int // version
	Sessions int
	Topics   int
	Finds    int
}

// Inspect checks a database file without changing it: it must be one of Nightjar, whole, and not newer than this program.
// The errors are ErrNotNightjar, ErrNewer and that of the check.
func Inspect(ctx context.Context, path string) (Inspection, error) {
	var in Inspection
	source := FileURL(path) + "?mode=ro&immutable=1"
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return in, err
	}
	defer db.Close()
	steps, err := migrationNames(migrations.Files)
	if err != nil {
		return in, err
	}
	if in.Schema, err = schemaVersion(ctx, db, len(steps)); Damaged(err) {
		return in, fmt.Errorf("%w: %w", ErrNotNightjar, err)
	} else if err != nil {
		return in, err
	}
	shown := shownFinds
	if in.Schema < len(steps) {
		shown = "1" // an older schema may lack what the condition is about
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sessions WHERE status <> 'discarded'), (SELECT count(*) FROM topics),
		(SELECT count(*) FROM finds WHERE `+shown+`)`).Scan(&in.Sessions, &in.Topics, &in.Finds)
	switch {
	case failed(err, sqlite3.SQLITE_ERROR), err == nil && in.Schema == 0:
		return in, ErrNotNightjar // it lacks these tables
	case err != nil:
		return in, fmt.Errorf("inspect %s: %w", path, err)
	}
	if err := check(ctx, source); err != nil {
		return in, err
	}
	return in, checkReferences(ctx, db)
}

// SameSchema returns ErrNotNightjar when the schema of a store is not that of another one: tables, indexes or triggers
// were added, or are missing.
func (s *Store) SameSchema(ctx context.Context, other *Store) error {
	const text = "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name"
	mine, err := query(ctx, s.r, scanText, text)
	if err != nil {
		return err
	}
	its, err := query(ctx, other.r, scanText, text)
	if err == nil && !slices.Equal(mine, its) {
		err = ErrNotNightjar
	}
	return err
}

// ForgetOwn deletes what belongs to the computer where a backup was made: which browsers and programs may connect, logins and
// passwords. Backups of older versions hold them.
func (s *Store) ForgetOwn(ctx context.Context) error {
	return s.commit(ctx, forgetOwn)
}

// Adopt takes over from another store what belongs to this computer and not to a backup: how the dashboard is reached,
// which browsers and programs may connect, and the password of the mail server with what it belongs to. A feed of a topic
// that this store lacks ends.
func (s *Store) Adopt(ctx context.Context, from string) error {
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if _, err := s.w.ExecContext(ctx, "ATTACH DATABASE ? AS was", FileURL(from)+"?mode=ro"); err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	err := s.commit(ctx, func(w *work) {
		forgetOwn(w)
		const also = " OR key = 'notices'" // names the mail server: another one must not get the password
		w.exec(`INSERT OR REPLACE INTO main.settings SELECT * FROM was.settings WHERE ` + ownSettings + also)
		for _, table := range ownTables() {
			adoptTable(w, table)
		}
	})
	_, derr := s.w.ExecContext(ctx, "DETACH DATABASE was")
	return errors.Join(err, derr)
}

// adoptTable copies the rows of an own table, unless the other store has an older form of it. Topics are known by their
// names: the same number may be another topic here.
func adoptTable(w *work, table string) {
	if !w.has(`SELECT EXISTS (SELECT 1 FROM main.sqlite_schema m JOIN was.sqlite_schema w ON w.sql = m.sql WHERE m.type = 'table' AND m.name = ?)`, table) {
		return
	}
	text := "INSERT INTO main." + table + " SELECT * FROM was." + table
	if table == "tokens" {
		text = `INSERT INTO main.tokens (id, key, hash, name, scope, topic_id, created_at, used_at)
			SELECT k.id, k.key, k.hash, k.name, k.scope, here.id, k.created_at, k.used_at FROM was.tokens k
			LEFT JOIN was.topics there ON there.id = k.topic_id LEFT JOIN main.topics here ON here.name = there.name
			WHERE k.topic_id IS NULL OR here.id IS NOT NULL`
	}
	w.exec(text)
}
