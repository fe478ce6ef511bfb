package worker

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/daemon/base/machine"
)

// state is what the loop, the flights and the orders share. Its mutex is held only for short times.
type state struct {
	mu       sync.Mutex
	own      int                // how many tasks at once, by the worker's settings
	told     int                // by the daemon, 0 for as many as own
	flights  map[string]*flight // that run, by the host
	started  int64              // flights
	waiting  int                // results that are not stored in the stream yet
	held     int                // of those, how many were refused at their last attempt
	paused   bool
	draining bool
	again    bool // hello must be said again

	done    int64  // tasks whose results were stored
	dropped int64  // tasks and results
	trouble string // last error in words
	at      time.Time
	why     string // the daemon had no tasks
}

func newState(own int) state { return state{own: own, flights: map[string]*flight{}} }

// room is how many tasks the worker can start now. At most as many results as tasks at once are in memory, and none are asked for
// while results cannot be stored. drained reports whether all is done after the order to end.
func (w *Worker) room(open bool) (n int, drained bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.draining {
		return 0, len(w.flights)+w.waiting == 0
	}
	if w.paused || !open || w.held > 0 {
		return 0, false
	}
	n = w.mostLocked() - len(w.flights) - w.waiting
	if len(w.flights)+w.waiting > 0 && (w.space.full() || machine.LiveMemory() > memoryFull) {
		n = 0 // what is under way ends first
	}
	return max(n, 0), false
}

func (w *Worker) most() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mostLocked()
}

func (w *Worker) mostLocked() int {
	if w.told > 0 {
		return min(w.own, w.told)
	}
	return w.own
}

// limit takes the daemon's limit; 0 leaves the worker's own.
func (w *Worker) limit(parallel int) {
	w.change(func() { w.told = max(parallel, 0) })
}

// change changes the state and wakes the loop.
func (w *Worker) change(to func()) {
	w.mu.Lock()
	to()
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// mustGreet reports whether hello must be said again, once for each time that it must.
func (w *Worker) mustGreet() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	again := w.again
	w.again = false
	return again
}

func (w *Worker) running() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.flights)
}

func (w *Worker) isDraining() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.draining
}

// take enters a flight, unless its host has one.
func (w *Worker) take(f *flight) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	host := weburl.Host(f.task.URL)
	if w.flights[host] != nil {
		return false
	}
	w.flights[host] = f
	w.started++
	f.number = w.started
	return true
}

// land ends a flight. With a result, that waits from then on.
func (w *Worker) land(f *flight, result bool) {
	w.change(func() {
		delete(w.flights, weburl.Host(f.task.URL))
		if result {
			w.waiting++
		}
	})
}

// fail records an error for beats and the log.
func (w *Worker) fail(format string, args ...any) {
	text := clip(fmt.Sprintf(format, args...))
	w.mu.Lock()
	again := w.trouble == text
	w.trouble, w.at = text, time.Now()
	w.mu.Unlock()
	if !again {
		w.o.Log.Warn(text)
	}
}

// drop counts tasks or results that came to nothing.
func (w *Worker) drop(n int, why error) {
	w.mu.Lock()
	w.dropped += int64(n)
	w.mu.Unlock()
	w.fail("dropped: %v", why)
}

// idle keeps why the daemon had no tasks.
func (w *Worker) idle(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if why != w.why && why != "" {
		w.o.Log.Info("no tasks at present", "why", why)
	}
	w.why = why
}

// tellFor is how long beats tell an error.
const tellFor = 10 * time.Minute

// beat is what the worker says of itself now.
func (w *Worker) beat() work.Beat {
	w.mu.Lock()
	defer w.mu.Unlock()
	b := work.Beat{Running: len(w.flights), Waiting: w.waiting, Done: w.done, Now: w.o.Wall()}
	var says []string
	if w.draining {
		says = append(says, "it ends when what is under way is done")
	}
	if w.paused {
		says = append(says, "paused")
	}
	if !open(w.hours, b.Now) {
		says = append(says, "outside its hours, "+w.o.Hours)
	}
	if w.trouble != "" && time.Since(w.at) < tellFor {
		says = append(says, w.trouble)
	}
	if w.dropped > 0 {
		says = append(says, fmt.Sprintf("dropped so far: %d", w.dropped))
	}
	b.Trouble = strings.Join(says, "; ")
	return b
}
