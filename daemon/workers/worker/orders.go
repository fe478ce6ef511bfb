package worker

import (
	"context"
	"time"

	"nightjar/crawler/work"
)

// The orders of work.Control.Do. An order with Parallel above 0 also sets the limit.
const (
	doDrain  = "drain"  // end when everything under way has ended
	doStop   = "stop"   // end at once
	doPause  = "pause"  // ask for nothing
	doGoOn   = "go on"  // ask again
	doLimits = "limits" // Parallel is the limit, 0 for the worker's own
)

// obey follows the daemon's orders, and drains when drain is closed.
func (w *Worker) obey(ctx context.Context, drain <-chan struct{}, stop context.CancelCauseFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-drain:
			drain = nil
			w.o.Log.Info("ending when the running fetches have ended and their results are stored")
			w.change(func() { w.draining = true })
		case <-w.o.Broker.Again():
			w.change(func() { w.again = true })
		case <-w.o.Broker.Done():
			stop(&RefusedError{w.o.Broker.Err().Error()})
			return
		case c := <-w.o.Broker.Controls():
			w.o.Log.Info("the daemon says", "do", clip(c.Do), "why", clip(c.Why), "parallel", c.Parallel)
			if c.Do == doStop {
				stop(&RefusedError{"the daemon has ended this worker: " + clip(c.Why)})
				return
			}
			w.order(c)
		}
	}
}

// order follows an order other than stop. An unknown one is ignored.
func (w *Worker) order(c work.Control) {
	w.change(func() {
		switch c.Do {
		case doDrain:
			w.draining = true
		case doPause:
			w.paused = true
		case doGoOn:
			w.paused = false
		case doLimits:
			w.told = max(c.Parallel, 0)
		}
		if c.Parallel > 0 {
			w.told = c.Parallel
		}
	})
}

// beats says regularly that the worker is alive, until ctx ends.
func (w *Worker) beats(ctx context.Context) {
	tick := time.NewTicker(w.o.Every)
	defer tick.Stop()
	for {
		if err := w.o.Broker.Beat(w.beat()); err != nil {
			w.fail("telling the daemon that this worker is alive: %v", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
