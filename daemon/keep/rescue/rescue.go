package rescue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"nightjar/daemon/db"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
)

// Lost is a table of a damaged database of which not all rows could be read.
type Lost struct {
	Table string
	Rows  int // that were saved
}

// maxProbes bounds how often Rescue tries to read around damaged places of one table.
const maxProbes = 4000

// Rescue writes all rows of the damaged database at from that can be read to a new database at to, which must not exist, and
// returns the tables that lack some. It changes nothing at from. Rows that refer to lost ones are left out. What belongs to
// this computer is not copied; the search index is made anew when the database is used.
func Save(ctx context.Context, from, to string) ([]Lost, error) {
	src, err := store.Look(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("rescue: %w", err)
	}
	defer src.Close()
	fresh, err := store.Open(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("rescue: %w", err)
	}
	if err := fresh.Close(); err != nil {
		return nil, fmt.Errorf("rescue: %w", err)
	}
	plain, err := sql.Open("sqlite", db.FileURL(to)+"?mode=rw&_pragma=foreign_keys(0)&_pragma=journal_mode(DELETE)")
	if err != nil {
		return nil, fmt.Errorf("rescue: %w", err)
	}
	plain.SetMaxOpenConns(1)
	r := &rescuer{src: src.Readers}
	err = errors.Join(r.run(ctx, plain), plain.Close())
	if err != nil {
		return nil, fmt.Errorf("rescue: %w", errors.Join(err, os.Remove(to)))
	}
	return r.lost, nil
}

// rescuer is one call of Rescue.
type rescuer struct {
	*db.Work // on the new database
	src      *sql.DB
	lost     []Lost
}

