package reader

import (
	"context"
	"sync"
	"time"

	"nightjar/daemon/store"
)

// mostWait is how long a training waits for texts.
const mostWait = time.Minute

// Waits lets trainings wait for the texts of PDFs that a Runner reads. Set the exported fields.
type Waits struct {
	Store *store.Store
	Now   func() time.Time

	mu      sync.Mutex
	done    chan struct{} // closed when an attempt ends; nil when nobody waits
	waiting map[int64]int // trainings that wait, by topic
}

// tell wakes those who wait.
func (w *Waits) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done != nil {
		close(w.done)
		w.done = nil
	}
}

// changed returns a channel that is closed when the next attempt ends.
func (w *Waits) changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done == nil {
		w.done = make(chan struct{})
	}
	return w.done
}

// waitedFor reports whether a training of a topic waits, which will learn from what is read now.
func (w *Waits) waitedFor(topicID int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting[topicID] > 0
}

// count notes that n more trainings of a topic wait.
func (w *Waits) count(topicID int64, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[int64]int{}
	}
	w.waiting[topicID] += n
}

// Wait returns when the text of every marked PDF in a topic's submitted sessions is read or was asked for in vain, at the latest
// after a minute. A failure of the database ends it, too: whoever waits will meet it.
func (w *Waits) Wait(ctx context.Context, topicID int64) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	w.count(topicID, 1)
	defer w.count(topicID, -1)
	until := w.Now().Add(mostWait)
	for {
		changed := w.changed()
		n, err := PendingReadings(ctx, w.Store.DB, topicID, until)
		if err != nil || n == 0 {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
