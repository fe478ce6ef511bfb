package store

import (
	"context"
	"database/sql"
	"fmt"
)

// PausedByYou says that the person paused the crawl. The crawl stays paused, even over restarts, until the person
// resumes it.
const PausedByYou = "paused by you"

// Reasons to wait that the person can override.
const (
	OnBattery = "on battery power"
	OnMetered = "the network is metered"
)

// SetPaused stores why a crawl that has not ended waits, for people, or "" when it continues.
func (s *Store) SetPaused(ctx context.Context, crawlID int64, why string) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE crawls SET paused = ? WHERE id = ? AND status <> 'ended'", why, crawlID)
		return err
	})
	if err != nil {
		return fmt.Errorf("store why crawl %d waits: %w", crawlID, err)
	}
	return nil
}
