// Package tonight shows what the next night does: the start pages of topics, the forecast, the window, and the crawls that wait.
//
// Start with Night.Card.
package tonight

import (
	"context"

	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
)

// Night reads what the next night does.
type Night struct {
	Store     *store.Store
	Scheduler Scheduler
}

// Scheduler runs crawls; see scheduler.Scheduler.
type Scheduler interface {
	Status() scheduler.Status
	Refusal(ctx context.Context) (func(url string) error, error) // says why an address is never fetched; nil for others
	Renew(topicID int64)                                         // applies the person's new wishes to its running crawl
}
