package load

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"nightjar/daemon/store"
)

// plainSeconds is how long the comparison lasts.
const plainSeconds = 10

// plain measures what the same rate of events takes when each is one insert and one commit of SQLite alone, with the program's
// pragmas and an index: no sockets, no parsing, no web graph.
func plain(ctx context.Context, dir string, rate int) (took []time.Duration, err error) {
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(dir, "plain.db"))+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=secure_delete(1)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE TABLE events (id TEXT PRIMARY KEY, seq INTEGER, body TEXT, html BLOB)"); err != nil {
		return nil, err
	}
	b := newBrowser(steady, "plain", 4)
	every := time.Second / time.Duration(rate)
	begin := time.Now()
	for i := range rate * plainSeconds {
		e := b.event()
		due := begin.Add(time.Duration(i) * every)
		time.Sleep(time.Until(due))
		if _, err := db.ExecContext(ctx, "INSERT INTO events VALUES (?, ?, ?, ?)", e.ID, e.Seq, e.URL+e.Title+e.Page, e.HTML); err != nil {
			return nil, err
		}
		took = append(took, time.Since(due))
	}
	return took, nil
}
