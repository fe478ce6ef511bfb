package join

import (
	"math/rand/v2"
	"time"
)

// Pauses between attempts.
const (
	firstPause = time.Second
	lastPause  = 30 * time.Second
)

// Backoff makes the pauses between attempts: they double from 1 to 30 s. Each is shortened at random by up to a half, so that
// workers which lost the same broker do not come back at the same moment.
type Backoff struct {
	First time.Duration // the first pause; 0 means 1 s

	next time.Duration
}

// Next returns the next pause.
func (b *Backoff) Next() time.Duration {
	first := b.First
	if first == 0 {
		first = firstPause
	}
	pause := max(b.next, first)
	b.next = min(2*pause, lastPause)
	return pause - rand.N(pause/2)
}

// Reset starts again with the shortest pause.
func (b *Backoff) Reset() { b.next = 0 }
