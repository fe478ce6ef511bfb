package finds

import (
	"context"
	"fmt"

	"nightjar/daemon/db"
)

// Page selects finds in the order in which they were found, for programs that read them page by page.
type Page struct {
	Filter         // its From, Until and After are not used
	IDs    []int64 // only these, unless it is nil
	Before int64   // only finds with a smaller id; 0 for the newest
}

// Before lists finds, newest first, at most f.Limit (0 means 50). To read on, set Before to the id of the last one.
func Before(ctx context.Context, d *db.DB, f Page) ([]View, error) {
	where, args := f.where()
	if f.Before > 0 {
		where, args = where+" AND f.id < ?", append(args, f.Before)
	}
	if f.IDs != nil {
		where, args = where+" AND f.id IN (SELECT value FROM json_each(?))", append(args, db.JSONList(f.IDs))
	}
	if f.Limit == 0 {
		f.Limit = 50
	}
	all, err := db.Query(ctx, d.Readers, scanFind, f.rows()+where+findsByID, append(args, f.Limit)...)
	if err == nil {
		err = withReasons(ctx, d, all)
	}
	return all, db.Wrap(err, "list finds")
}

const findsByID = ` ORDER BY f.id DESC LIMIT ?`

// TopicCount is a number of finds of a topic.
type TopicCount struct {
	Topic string
	Finds int
}

// NewAfter counts the new finds (View.Fresh) with an id above after, by topic, most first. last is the largest
// id of any find, 0 without one.
func NewAfter(ctx context.Context, d *db.DB, after int64) (counts []TopicCount, last int64, err error) {
	if err := d.Readers.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM finds`).Scan(&last); err != nil {
		return nil, 0, fmt.Errorf("count new finds: %w", err)
	}
	counts, err = db.Query(ctx, d.Readers, db.Fields[TopicCount], newFinds, after, last)
	return counts, last, db.Wrap(err, "count new finds")
}

const newFinds = `SELECT t.name, count(*) AS finds FROM finds f JOIN topics t ON t.id = f.topic_id
	WHERE f.list = 'new' AND f.id > ? AND f.id <= ? GROUP BY t.id ORDER BY finds DESC, t.name`

// See stores that the cards of finds were on the screen. It returns how many of them were not seen before.
func See(ctx context.Context, d *db.DB, ids []int64) (n int64, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	n, err = d.Change(ctx, `UPDATE finds SET seen_at = ? WHERE id IN (SELECT value FROM json_each(?)) AND seen_at IS NULL`,
		db.Millis(d.Now()), db.JSONList(ids))
	return n, db.Wrap(err, "store which finds were seen")
}

// FindState is what the person said of a find.
type State struct {
	ID      int64
	URL     string
	Title   string
	Mark    string
	Refused bool // its site is refused
}

// States returns what the person said of finds, those of refused sites included. Ids without a find are left out.
func States(ctx context.Context, d *db.DB, ids []int64) ([]State, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[State], `SELECT id, url, title, mark, refused FROM finds WHERE id IN (SELECT value FROM json_each(?)) AND (asked = 0 OR maybe = 1) ORDER BY id`, db.JSONList(ids))
	return all, db.Wrap(err, "read what was said of finds")
}
