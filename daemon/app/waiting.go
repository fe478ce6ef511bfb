package app

import (
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxWaiting = 512         // connections that wait for a request, or for the rest of its head
	maxFresh   = 4096        // the same, when none has waited for long
	grace      = time.Second // for which a connection may wait, however many do
)

// waitingRoom limits the connections that wait for a request or for the rest of its head. The one that has waited longest is
// closed when there are too many: connections that say nothing keep nobody out. Each may wait for a moment, so
// that a flood of new ones does not close those that are about to ask.
type waitingRoom struct {
	now func() time.Time

	mu    sync.Mutex
	since map[net.Conn]time.Time
}

func newWaitingRoom() *waitingRoom {
	return &waitingRoom{now: time.Now, since: map[net.Conn]time.Time{}}
}

// changed is the ConnState of a server.
func (w *waitingRoom) changed(c net.Conn, state http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if state != http.StateNew && state != http.StateIdle {
		delete(w.since, c)
		return
	}
	now := w.now()
	w.since[c] = now
	if len(w.since) <= maxWaiting {
		return
	}
	oldest := c
	for other, since := range w.since {
		if since.Before(w.since[oldest]) {
			oldest = other
		}
	}
	if now.Sub(w.since[oldest]) < grace && len(w.since) <= maxFresh {
		return
	}
	delete(w.since, oldest)
	_ = oldest.Close() // its reader ends with an error; nothing is lost
}
