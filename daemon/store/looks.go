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

// untold is true of a find that changed much or is gone, while the person was not told.
const untold = `(f.changed_at IS NOT NULL OR f.gone_at IS NOT NULL) AND f.mark NOT IN ('` + MarkNotUseful + `', '` + MarkOffTopic + `')
	AND max(coalesce(f.changed_at, 0), coalesce(f.gone_at, 0)) > coalesce(f.told_at, 0)`

// ChangedFinds lists at most that many finds whose pages changed much or are gone, the newest change first, until TellChanges is
// called. Those that the person marked as not useful are left out.
func (s *Store) ChangedFinds(ctx context.Context, most int) ([]FindView, error) {
	all, err := db.Query(ctx, s.Readers, scanFind, findRows+" AND "+untold+` ORDER BY max(coalesce(f.changed_at, 0), coalesce(f.gone_at, 0)) DESC, f.id LIMIT ?`, most)
	return all, db.Wrap(err, "list finds that changed")
}

// TellChanges stores that the person was told of these finds.
func (s *Store) TellChanges(ctx context.Context, ids []int64) error {
	err := s.Exec(ctx, `UPDATE finds SET told_at = max(coalesce(changed_at, 0), coalesce(gone_at, 0)) WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
	return db.Wrap(err, "store that changes were told")
}
