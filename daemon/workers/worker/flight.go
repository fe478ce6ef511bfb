package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// flight is a task that runs.
type flight struct {
	task   work.Task
	number int64  // in order of their start
	asked  moment // when it was asked for
	began  moment
	end    context.CancelCauseFunc
}

var errLate = errors.New("the task came too late to start it")

// start starts a task that was asked for at that moment, or drops it.
func (w *Worker) start(ctx context.Context, asked moment, t work.Task) {
	t, err := w.check(t)
	if err == nil && w.watch.jumped(asked) {
		err = errSlept
	}
	if err == nil && w.watch.since(asked) > t.StartWithin {
		err = errLate
	}
	fetching, end := context.WithCancelCause(ctx)
	f := &flight{task: t, asked: asked, began: w.watch.now(), end: end}
	if err == nil && !w.take(f) {
		err = errors.New("the daemon sent two tasks for one host at once")
	}
	if err != nil {
		end(nil)
		w.drop(1, err)
		return
	}
	w.doing.Go(func() {
		defer w.space.release(f)
		if r, ok := w.fly(context.WithValue(fetching, flightKey{}, f), f); ok {
			w.publish(ctx, r, func() { w.space.release(f) })
		}
	})
}

// over returns why the flight's lease does not permit another request, nil if it does.
func (w *Worker) over(f *flight) error {
	switch {
	case w.watch.jumped(f.asked):
		return errSlept
	case w.watch.since(f.began) >= f.task.FetchTimeout:
		return errOver
	}
	return nil
}

// fly does a task. It returns false when it came to nothing.
func (w *Worker) fly(ctx context.Context, f *flight) (*work.Result, bool) {
	defer f.end(nil)
	alarm := time.AfterFunc(f.task.FetchTimeout, func() { f.end(errOver) })
	defer alarm.Stop()
	r := w.hands.Do(ctx, f.task)
	if err := context.Cause(ctx); err != nil && !errors.Is(err, errOver) {
		w.land(f, false)
		w.drop(1, err)
		return nil, false
	}
	if r.Response.Outcome == fetch.Canceled {
		r.Response.Outcome = fetch.Timeout
		r.Response.Reason = fmt.Sprintf("it took longer than %v", f.task.FetchTimeout)
	}
	r.Task, r.Attempt, r.Worker, r.Parser = f.task.ID, f.task.Attempt, w.o.Name, w.o.Parser
	w.land(f, true)
	return &r, true
}

// checkEvery is how often the leases of flights are checked by the wall clock, which has no timers. It is also how long a
// flight can go on after the machine wakes; its connections are useless at once.
const checkEvery = 100 * time.Millisecond

// watchFlights ends flights whose time is over, until ctx ends.
func (w *Worker) watchFlights(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		w.mu.Lock()
		for _, f := range w.flights {
			if err := w.over(f); err != nil {
				f.end(err)
			}
		}
		w.mu.Unlock()
	}
}

type flightKey struct{}

// roomFor waits until there is memory for more of a body; see fetch.LiveOptions.Room.
func (w *Worker) roomFor(ctx context.Context, bytes int64) error {
	if f, ok := ctx.Value(flightKey{}).(*flight); ok {
		return w.space.take(ctx, f, bytes)
	}
	return nil
}

// wrap prepares a new connection to a web server: it counts and limits what is read, and is refused to a flight whose lease is over.
func (w *Worker) wrap(ctx context.Context, c net.Conn) (net.Conn, error) {
	if f, ok := ctx.Value(flightKey{}).(*flight); ok {
		if err := w.over(f); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return newConn(c, w.throttle, w.watch), nil
}
