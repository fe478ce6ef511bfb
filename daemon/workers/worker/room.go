package worker

import (
	"context"
	"sync"
)

// roomMost is how many bytes of large bodies are in memory at most, besides the first part of each and those of the earliest task.
const roomMost = 24 << 20

// room is the memory for the bodies of pages, from their first bytes until their results are encoded. When it is used up, tasks with
// more to read wait for others to end. The earliest of them always goes on, so that one of them ends.
type room struct {
	most int64

	mu      sync.Mutex
	used    int64
	held    map[*flight]int64 // with 0 for those that wait for their first part
	changed chan struct{}     // closed when there may be more of it
}

func newRoom(most int64) *room {
	return &room{most: most, held: map[*flight]int64{}, changed: make(chan struct{})}
}

// take waits until a flight may take that many more bytes, or until ctx ends.
func (r *room) take(ctx context.Context, f *flight, bytes int64) error {
	for {
		r.mu.Lock()
		if r.used+bytes <= r.most || r.earliest(f) {
			r.used += bytes
			r.held[f] += bytes
			r.mu.Unlock()
			return nil
		}
		r.held[f] += 0
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// earliest reports whether no flight that has room, or waits for some, began before this one; the lock is held.
func (r *room) earliest(f *flight) bool {
	for other := range r.held {
		if other.number < f.number {
			return false
		}
	}
	return true
}

// release gives back all that a flight has.
func (r *room) release(f *flight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	bytes, ok := r.held[f]
	if !ok {
		return
	}
	r.used -= bytes
	delete(r.held, f)
	close(r.changed)
	r.changed = make(chan struct{})
}

// full reports whether half of the room is used: then what is under way comes first.
func (r *room) full() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used > r.most/2
}
