package store

import (
	"context"
	"database/sql"

	"nightjar/crawler"
	"nightjar/daemon/db"
)

// putLook notes on the find of a page what a look at it saw.
func (j *Journal) putLook(ctx context.Context, tx *sql.Tx, f *crawler.Fetch) error {
	if f.Look == nil || f.Page == nil && !f.Look.Gone {
		return nil
	}
	return db.Execute(ctx, tx, `UPDATE finds SET gone_at = iif(?1, coalesce(gone_at, ?2), NULL), changed_at = iif(?3, ?2, changed_at)
		WHERE topic_id = ?4 AND url = ?5`, f.Look.Gone, db.Millis(f.At), f.Look.Changed, j.topicID, f.URL)
}

// news returns how many new links a look found as it is stored: NULL when the page was read for the first time.
func news(l *crawler.Look) any {
	if l == nil {
		return nil
	}
	return l.News
}
