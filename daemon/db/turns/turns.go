// Package turns lets one writing transaction begin at a time, and those first that somebody waits for.
package turns

import (
	"context"
	"slices"
	"sync"
)

// MostInRow is how many urgent transactions go before one of another kind that waits for as long.
const MostInRow = 8

// Turns lets one writing transaction begin at a time. A pool of connections would choose any of those that wait. Here urgent
// ones go first: somebody waits for their acknowledgement. Among themselves, and among the others, the one that has waited longest
// is next.
type Turns struct {
	mu     sync.Mutex
	taken  bool
	urgent []chan struct{} // those that wait, each closed when its turn comes
	others []chan struct{}
	row    int // urgent transactions since one of another kind, while one of another kind waited
}

// Take waits for a turn, which the caller ends. It returns the error of ctx when that ends first.
func (t *Turns) Take(ctx context.Context, urgent bool) error {
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	mine, queue := make(chan struct{}), t.queue(urgent)
	*queue = append(*queue, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(*queue, mine)
	if i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
	}
	t.mu.Unlock()
	if i < 0 { // the turn came meanwhile
		t.End()
	}
	return ctx.Err()
}

func (t *Turns) queue(urgent bool) *[]chan struct{} {
	if urgent {
		return &t.urgent
	}
	return &t.others
}

// End gives the turn to the next.
func (t *Turns) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := len(t.urgent) > 0 && (len(t.others) == 0 || t.row < MostInRow)
	if t.row++; !first || len(t.others) == 0 {
		t.row = 0
	}
	queue := t.queue(first)
	if len(*queue) == 0 {
		t.taken = false
		return
	}
	close((*queue)[0])
	*queue = slices.Delete(*queue, 0, 1)
}

// Waiting returns how many transactions wait.
func (t *Turns) Waiting() (urgent, others int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.urgent), len(t.others)
}
