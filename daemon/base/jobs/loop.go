// Package jobs runs work in the background: loops that do what is due, and jobs that a person can watch and stop.
//
// A part of the daemon that works by itself is a Loop. Its step asks the database what is due, does one piece of it, stores
// the result, and returns when to look again. It therefore continues after a restart, and a process may be killed at any moment.
// Whoever stores new work calls Wake. An error is reported, and the step is repeated after a pause.
//
// Work that takes long is registered in Running, by the number of what is worked on. Running has the progress of each job, and
// Stop ends a job.
package jobs

import (
	"context"
	"sync"
	"time"
)

// Never is the pause of a loop that has nothing to do until it is woken.
const Never time.Duration = -1

// Loop repeats a step, from one goroutine. Set Step, and the other fields as needed, before Run.
type Loop struct {
	// Step does what is due now and returns the pause before the next step: 0 when more is due, Never to wait for Wake.
	// It ends soon after ctx.
	Step func(ctx context.Context) (pause time.Duration, err error)

	First  time.Duration // pause before the first step
	Settle time.Duration // pause after the last of several calls of Wake; they come in bursts
	Retry  time.Duration // pause after an error
	Failed func(error)   // called with each error, but not with those of an ended context; nil for nothing

	once sync.Once
	wake chan struct{} // full when Wake was called since the last pause
}

// Wake ends the pause of a loop. During a step it lets the next step follow without a pause. It never blocks.
func (l *Loop) Wake() {
	select {
	case l.woken() <- struct{}{}:
	default: // it was called already
	}
}

func (l *Loop) woken() chan struct{} {
	l.once.Do(func() { l.wake = make(chan struct{}, 1) })
	return l.wake
}

// Run repeats the step until ctx ends. It always returns nil.
func (l *Loop) Run(ctx context.Context) error {
	pause := l.First
	for l.sleep(ctx, pause) {
		var err error
		if pause, err = l.Step(ctx); err == nil || ctx.Err() != nil {
			continue
		}
		if pause = l.Retry; l.Failed != nil {
			l.Failed(err)
		}
	}
	return nil
}

// sleep waits for a time or a call of Wake. It reports whether ctx goes on.
func (l *Loop) sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(max(pause, 0))
	defer timer.Stop()
	if pause == Never {
		timer.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-l.woken():
			timer.Reset(l.Settle)
		case <-timer.C:
			return ctx.Err() == nil
		}
	}
}
