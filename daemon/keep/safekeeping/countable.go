package safekeeping

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// lastEvent reads one row: events are numbered in the order in which they are stored.
const lastEvent = "SELECT at FROM events ORDER BY rowid DESC LIMIT 1"

// LastEvent returns the time of the event that was stored last, the zero time when there is none.
func LastEvent(ctx context.Context, d *db.DB) (time.Time, error) {
	at, err := db.Single[sql.NullInt64](ctx, d.Readers, lastEvent)
	return db.Moment(at), db.Optional(err)
}

// Countable names the tables that say what a database holds.
var Countable = []struct{ Name, Table string }{
	{"Topics", "topics"}, {"Sessions", "sessions"}, {"Recorded events", "events"}, {"Pages", "contents"},
	{"Models", "models"}, {"Crawls", "crawls"}, {"Finds", "finds"}, {"Marks on finds", "feedback"},
}

// CountRows counts the rows of a table of Countable. It reads the rows, not an index, so that a row that cannot be reached is
// an error.
func CountRows(ctx context.Context, d *db.DB, table string) (n int, err error) {
	for _, c := range Countable {
		if c.Table != table {
			continue
		}
		err := d.Readers.QueryRowContext(ctx, "SELECT count(*) FROM main."+table+" NOT INDEXED").Scan(&n)
		return n, err
	}
	return 0, fmt.Errorf("count rows of %s: %w", table, db.ErrNotFound)
}