func (r *rescuer) run(ctx context.Context, plain *sql.DB) error {
	tx, err := plain.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	r.Work = &db.Work{Ctx: ctx, Q: tx, Tx: tx}
	const triggers = "FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid"
	made := db.List(r.Work, db.ScanText, "SELECT sql "+triggers)
	for _, name := range db.List(r.Work, db.ScanText, "SELECT name "+triggers) {
		r.Exec("DROP TRIGGER " + name)
	}
	tables := db.List(r.Work, db.ScanText, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND name NOT LIKE 'search\_%' ESCAPE '\' ORDER BY rowid`)
	tables = slices.DeleteFunc(tables, func(t string) bool { return slices.Contains(backup.OwnTables(), t) })
	for _, t := range tables {
		r.table(t)
	}
	r.ExecAll(remake)
	r.dropOrphans(tables)
	backup.ForgetOwn(r.Work)
	r.Exec(`INSERT INTO search_queue (url) SELECT url FROM pages UNION SELECT final_url FROM fetches WHERE outcome = 'ok'`)
	r.ExecAll(made)
	if r.Err != nil {
		return r.Err
	}
	return tx.Commit()
}

// remake makes lost topics, sessions and pages anew from the events, so that not everything is lost with them. A topic whose name
// no event has gets one with its number. A crawl whose queue of links is lost has one of its own.
var remake = []string{
	`CREATE TEMP TABLE said AS SELECT session_id, client, type, page, at, body ->> '$.session' AS session, body ->> '$.topic' AS topic,
		body ->> '$.url' AS url FROM events WHERE json_valid(body)`,
	`INSERT OR IGNORE INTO topics (id, name, created_at) SELECT s.topic_id, e.topic, s.started_at FROM sessions s
		JOIN said e ON e.session_id = s.id AND e.type = 'session.start' WHERE e.topic <> '' AND s.topic_id NOT IN (SELECT id FROM topics)`,
	`INSERT OR IGNORE INTO topics (id, name, created_at) SELECT topic_id, 'Saved topic ' || topic_id, started_at FROM sessions
		WHERE topic_id NOT IN (SELECT id FROM topics)`,
	`INSERT OR IGNORE INTO topics (id, name, created_at) SELECT topic_id, 'Saved topic ' || topic_id, created_at FROM models
		WHERE topic_id NOT IN (SELECT id FROM topics)`,
	`INSERT OR IGNORE INTO topics (name, created_at) SELECT coalesce(nullif(topic, ''), 'Saved sessions'), at FROM said
		WHERE type = 'session.start' AND session_id NOT IN (SELECT id FROM sessions)`,
	`INSERT OR IGNORE INTO sessions (id, uuid, topic_id, client, status, started_at)
		SELECT e.session_id, e.session, t.id, e.client, CASE WHEN EXISTS (SELECT 1 FROM said x WHERE x.session_id = e.session_id AND x.type = 'submit')
			THEN 'submitted' ELSE 'paused' END, e.at
		FROM said e JOIN topics t ON t.name = coalesce(nullif(e.topic, ''), 'Saved sessions')
		WHERE e.type = 'session.start' AND e.session <> '' AND e.session_id NOT IN (SELECT id FROM sessions)`,
	`INSERT OR IGNORE INTO pages (id, url) SELECT v.page_id, e.url FROM visits v JOIN said e ON e.page = v.load
		WHERE e.type IN ('visit', 'frame') AND e.url <> '' AND v.page_id NOT IN (SELECT id FROM pages)`,
	`DROP TABLE said`,
	`UPDATE crawls SET queue = id WHERE queue NOT IN (SELECT id FROM crawls)`,
}

// rescued is a table that is being copied.
type rescued struct {
	name    string
	columns []string // that both databases have
	keys    []string // of the primary key, for a table without row numbers
	into    *sql.Stmt
	rows    int
	missing bool // not all could be read
	probes  int
}

// table copies one table. An error of the damaged database means that rows are lost; others end the rescue.
func (r *rescuer) table(name string) {
	t := &rescued{name: name}
	const columns = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
	want := db.List(r.Work, db.ScanText, columns, name)
	if r.Err != nil {
		return
	}
	has, err := db.Query(r.Ctx, r.src, db.ScanText, columns, name)
	if err != nil {
		r.lost = append(r.lost, Lost{Table: name})
		r.Fail(r.ends(err))
		return
	}
	for _, c := range want {
		if slices.Contains(has, c) {
			t.columns = append(t.columns, c)
		}
	}
	if len(t.columns) == 0 {
		return // an older database, without this table
	}
	without := r.Has("SELECT wr FROM pragma_table_list(?)", name)
	t.into, err = r.Tx.PrepareContext(r.Ctx, "INSERT OR IGNORE INTO "+name+" ("+strings.Join(t.columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(t.columns)-1)+")")
	if r.Fail(err); r.Err != nil {
		return
	}
	defer func() { _ = t.into.Close() }() // the transaction decides
	if without {
		t.keys = db.List(r.Work, db.ScanText, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", name)
		r.Fail(r.keyed(t))
	} else {
		r.Fail(r.numbered(t))
	}
	if t.missing {
		r.lost = append(r.lost, Lost{name, t.rows})
	}
	r.Fail(r.Ctx.Err())
}

// keyed copies a table without row numbers from its first row on, and from its last one back, up to the damage.
func (r *rescuer) keyed(t *rescued) error {
	ahead := strings.Join(t.keys, ", ")
	back := strings.Join(t.keys, " DESC, ") + " DESC"
	for _, order := range []string{ahead, back} {
		readErr, err := r.copyRows(t, "", "ORDER BY "+order, nil)
		if err != nil {
			return err
		}
		if readErr == nil {
			return nil
		}
		t.missing = true
	}
	return nil
}

// numbered copies a table with row numbers. Where rows cannot be read, it halves the range until it has read around them.
func (r *rescuer) numbered(t *rescued) error {
	var last int64
	if err := r.src.QueryRowContext(r.Ctx, "SELECT coalesce(max(rowid), 0) FROM main."+t.name).Scan(&last); err != nil {
		last = 1 << 40 // the way to the last row is damaged
	}
	return r.span(t, 0, last)
}

// span copies the rows with numbers above low, up to high.
func (r *rescuer) span(t *rescued, low, high int64) error {
	if low >= high {
		return nil
	}
	if t.probes++; t.probes > maxProbes {
		t.missing = true
		return nil
	}
	reached := low
	readErr, err := r.copyRows(t, "WHERE rowid > ? AND rowid <= ?", "ORDER BY rowid", &reached, low, high)
	if err != nil || readErr == nil {
		return err
	}
	t.missing = true
	if high-reached <= 1 {
		return nil
	}
	mid := reached + (high-reached)/2
	if err := r.span(t, reached, mid); err != nil {
		return err
	}
	return r.span(t, mid, high)
}

// copyRows copies rows until the damaged database fails, which is readErr. reached is set to the number of the last row.
func (r *rescuer) copyRows(t *rescued, where, order string, reached *int64, args ...any) (readErr, err error) {
	number := "0"
	if reached != nil {
		number = "rowid"
	}
	rows, readErr := r.src.QueryContext(r.Ctx, "SELECT "+number+", "+strings.Join(t.columns, ", ")+" FROM main."+t.name+" NOT INDEXED "+where+" "+order, args...)
	if readErr != nil {
		return readErr, r.ends(readErr)
	}
	defer rows.Close()
	values := make([]any, len(t.columns))
	into := make([]any, len(t.columns)+1)
	var n int64
	into[0] = &n
	for i := range values {
		into[i+1] = &values[i]
	}
	for rows.Next() {
		if readErr := rows.Scan(into...); readErr != nil {
			return readErr, r.ends(readErr)
		}
		done, err := t.into.ExecContext(r.Ctx, values...)
		if err != nil {
			if r.Ctx.Err() != nil || db.IsFull(err) {
				return nil, err
			}
			t.missing = true // its values are not those of the table
		} else if added, err := done.RowsAffected(); err == nil {
			t.rows += int(added)
		}
		if reached != nil {
			*reached = n
		}
	}
	return rows.Err(), r.ends(rows.Err())
}

// ends returns the error with which a rescue ends after an error of a read. Rows are not lost because another program holds the
// database for a while; they are when the disk cannot read them.
func (r *rescuer) ends(readErr error) error {
	if r.Ctx.Err() == nil && db.IsLocked(readErr) {
		return readErr
	}
	return r.Ctx.Err()
}

// orphan is a column that refers to another table.
type orphan struct {
	column, parent, to string
	needed             bool // it cannot be NULL
}

// dropOrphans deletes rows that refer to lost ones, until there are none; a column that can be empty is emptied instead.
func (r *rescuer) dropOrphans(tables []string) {
	for range 50 {
		changed := int64(0)
		for _, t := range tables {
			keys := db.List(r.Work, func(row db.Scanner) (k orphan, err error) { return k, row.Scan(&k.column, &k.parent, &k.to, &k.needed) },
				`SELECT f."from", f."table", coalesce(f."to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = 1)),
					(SELECT "notnull" OR pk > 0 FROM pragma_table_info(?1) WHERE name = f."from") FROM pragma_foreign_key_list(?1) f`, t)
			for _, k := range keys {
				changed += r.Change(k.statement(t))
			}
		}
		if changed == 0 {
			return
		}
	}
	r.Fail(errors.New("rows refer to each other in more than 50 steps"))
}

// statement ends the references of a table's column to lost rows.
func (k orphan) statement(table string) string {
	change := "DELETE FROM " + table
	switch {
	case table == "events" && !k.needed: // its sum is worked out again
		change = "UPDATE events SET sum = NULL, " + k.column + " = NULL"
	case !k.needed:
		change = "UPDATE " + table + " SET " + k.column + " = NULL"
	}
	return change + " WHERE " + k.column + " IS NOT NULL AND " + k.column + " NOT IN (SELECT " + k.to + " FROM " + k.parent + " WHERE " + k.to + " IS NOT NULL)"
}
