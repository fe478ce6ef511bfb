package finds

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nightjar/daemon/db"
)

// Action is something that the person did with finds, which can be undone.
type Action struct {
	ID     int64
	At     time.Time
	Kind   string // a mark, ActionRefuse or ActionAllow
	Site   string // for ActionRefuse and ActionAllow
	Finds  int    // marked by it
	FindID int64  // one of them
	Title  string // of that one, or its address
}

// LastAction returns the last action that was not undone, if it is not older than since, or ErrNotFound. Answers to
// questions (Answer) and marks of links are left out: their pages undo them.
func LastAction(ctx context.Context, d *db.DB, since time.Time) (Action, error) {
	var a Action
	var find sql.NullInt64
	err := d.Readers.QueryRowContext(ctx, `
		SELECT a.id, a.at, a.kind, a.site, (SELECT count(*) FROM feedback WHERE action_id = a.id),
		       (SELECT min(find_id) FROM feedback WHERE action_id = a.id)
		FROM actions a WHERE a.id > coalesce((SELECT max(id) - 200 FROM actions), 0) AND a.undone_at IS NULL AND a.at >= ?
			AND a.kind <> 'link' AND (a.site <> '' OR EXISTS (SELECT 1 FROM feedback JOIN finds ON finds.id = find_id WHERE action_id = a.id AND asked = 0))
		ORDER BY a.id DESC LIMIT 1`, db.Millis(since)).Scan(&a.ID, db.TimeOf(&a.At), &a.Kind, &a.Site, &a.Finds, &find)
	if errors.Is(err, sql.ErrNoRows) {
		return a, db.ErrNotFound
	}
	a.FindID = find.Int64
	if err == nil && find.Valid {
		err = d.Readers.QueryRowContext(ctx, "SELECT coalesce(nullif(trim(title), ''), url) FROM finds WHERE id = ?", find.Int64).Scan(&a.Title)
	}
	return a, db.Wrap(err, "read the last action")
}
