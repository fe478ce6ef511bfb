package store

import (
	"context"
	"database/sql"
	"fmt"
)

// PausedByYou is why a crawl waits that the person paused. It holds over restarts, until the person lets it go on.
const PausedByYou = "paused by you"

// Why crawls wait that the person may tell to run anyway.
const (
	OnBattery = "on battery power"
	OnMetered = "the network is metered"
)

// SetPaused notes why a crawl that has not ended waits, in words, "" when it goes on.
func (s *Store) SetPaused(ctx context.Context, crawlID int64, why string) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE crawls SET paused = ? WHERE id = ? AND status <> 'ended'", why, crawlID)
		return err
	})
	if err != nil {
		return fmt.Errorf("note why crawl %d waits: %w", crawlID, err)
	}
	return nil
}
