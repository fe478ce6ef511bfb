// Package clock is the one source of time of a crawl: what the fetcher's politeness, the loop and the scheduler wait by. It
// exists so that a night of hours can be crawled in minutes, and so that a clock that jumps, as after sleep or when it is
// set, can be tried out.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time and wakes sleepers. Its methods may be called concurrently.
type Clock interface {
	Now() time.Time
	// NewTimer fires when d has passed on this clock, as long as it runs evenly. Whoever waits for a moment must look at
	// Now again when woken: clocks are set, and machines sleep.
	NewTimer(d time.Duration) *time.Timer
}

// System is the machine's clock.
var System Clock = Func(time.Now)

// Func is a clock that runs at the machine's speed and shows what the function says.
type Func func() time.Time

// Now is what the function says.
func (f Func) Now() time.Time { return f() }

// NewTimer is time.NewTimer.
func (f Func) NewTimer(d time.Duration) *time.Timer { return time.NewTimer(d) }

// Fast is a clock that runs faster than the machine's and can be set. Use NewFast.
type Fast struct {
	speed float64

	mu    sync.Mutex
	began time.Time // of the machine's clock
	shown time.Time // at began
}

// NewFast shows start now and runs speed times as fast as the machine's clock; speed is above 0.
func NewFast(start time.Time, speed float64) *Fast {
	return &Fast{speed: speed, began: time.Now(), shown: start}
}

// Now is the time shown.
func (f *Fast) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shown.Add(time.Duration(float64(time.Since(f.began)) * f.speed))
}

// NewTimer fires after d of this clock. A jump does not move timers that run.
func (f *Fast) NewTimer(d time.Duration) *time.Timer {
	return time.NewTimer(time.Duration(float64(d) / f.speed))
}

// Jump sets the clock forward, or back when by is negative, as when a machine wakes or a person sets it.
func (f *Fast) Jump(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown = f.shown.Add(by)
}

// Since is how much time has passed on the clock since the machine's clock showed began, which must come from time.Now.
// Setting the clock does not change it, and neither does a machine's sleep: it is what distances are kept by that must
// not be cut short by a jump.
func Since(c Clock, began time.Time) time.Duration {
	d := time.Since(began)
	if f, ok := c.(*Fast); ok {
		return time.Duration(float64(d) * f.speed)
	}
	return d
}

// Or is c, or the machine's clock when c is nil.
func Or(c Clock) Clock {
	if c == nil {
		return System
	}
	return c
}
