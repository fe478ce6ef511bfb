package leases

import (
	"context"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/work"
)

// ownMay reports whether this machine fetches what waits: no worker is there, and the person wants that; the lock is held.
func (l *Leases) ownMay() bool {
	return l.o.Hands && len(l.working()) == 0 && l.here
}

// self has this machine's own hands ask for tasks like a worker, until ctx ends. Grant says which they may have. Fetches that are
// under way then end.
func (l *Leases) self(ctx context.Context, newHands func(context.Context) (*work.Hands, error)) {
	var hands *work.Hands
	var running sync.WaitGroup
	done := make(chan struct{}, l.o.Own)
	defer func() {
		running.Wait()
		if hands != nil {
			if err := hands.Close(); err != nil {
				l.o.Log.Warn("close this machine's own hands", "error", err)
			}
		}
	}()
	for free := l.o.Own; ; {
		for free == 0 || len(done) > 0 {
			<-done
			free++
		}
		g := l.Grant(ctx, "", work.Ask{Free: free})
		if ctx.Err() != nil {
			return
		}
		if len(g.Tasks) > 0 && hands == nil {
			made, err := newHands(context.WithoutCancel(ctx))
			if err != nil {
				l.o.Log.Error("this machine cannot fetch for its crawls", "error", err)
				clock.Sleep(ctx, l.clock, l.lease())
				continue
			}
			hands = made
		}
		for _, t := range g.Tasks {
			free--
			running.Go(func() {
				l.ownTaskDone(ctx, hands.Do(ctx, t))
				done <- struct{}{}
			})
		}
		clock.Sleep(ctx, l.clock, g.Pause)
	}
}

// ownTaskDone takes the result of the own hands the way of all results.
func (l *Leases) ownTaskDone(ctx context.Context, r work.Result) {
	data, err := work.Encode(&r)
	if err != nil {
		l.o.Log.Error("a result of this machine cannot be stored", "error", err)
		return
	}
	for ctx.Err() == nil {
		_, err := l.Arrive(ctx, []work.Arrival{{Data: data}})
		if err == nil {
			return
		}
		l.o.Log.Error("a result of this machine cannot be stored; it is tried again", "error", err)
		clock.Sleep(ctx, l.clock, time.Second)
	}
}
