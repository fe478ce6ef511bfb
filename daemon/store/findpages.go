package store

import (
	"context"
	"fmt"

	"nightjar/daemon/db"
)

// FindPage selects finds in the order in which they were found, for programs that read them page by page.
type FindPage struct {
	FindFilter         // its From, Until and After are not used
	IDs        []int64 // only these, unless it is nil
	Before     int64   // only finds with a smaller id; 0 for the newest
}

// FindsBefore lists finds, newest first, at most f.Limit (0 means 50). To read on, set Before to the id of the last one.
func (s *Store) FindsBefore(ctx context.Context, f FindPage) ([]FindView, error) {
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
	all, err := db.Query(ctx, s.Readers, scanFind, f.rows()+where+findsByID, append(args, f.Limit)...)
	if err == nil {
		err = s.withReasons(ctx, all)
	}
	return all, db.Wrap(err, "list finds")
}

const findsByID = ` ORDER BY f.id DESC LIMIT ?`

// TopicCount is a number of finds of a topic.
type TopicCount struct {
	Topic string
	Finds int
}

// NewFindsAfter counts the new finds (FindView.Fresh) with an id above after, by topic, most first. last is the largest
// id of any find, 0 without one.
func (s *Store) NewFindsAfter(ctx context.Context, after int64) (counts []TopicCount, last int64, err error) {
	if err := s.Readers.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM finds`).Scan(&last); err != nil {
		return nil, 0, fmt.Errorf("count new finds: %w", err)
	}
	counts, err = db.Query(ctx, s.Readers, db.Fields[TopicCount], newFinds, after, last)
	return counts, last, db.Wrap(err, "count new finds")
}

const newFinds = `SELECT t.name, count(*) AS finds FROM finds f JOIN topics t ON t.id = f.topic_id
	WHERE f.list = 'new' AND f.id > ? AND f.id <= ? GROUP BY t.id ORDER BY finds DESC, t.name`

// See stores that the cards of finds were on the screen. It returns how many of them were not seen before.
func (s *Store) See(ctx context.Context, ids []int64) (n int64, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	n, err = s.Change(ctx, `UPDATE finds SET seen_at = ? WHERE id IN (SELECT value FROM json_each(?)) AND seen_at IS NULL`,
		db.Millis(s.Now()), db.JSONList(ids))
	return n, db.Wrap(err, "store which finds were seen")
}

// FindState is what the person said of a find.
type FindState struct {
	ID      int64
	URL     string
	Title   string
	Mark    string
	Refused bool // its site is refused
}

// FindStates returns what the person said of finds, those of refused sites included. Ids without a find are left out.
func (s *Store) FindStates(ctx context.Context, ids []int64) ([]FindState, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[FindState], `SELECT id, url, title, mark, refused FROM finds WHERE id IN (SELECT value FROM json_each(?)) AND (asked = 0 OR maybe = 1) ORDER BY id`, db.JSONList(ids))
	return all, db.Wrap(err, "read what was said of finds")
}
