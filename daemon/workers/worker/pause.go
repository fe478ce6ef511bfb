package worker

import (
	"context"
	"time"
)

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
