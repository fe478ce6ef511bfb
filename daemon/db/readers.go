package db

import (
	"context"
	"database/sql"
	"database/sql/driver"

	sqlite3 "modernc.org/sqlite/lib"
)

// View is a temporary view of connections that read: its name stands for it, and no longer for the table. A transaction that
// writes has the table.
type View struct {
	Needs string // a query that fails in a database without what the view needs, as of an older version; it has no view then
	Make  string // its statement
}

// openReaders returns a pool of connections for all that people and programs see, and for trainings and crawls. They cannot write.
func openReaders(d driver.Driver, dsn string, views []View) *sql.DB {
	db := sql.OpenDB(connections{d, dsn, func(ctx context.Context, c plainConn) error { return beginReads(ctx, c, views) }})
	db.SetMaxOpenConns(4)
	return db
}

func beginReads(ctx context.Context, c plainConn, views []View) error {
	for _, view := range views {
		_, err := c.ExecContext(ctx, view.Needs, nil)
		if err == nil {
			_, err = c.ExecContext(ctx, view.Make, nil)
		} else if Failed(err, sqlite3.SQLITE_ERROR) {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	_, err := c.ExecContext(ctx, "PRAGMA query_only = 1", nil)
	return err
}
