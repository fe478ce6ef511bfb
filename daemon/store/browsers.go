package store

import (
	"context"
	"time"

	"nightjar/daemon/db"
)

// BrowserView is a paired browser as the dashboard shows it.
type BrowserView struct {
	Client   string
	Name     string
	Origin   string
	PairedAt time.Time
	SeenAt   time.Time
}

// BrowserViews lists the browsers that are paired and not revoked.
func (s *Store) BrowserViews(ctx context.Context) ([]BrowserView, error) {
	all, err := db.Query(ctx, s.Readers, db.Fields[BrowserView], `SELECT client, name, origin, paired_at, seen_at FROM browsers WHERE revoked_at IS NULL ORDER BY paired_at`)
	return all, db.Wrap(err, "list browsers")
}
