package finds

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// untold is true of a find that changed much or is gone, while the person was not told.
const untold = `(f.changed_at IS NOT NULL OR f.gone_at IS NOT NULL) AND f.mark NOT IN ('` + store.MarkNotUseful + `', '` + store.MarkOffTopic + `')
	AND max(coalesce(f.changed_at, 0), coalesce(f.gone_at, 0)) > coalesce(f.told_at, 0)`

// Changed lists at most that many finds whose pages changed much or are gone, the newest change first, until TellChanges is
// called. Those that the person marked as not useful are left out.
func Changed(ctx context.Context, d *db.DB, most int) ([]View, error) {
	all, err := db.Query(ctx, d.Readers, scanFind, findRows+" AND "+untold+` ORDER BY max(coalesce(f.changed_at, 0), coalesce(f.gone_at, 0)) DESC, f.id LIMIT ?`, most)
	return all, db.Wrap(err, "list finds that changed")
}

// TellChanges stores that the person was told of these finds.
func TellChanges(ctx context.Context, d *db.DB, ids []int64) error {
	err := d.Exec(ctx, `UPDATE finds SET told_at = max(coalesce(changed_at, 0), coalesce(gone_at, 0)) WHERE id IN (SELECT value FROM json_each(?))`, db.JSONList(ids))
	return db.Wrap(err, "store that changes were told")
}
