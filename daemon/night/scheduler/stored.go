package scheduler

import (
	"context"

	"nightjar/daemon/db"
)

// renderedPages returns how many pages the crawls of a night rendered.
func renderedPages(ctx context.Context, d *db.DB, night string) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(*) FROM fetches JOIN crawls ON crawls.id = crawl_id
		WHERE night = ? AND rendered = 1`, night).Scan(&n)
	return n, db.Wrap(err, "count rendered pages of %s", night)
}

// SetPaused stores why a crawl that has not ended waits, for people, or "" when it continues.
func SetPaused(ctx context.Context, d *db.DB, crawlID int64, why string) error {
	err := d.Exec(ctx, "UPDATE crawls SET paused = ? WHERE id = ? AND status <> 'ended'", why, crawlID)
	return db.Wrap(err, "store why crawl %d waits", crawlID)
}
