package store

import (
	"context"

	"nightjar/daemon/db"
)

// WordIDs returns the numbers of words. Words that no link has are left out.
func (s *Store) WordIDs(ctx context.Context, words []string) (map[string]int64, error) {
	return db.Pairs[string, int64](ctx, s.Readers, `SELECT word, id FROM word WHERE word IN (SELECT value FROM json_each(?))`, db.JSONList(words))
}

// WordsByID returns the words of numbers. Words that are gone are left out.
func (s *Store) WordsByID(ctx context.Context, ids []int64) (map[int64]string, error) {
	return db.Pairs[int64, string](ctx, s.Readers, `SELECT id, word FROM word WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
}

// LinkPagesByID returns pages by their numbers, in no order, without the number of their sources. Those that are gone are left
// out.
func (s *Store) LinkPagesByID(ctx context.Context, ids []int64) ([]LinkPage, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[LinkPage], `SELECT known.id, known.url, `+LinkTitle+`, 0 FROM json_each(?) of
		JOIN link_page known ON known.id = of.value`, db.JSONList(ids))
	return all, db.Wrap(err, "read pages")
}

// NewestLink returns the number of the newest link, 0 without links.
func (s *Store) NewestLink(ctx context.Context) (id int64, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM link`).Scan(&id)
	return id, err
}

// LinksSince counts the links that were stored after a link, at most so many.
func (s *Store) LinksSince(ctx context.Context, id int64, most int) (n int, err error) {
	err = s.Readers.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link WHERE id > ? LIMIT ?)`, id, most).Scan(&n)
	return n, err
}
