package worker

import "time"

// maxJump is how far wall time and monotonic time may drift apart while a task is under way: more means that the machine slept, or
// that its clock was set.
const maxJump = 5 * time.Second

// watch measures elapsed time.
type watch struct {
	wall func() time.Time
}

// moment is a point in time on both clocks.
type moment struct {
	mono time.Time // with the monotonic reading
	wall time.Time // without
}

func (w watch) now() moment {
	return moment{mono: time.Now(), wall: w.wall().Round(0)}
}

// since returns the time that has passed since m: the larger of monotonic and wall time.
func (w watch) since(m moment) time.Duration {
	now := w.now()
	return max(now.mono.Sub(m.mono), now.wall.Sub(m.wall))
}

// jumped reports whether the machine slept or its clock was set since m.
func (w watch) jumped(m moment) bool {
	now := w.now()
	drift := now.wall.Sub(m.wall) - now.mono.Sub(m.mono)
	return drift > maxJump || drift < -maxJump
}
