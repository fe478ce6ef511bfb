// Package overview reads how far the person has come, and the topics, as pages, programs and checks show them.
package overview

import (
	"context"

	"nightjar/daemon/db"
)

// Steps says which first steps the person has taken, so that an empty page can name the next step.
type Steps struct {
	Browsers int // paired and not revoked
	Sessions int // not discarded
	Models   int
	Ticked   int // ticked start pages of topics with a model
	Nights   int // crawls that ended
	NewFinds int
}

// Read counts the rows for Steps.
func Read(ctx context.Context, d *db.DB) (Steps, error) {
	var o Steps
	err := d.Readers.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM browsers WHERE revoked_at IS NULL),
		       (SELECT count(*) FROM sessions WHERE status <> 'discarded'),
		       (SELECT count(*) FROM models),
		       (SELECT count(*) FROM starts WHERE ticked = 1 AND topic_id IN (SELECT topic_id FROM models)),
		       (SELECT count(*) FROM crawls WHERE status = 'ended'),
		       (SELECT coalesce(sum(finds), 0) FROM find_counts WHERE list = 'new')`).
		Scan(&o.Browsers, &o.Sessions, &o.Models, &o.Ticked, &o.Nights, &o.NewFinds)
	return o, db.Wrap(err, "read overview")
}
