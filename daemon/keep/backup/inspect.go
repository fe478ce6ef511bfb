package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/migrations"
)

// Inspection is what a database holds.
type Inspection struct {
	Schema   int // version
	Sessions int
	Topics   int
	Finds    int
}

// Inspect checks a database file without changing it: it must be one of Nightjar, whole, and not newer than this program.
// The errors are db.ErrNotNightjar, ErrNewer and that of the check.
func Inspect(ctx context.Context, path string) (Inspection, error) {
	var in Inspection
	source := db.FileURL(path) + "?mode=ro&immutable=1"
	plain, err := sql.Open("sqlite", source)
	if err != nil {
		return in, err
	}
	defer plain.Close()
	steps, err := db.MigrationNames(migrations.Files)
	if err != nil {
		return in, err
	}
	if in.Schema, err = db.SchemaVersion(ctx, plain, len(steps)); db.Damaged(err) {
		return in, fmt.Errorf("%w: %w", db.ErrNotNightjar, err)
	} else if err != nil {
		return in, err
	}
	shown := store.ShownFinds
	if in.Schema < len(steps) {
		shown = "1" // an older schema may lack what the condition is about
	}
	err = plain.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sessions WHERE status <> 'discarded'), (SELECT count(*) FROM topics),
		(SELECT count(*) FROM finds WHERE `+shown+`)`).Scan(&in.Sessions, &in.Topics, &in.Finds)
	switch {
	case db.Failed(err, sqlite3.SQLITE_ERROR), err == nil && in.Schema == 0:
		return in, db.ErrNotNightjar // it lacks these tables
	case err != nil:
		return in, fmt.Errorf("inspect %s: %w", path, err)
	}
	if err := db.CheckFile(ctx, source); err != nil {
		return in, err
	}
	return in, db.CheckReferences(ctx, plain)
}

// Adopt takes over from another database what belongs to this computer and not to a backup: how the dashboard is reached,
// which browsers and programs may connect, and the password of the mail server with what it belongs to. A feed of a topic
// that this database lacks ends.
func Adopt(ctx context.Context, d *db.DB, from string) error {
	if _, err := os.Stat(from); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if _, err := d.Writer.ExecContext(ctx, "ATTACH DATABASE ? AS was", db.FileURL(from)+"?mode=ro"); err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	err := d.Commit(ctx, func(w *db.Work) {
		ForgetOwn(w)
		const also = " OR key = 'notices'" // names the mail server: another one must not get the password
		w.Exec(`INSERT OR REPLACE INTO main.settings SELECT * FROM was.settings WHERE ` + ownSettings + also)
		for _, table := range OwnTables() {
			adoptTable(w, table)
		}
	})
	_, derr := d.Writer.ExecContext(ctx, "DETACH DATABASE was")
	return errors.Join(err, derr)
}

// adoptTable copies the rows of an own table, unless the other database has an older form of it. Topics are known by their
// names: the same number may be another topic here.
func adoptTable(w *db.Work, table string) {
	if !w.Has(`SELECT EXISTS (SELECT 1 FROM main.sqlite_schema m JOIN was.sqlite_schema w ON w.sql = m.sql WHERE m.type = 'table' AND m.name = ?)`, table) {
		return
	}
	text := "INSERT INTO main." + table + " SELECT * FROM was." + table
	if table == "tokens" {
		text = `INSERT INTO main.tokens (id, key, hash, name, scope, topic_id, created_at, used_at)
			SELECT k.id, k.key, k.hash, k.name, k.scope, here.id, k.created_at, k.used_at FROM was.tokens k
			LEFT JOIN was.topics there ON there.id = k.topic_id LEFT JOIN main.topics here ON here.name = there.name
			WHERE k.topic_id IS NULL OR here.id IS NOT NULL`
	}
	w.Exec(text)
}
