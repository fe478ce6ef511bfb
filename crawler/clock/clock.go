// Package clock is the source of time for the fetcher's politeness, the crawl's loop and the scheduler. With a Fast clock,
// tests can run a night of hours in minutes, and simulate a clock that is set or a machine that sleeps.
package clock

import (
	"context"
	"sync"
	"time"
)

// Clock tells the time and wakes sleepers. Its methods may be called concurrently.
type Clock interface {
	Now() time.Time
	// NewTimer fires after d on this clock, if it runs evenly. To wait for a point in time, check Now again after the timer
	// fires: clocks are set, and machines sleep.
	NewTimer(d time.Duration) *time.Timer
}

// System is the system clock.
var System Clock = Func(time.Now)

// Func is a clock that runs at normal speed and shows the time that the function returns.
type Func func() time.Time

// Now calls the function.
func (f Func) Now() time.Time { return f() }

// NewTimer is time.NewTimer.
func (f Func) NewTimer(d time.Duration) *time.Timer { return time.NewTimer(d) }

// Fast is a clock that runs at another speed than the system clock and can be set. Use NewFast.
type Fast struct {
	speed float64

	mu    sync.Mutex
	began time.Time // on the system clock
	shown time.Time // at began
}

// NewFast returns a clock that shows start now and runs speed times as fast as the system clock; speed is above 0.
func NewFast(start time.Time, speed float64) *Fast {
	return &Fast{speed: speed, began: time.Now(), shown: start}
}

// Now is the time shown.
func (f *Fast) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shown.Add(time.Duration(float64(time.Since(f.began)) * f.speed))
}

// NewTimer fires after d on this clock. Jump does not change running timers.
func (f *Fast) NewTimer(d time.Duration) *time.Timer {
	return time.NewTimer(time.Duration(float64(d) / f.speed))
}

// Jump sets the clock forward, or back if by is negative, like a machine that wakes or a person who sets it.
func (f *Fast) Jump(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown = f.shown.Add(by)
}

// Since returns the time that has passed on the clock since began, which must come from time.Now. Setting the clock and
// suspending the machine do not change it, so it is right for delays that a jump must not shorten.
func Since(c Clock, began time.Time) time.Duration {
	d := time.Since(began)
	if f, ok := c.(*Fast); ok {
		return time.Duration(float64(d) * f.speed)
	}
	return d
}

// Sleep waits for d on the clock. It reports false when ctx ended first.
func Sleep(ctx context.Context, c Clock, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := c.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Or returns c, or System if c is nil.
func Or(c Clock) Clock {
	if c == nil {
		return System
	}
	return c
}
