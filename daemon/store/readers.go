package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"
)

// readers opens the connections for all that people and programs see, and for trainings and crawls. For these, a session of an
// import that goes on does not exist: the name of the table stands for a view without it. A transaction that writes sees it.
type readers struct {
	driver driver.Driver
	dsn    string
}

// openReaders returns a pool of such connections. They cannot write.
func openReaders(d driver.Driver, dsn string) *sql.DB {
	db := sql.OpenDB(readers{d, dsn})
	db.SetMaxOpenConns(4)
	return db
}

func (r readers) Driver() driver.Driver { return r.driver }

func (r readers) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := r.driver.Open(r.dsn)
	if err != nil {
		return nil, err
	}
	err = onNew(ctx, c, `SELECT importing FROM main.sessions LIMIT 0`)
	if err == nil {
		err = onNew(ctx, c, `CREATE TEMP VIEW sessions AS SELECT * FROM main.sessions WHERE importing = 0`)
	} else if failed(err, sqlite3.SQLITE_ERROR) {
		err = nil // a database of an older version has no such column, and no such session
	}
	if err == nil {
		err = onNew(ctx, c, `PRAGMA query_only = 1`)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
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
