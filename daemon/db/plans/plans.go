// Package plans notes the statements that a store runs, and finds those that read a whole table. Tests use it: set
// db.Driver to Driver before the store is opened, and call Note.
package plans

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"maps"
	"nightjar/daemon/db"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite"
)

// Driver is the name of a driver for SQLite that notes statements.
const Driver = "sqlite-noting"

func init() { Register(Driver, func(c db.Conn) driver.Conn { return conn{c} }) }

// notes are the statements that were run, with the arguments of their last run. It is nil while nothing is noted.
var notes struct {
	sync.Mutex
	all map[string][]any
}

// Note begins to note the statements of all connections of the driver, with the arguments of the last run of each, until done is
// called. The map may be read and changed while no statement runs.
func Note() (all map[string][]any, done func()) {
	notes.Lock()
	defer notes.Unlock()
	all = map[string][]any{}
	notes.all = all
	return all, func() {
		notes.Lock()
		defer notes.Unlock()
		notes.all = nil
	}
}

func note(text string, args []driver.NamedValue) {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	notes.Lock()
	defer notes.Unlock()
	if notes.all != nil {
		notes.all[text] = values
	}
}

// Register gives a name to a driver for SQLite whose connections are made of those of the usual one.
func Register(name string, wrap func(db.Conn) driver.Conn) { sql.Register(name, wrapping(wrap)) }

type wrapping func(db.Conn) driver.Conn

func (w wrapping) Open(dsn string) (driver.Conn, error) {
	c, err := (&sqlite.Driver{}).Open(dsn)
	if err != nil {
		return nil, err
	}
	plain, ok := c.(db.Conn)
	if !ok {
		return nil, errors.Join(errors.New("the connections of the driver lack methods"), c.Close())
	}
	return w(plain), nil
}

type conn struct{ db.Conn }

func (c conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	note(text, args)
	return c.Conn.ExecContext(ctx, text, args)
}

func (c conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	note(text, args)
	return c.Conn.QueryContext(ctx, text, args)
}

func (c conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	s, err := c.Conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	plain, ok := s.(sqliteStmt)
	if !ok {
		return nil, errors.Join(errors.New("the statements of the driver lack what is needed to note them"), s.Close())
	}
	return stmt{plain, text}, nil
}

// sqliteStmt is what database/sql asks of the driver's prepared statements.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type stmt struct {
	sqliteStmt
	text string
}

func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	note(s.text, args)
	return s.sqliteStmt.ExecContext(ctx, args)
}

func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	note(s.text, args)
	return s.sqliteStmt.QueryContext(ctx, args)
}

// Step is a step of a statement's plan that reads a whole table.
type Step struct {
	Tables []string // the table; several when the statement calls them by the same name
	Detail string   // as SQLite says it
}

// Scans lists the steps of a statement's plan that read a whole table: in plain order, by a whole index, or to build an index
// for this one run. Tables of table-valued functions and of subqueries do not count; the steps inside a subquery count by
// themselves.
func Scans(ctx context.Context, db *sql.DB, text string, args ...any) ([]Step, error) {
	if verb, _, _ := strings.Cut(strings.TrimSpace(strings.ToUpper(text)), " "); verb != "SELECT" && verb != "WITH" && verb != "INSERT" && verb != "UPDATE" && verb != "DELETE" {
		return nil, nil // PRAGMA and what ends transactions
	}
	rows, err := db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		return nil, err
	}
	var details []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		details = append(details, detail)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	made := map[string]bool{"CONSTANT": true}
	for _, d := range details {
		if words := strings.Fields(d); words[0] == "MATERIALIZE" || words[0] == "CO-ROUTINE" {
			made[words[1]] = true
		}
	}
	var steps []Step
	for _, d := range details {
		words := strings.Fields(d)
		whole := words[0] == "SCAN" && !made[words[1]] && !strings.Contains(d, "VIRTUAL TABLE")
		if whole || strings.Contains(d, "AUTOMATIC") {
			steps = append(steps, Step{tablesOf(text, words[1]), d})
		}
	}
	return steps, nil
}

// tablesOf finds the tables that a statement, or a view that it reads, calls by a name.
func tablesOf(text, name string) []string {
	quoted := regexp.QuoteMeta(name)
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?i)(?:\b(?:FROM|JOIN|INTO|UPDATE)\s+|,\s*)([a-z_]+)\s+(?:AS\s+)?`+quoted+`\b`).FindAllStringSubmatch(text, -1) {
		found[m[1]] = true
	}
	if regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE)\s+` + quoted + `\b`).MatchString(text) {
		found[name] = true
	}
	if len(found) == 0 {
		found[name] = true // the statement reads a view, which calls its table by the table's name
	}
	return slices.Sorted(maps.Keys(found))
}
