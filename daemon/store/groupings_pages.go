package store

import (
	"context"
)

// LinkPagesByID returns pages by their numbers, in no order, without the number of their sources. Those that are gone are left
// out.
func (s *Store) LinkPagesByID(ctx context.Context, ids []int64) ([]LinkPage, error) {
	all, err := query(ctx, s.r, scanLinkPage, `SELECT known.id, known.url, `+linkTitle+`, 0 FROM json_each(?) of
		JOIN link_page known ON known.id = of.value`, jsonList(ids))
	return all, wrap(err, "read pages")
}

// NewestLink returns the number of the newest link, 0 without links.
func (s *Store) NewestLink(ctx context.Context) (id int64, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM link`).Scan(&id)
	return id, err
}

// LinksSince counts the links that were stored after a link, at most so many.
func (s *Store) LinksSince(ctx context.Context, id int64, most int) (n int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM link WHERE id > ? LIMIT ?)`, id, most).Scan(&n)
	return n, err
}

// GroupedLinksSince counts the links to pages of a grouping among those that were stored after a link, of which it looks at so
// many as most.
func (s *Store) GroupedLinksSince(ctx context.Context, grouping, id int64, most int) (n int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT dst FROM link WHERE id > ? ORDER BY id LIMIT ?) new
		CROSS JOIN descriptions d ON d.grouping_id = ? AND d.page_id = new.dst`, id, most, grouping).Scan(&n)
	return n, err
}
