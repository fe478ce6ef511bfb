package ingest

import (
	"context"
	"time"
)

// bucket limits the rate of events: it fills by eventRate tokens a second up to eventBurst, and an event takes one.
type bucket struct {
	tokens float64
	at     time.Time // when tokens was right
}

// take takes a token and says how long to wait until it is there.
func (b *bucket) take(now time.Time) time.Duration {
	if !b.at.IsZero() && now.After(b.at) {
		b.tokens = min(eventBurst, b.tokens+now.Sub(b.at).Seconds()*eventRate)
	}
	b.at = now
	b.tokens--
	if b.tokens >= 0 {
		return 0
	}
	return time.Duration(-b.tokens / eventRate * float64(time.Second))
}

// wait takes a token and waits for it.
func (b *bucket) wait(ctx context.Context, now time.Time) error {
	pause := b.take(now)
	if pause <= 0 {
		return nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
