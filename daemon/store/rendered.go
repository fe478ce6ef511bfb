package store

import (
	"context"
)

// RenderedPages returns how many pages the crawls of a night rendered.
func (s *Store) RenderedPages(ctx context.Context, night string) (n int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM fetches JOIN crawls ON crawls.id = crawl_id
		WHERE night = ? AND rendered = 1`, night).Scan(&n)
	return n, wrap(err, "count rendered pages of %s", night)
}
