package links

import (
	"context"

	"nightjar/daemon/db"
)

// WordIDs returns the numbers of words. Words that no link has are left out.
func WordIDs(ctx context.Context, d *db.DB, words []string) (map[string]int64, error) {
	return db.Pairs[string, int64](ctx, d.Readers, `SELECT word, id FROM word WHERE word IN (SELECT value FROM json_each(?))`, db.JSONList(words))
}

// WordsByID returns the words of numbers. Words that are gone are left out.
func WordsByID(ctx context.Context, d *db.DB, ids []int64) (map[int64]string, error) {
	return db.Pairs[int64, string](ctx, d.Readers, `SELECT id, word FROM word WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
}

// PagesByID returns pages by their numbers, in no order, without the number of their sources. Those that are gone are left
// out.
func PagesByID(ctx context.Context, d *db.DB, ids []int64) ([]Page, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Page], `SELECT known.id, known.url, `+PageTitle+`, 0 FROM json_each(?) of
		JOIN link_page known ON known.id = of.value`, db.JSONList(ids))
	return all, db.Wrap(err, "read pages")
}

// Newest returns the number of the newest link, 0 without links.
func Newest(ctx context.Context, d *db.DB) (id int64, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM link`).Scan(&id)
	return id, err
}

// Since counts the links that were stored after a link, at most the given number.
func Since(ctx context.Context, d *db.DB, id int64, most int) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link WHERE id > ? LIMIT ?)`, id, most).Scan(&n)
	return n, err
}
