package worker

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"nightjar/daemon/store/settings"
)

// ErrStopped says that the worker was told to end at once.
var ErrStopped = errors.New("stopped at once; what was under way was dropped")

// RefusedError says that the daemon does not let the worker work, and what to do.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

// Worker is a running worker.
type Worker struct {
	o        Options
	watch    watch
	throttle throttle
	hours    settings.Window
	hands    Hands         // made after the first welcome, changed only while nothing runs
	agent    string        // of hands
	wake     chan struct{} // has one element when the state has changed
	doing    sync.WaitGroup
	space    *room
	encoding chan struct{} // holds one element for each result that is being encoded, so that they do not take memory all at once

	state
}

// Run works until drain is closed, or the daemon orders it, and everything under way has ended: then it returns nil. When ctx
// ends or the daemon says stop, it ends at once with ErrStopped. A worker that may not work gets a *RefusedError.
func Run(ctx context.Context, drain <-chan struct{}, o Options) error {
	w, err := newWorker(o)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var helpers sync.WaitGroup
	helpers.Go(func() { w.beats(ctx) })
	helpers.Go(func() { w.obey(ctx, drain, stop) })
	helpers.Go(func() { w.watchFlights(ctx) })
	err = w.loop(ctx)
	if err == nil && ctx.Err() != nil {
		err = ErrStopped
		if refused, ok := errors.AsType[*RefusedError](context.Cause(ctx)); ok {
			err = refused
		}
	}
	stop(nil)
	helpers.Wait()
	w.doing.Wait()
	if w.hands != nil {
		err = errors.Join(err, w.hands.Close())
	}
	return err
}

// mostEncoding is how many results are encoded at once at most.
const mostEncoding = 2

func newWorker(o Options) (*Worker, error) {
	o.complete()
	if _, err := ParseHours(o.Hours); err != nil {
		return nil, err
	}
	w := &Worker{o: o, watch: watch{o.Wall}, throttle: newThrottle(o.MaxMbit), hours: o.window(), wake: make(chan struct{}, 1), space: newRoom(roomMost), encoding: make(chan struct{}, min(runtime.GOMAXPROCS(0), mostEncoding))}
	w.state = newState(atOnce(o.MaxMbit, o.Parallel))
	return w, nil
}

// maxWords bounds in bytes a text of the daemon.
const maxWords = 300

func clip(text string) string {
	if len(text) > maxWords {
		text = text[:maxWords]
	}
	return text
}
