package erasing

import (
	"context"

	"nightjar/daemon/db"
)

// Wing is what a wing of the daemon erases of a site. Package wings lists all of them.
type Wing struct {
	// Count adds to a plan what Erase would delete.
	Count func(r *db.Work, host string, p *Plan)

	// Before deletes in small transactions what would make the one of all wings long. What is stored meanwhile is left to Erase. nil
	// for nothing.
	Before func(ctx context.Context, d *db.DB, host string) error

	// Erase deletes everything about a host and the hosts below it, in the transaction of all wings. It returns the topics whose
	// models must be trained again.
	Erase func(w *db.Work, host string) (topics []int64)

	// Unlinked deletes what was made of pages that lost their links to a site, in the transaction that stored them without. It returns
	// the topics whose models must be trained again. nil for nothing.
	Unlinked func(w *db.Work, pages []Unlinked) (topics []int64)
}

func (g Wing) before(ctx context.Context, d *db.DB, host string) error {
	if g.Before == nil {
		return nil
	}
	return g.Before(ctx, d, host)
}

func (g Wing) unlinked(w *db.Work, pages []Unlinked) []int64 {
	if g.Unlinked == nil {
		return nil
	}
	return g.Unlinked(w, pages)
}
