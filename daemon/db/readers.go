package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"
)

// View is a temporary view of connections that read: its name stands for it, and no longer for the table. A transaction that
// writes has the table.
type View struct {
	Needs string // a query that fails in a database without what the view needs, as of an older version; it has no view then
	Make  string // its statement
}

// readers opens the connections for all that people and programs see, and for trainings and crawls.
type readers struct {
	driver driver.Driver
	dsn    string
	views  []View
}

// openReaders returns a pool of such connections. They cannot write.
func openReaders(d driver.Driver, dsn string, views []View) *sql.DB {
	db := sql.OpenDB(readers{d, dsn, views})
	db.SetMaxOpenConns(4)
	return db
}

func (r readers) Driver() driver.Driver { return r.driver }

func (r readers) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := r.driver.Open(r.dsn)
	if err != nil {
		return nil, err
	}
	if err := r.begin(ctx, c); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (r readers) begin(ctx context.Context, c driver.Conn) error {
	for _, view := range r.views {
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
