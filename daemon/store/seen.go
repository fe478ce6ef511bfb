package store

import (
	"context"
)

// See stores that the cards of finds were on the screen. It returns how many of them were not seen before.
func (s *Store) See(ctx context.Context, ids []int64) (n int64, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	n, err = s.change(ctx, `UPDATE finds SET seen_at = ? WHERE id IN (SELECT value FROM json_each(?)) AND seen_at IS NULL`,
		millis(s.Now()), jsonList(ids))
	return n, wrap(err, "store which finds were seen")
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
	all, err := query(ctx, s.r, func(row scanner) (f FindState, err error) {
		return f, row.Scan(&f.ID, &f.URL, &f.Title, &f.Mark, &f.Refused)
	}, `SELECT id, url, title, mark, refused FROM finds WHERE id IN (SELECT value FROM json_each(?)) AND asked = 0 ORDER BY id`, jsonList(ids))
	return all, wrap(err, "read what was said of finds")
}
