package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"

	"nightjar/daemon/db/kept"
)

// View is a temporary view of connections that read: its name stands for it, and no longer for the table. A transaction that
// writes has the table.
type View struct {
	Needs string // a query that fails in a database without what the view needs, as of an older version; it has no view then
	Make  string // its statement
}

// openReaders returns a pool of connections for all that people and programs see, and for trainings and crawls. They cannot write.
func openReaders(d driver.Driver, dsn string, views []View) *sql.DB {
	db := sql.OpenDB(kept.Connections{Of: d, DSN: dsn, Begin: func(ctx context.Context, c driver.Conn) error { return beginReads(ctx, c, views) }})
	db.SetMaxOpenConns(4)
	return db
}

func beginReads(ctx context.Context, c driver.Conn, views []View) error {
	for _, view := range views {
		err := onNew(ctx, c, view.Needs)
		if err == nil {
			err = onNew(ctx, c, view.Make)
		} else if Failed(err, sqlite3.SQLITE_ERROR) {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return onNew(ctx, c, "PRAGMA query_only = 1")
}

// onNew runs a statement on a new connection.
func onNew(ctx context.Context, c driver.Conn, text string) (err error) {
	stmt, err := c.Prepare(text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	run, ok := stmt.(driver.StmtExecContext)
	if !ok {
		return errors.New("the driver's statements do not run")
	}
	_, err = run.ExecContext(ctx, nil)
	return err
}
