package worker

import (
	"context"
	"math/rand/v2"
	"time"
)

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	alarm := time.NewTimer(d)
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-ctx.Done():
	}
}

// sleep waits at most d for a change of the state.
func (w *Worker) sleep(ctx context.Context, d time.Duration) {
	alarm := time.NewTimer(d)
	defer alarm.Stop()
	select {
	case <-alarm.C:
	case <-w.wake:
	case <-ctx.Done():
	}
}

// pause waits that long, or until the worker drains.
func (w *Worker) pause(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); ctx.Err() == nil && !w.isDraining(); {
		left := time.Until(end)
		if left <= 0 {
			return
		}
		w.sleep(ctx, left)
	}
}

// backoff is the wait between failed attempts: it doubles from 1 s to 30 s, less up to a quarter, so that many workers do not come
// back at the same moment.
type backoff struct{ last time.Duration }

func (b *backoff) next() time.Duration {
	b.last = min(max(2*b.last, time.Second), 30*time.Second)
	return b.last - rand.N(b.last/4)
}

func (b *backoff) reset() { b.last = 0 }
