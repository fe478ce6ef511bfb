package broker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"golang.org/x/time/rate"
)

// Limits of one worker. An honest one with 256 tasks at once sends some hundreds of messages a second at most.
const (
	watchEvery  = time.Second
	maxMessages = 1000 // a second, over watchOver
	maxBytes    = 64 << 20
	watchOver   = 5 * time.Second
	badAtOnce   = 512 // results that were malformed or of no task
	badEvery    = time.Second
	barredFor   = 10 * time.Minute
	flowBurst   = float64(watchOver / time.Second)
)

// watch sees which workers are connected and what they send. One that floods the broker is kept out for a while.
type watch struct {
	e    *embedded
	gone func(worker string)
	log  *slog.Logger
	now  func() time.Time

	mu    sync.Mutex
	flows map[uint64]*flow
	bad   map[string]*rate.Limiter
}

// flow is what one connection has sent until the last look.
type flow struct {
	worker          string
	messages, bytes int64
	level           float64 // seconds of the limit that it used up beyond those that passed
}

func newWatch(e *embedded, gone func(string), log *slog.Logger, now func() time.Time) *watch {
	return &watch{e: e, gone: gone, log: log, now: now, flows: map[uint64]*flow{}, bad: map[string]*rate.Limiter{}}
}

func (w *watch) run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			w.look(watchEvery)
		}
	}
}

// look compares the connections with those of the last look, passed ago.
func (w *watch) look(passed time.Duration) {
	all, err := w.e.srv.Connz(&server.ConnzOptions{Username: true, Limit: maxConns})
	if err != nil {
		return // the server ends
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[uint64]bool{}
	for _, c := range all.Conns {
		if c.AuthorizedUser == "" || c.AuthorizedUser == daemonUser {
			continue
		}
		seen[c.Cid] = true
		f := w.flows[c.Cid]
		if f == nil {
			f = &flow{worker: c.AuthorizedUser}
			w.flows[c.Cid] = f
		}
		if f.add(c.InMsgs, c.InBytes, passed) {
			w.bar(f.worker, "it sends more than a worker can")
		}
	}
	for id, f := range w.flows {
		if !seen[id] {
			delete(w.flows, id)
			if w.e.gate.closed(f.worker, id) {
				w.gone(f.worker)
			}
		}
	}
}

// add takes the counters of a connection, and reports whether it sends too much.
func (f *flow) add(messages, bytes int64, passed time.Duration) bool {
	used := max(float64(messages-f.messages)/maxMessages, float64(bytes-f.bytes)/maxBytes)
	f.messages, f.bytes = messages, bytes
	f.level = max(0, f.level+used-passed.Seconds())
	return f.level > flowBurst
}

// blame counts n results of a worker that were malformed or of no task.
func (w *watch) blame(worker string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.bad[worker] == nil {
		w.bad[worker] = rate.NewLimiter(rate.Every(badEvery), badAtOnce)
	}
	if !w.bad[worker].AllowN(w.now(), n) {
		delete(w.bad, worker)
		w.bar(worker, "its results are wrong")
	}
}

func (w *watch) bar(worker, why string) {
	w.log.Warn("a worker is kept out", "name", worker, "reason", why, "for", barredFor)
	w.e.gate.bar(worker, barredFor)
}
