package render

import (
	"context"
	"time"
)

// stopwatch measures how long a page has run. Time in which the browser waited for a processor does not count, so that a page
// gets as far on a busy machine as on an idle one. A tenth of the time always counts: every limit has an end.
type stopwatch struct {
	group  int // of the browser's processes
	start  time.Time
	waited time.Duration // until start
}

func (b *browser) stopwatch() *stopwatch {
	return &stopwatch{b.pid, time.Now(), waited(b.pid)}
}

// reached reports whether the page has run for so long.
func (w *stopwatch) reached(limit time.Duration) bool {
	passed := time.Since(w.start)
	return passed >= limit && passed-min(waited(w.group)-w.waited, passed*9/10) >= limit // what has ended waits no longer: less than 0
}

// withLimit returns a context that ends with errScripts when the page has run for so long.
func (b *browser) withLimit(parent context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ran := b.stopwatch()
	go func() {
		look := time.NewTicker(pollInterval)
		defer look.Stop()
		for !ran.reached(limit) {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
			}
		}
		cancel(errScripts)
	}()
	return ctx, func() { cancel(nil) }
}
