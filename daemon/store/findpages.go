package store

import (
	"context"
	"fmt"
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
		where, args = where+" AND f.id IN (SELECT value FROM json_each(?))", append(args, jsonList(f.IDs))
	}
	if f.Limit == 0 {
		f.Limit = 50
	}
	all, err := query(ctx, s.r, scanFind, findRows+where+findsByID, append(args, f.Limit)...)
	if err == nil {
		err = s.withReasons(ctx, all)
	}
	return all, wrap(err, "list finds")
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
	if err := s.r.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM finds`).Scan(&last); err != nil {
		return nil, 0, fmt.Errorf("count new finds: %w", err)
	}
	counts, err = query(ctx, s.r, func(row scanner) (c TopicCount, err error) {
		return c, row.Scan(&c.Topic, &c.Finds)
	}, newFinds, after, last)
	return counts, last, wrap(err, "count new finds")
}

const newFinds = `SELECT t.name, count(*) AS finds FROM finds f JOIN topics t ON t.id = f.topic_id
	WHERE f.list = 'new' AND f.id > ? AND f.id <= ? GROUP BY t.id ORDER BY finds DESC, t.name`
