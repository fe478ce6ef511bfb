package store

import (
	"context"
	"slices"
	"sync"
)

// mostInRow is how many transactions of Ingest go before one of another kind that waits for as long. A browser waits for
// each of them, but a crawl must go on, too.
const mostInRow = 8

// turns lets one writing transaction begin at a time. A pool of connections would choose any of those that wait. Here those
// of Ingest go first, since a browser waits for their acknowledgement; among themselves, and among the others, the one that
// has waited longest is next. A connection of a browser waits with one batch at a time, so that the connections take turns.
type turns struct {
	mu     sync.Mutex
	taken  bool
	ingest []chan struct{} // those that wait, each closed when its turn comes
	others []chan struct{}
	row    int // transactions of Ingest since one of another kind, while one of another kind waited
}

// take waits for a turn, which the caller ends. It returns the error of ctx when that ends first.
func (t *turns) take(ctx context.Context, ingest bool) error {
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return nil
	}
	mine, queue := make(chan struct{}), t.queue(ingest)
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
		t.end()
	}
	return ctx.Err()
}

func (t *turns) queue(ingest bool) *[]chan struct{} {
	if ingest {
		return &t.ingest
	}
	return &t.others
}

// end gives the turn to the next.
func (t *turns) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	first := len(t.ingest) > 0 && (len(t.others) == 0 || t.row < mostInRow)
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

// wanted reports whether events wait to be stored. A transaction that can be cut into several ends then.
func (t *turns) wanted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.ingest) > 0
}
