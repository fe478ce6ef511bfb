package leases

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/store"
)

// maxTold is how many files of one worker are remembered that it was told.
const maxTold = 20_000

// rateOver is the time over which the rate of a worker is shown.
const rateOver = time.Minute

// worker is the state of one worker. Guarded by crew.mu.
type worker struct {
	name      string
	own       bool // this machine's own hands
	row       Worker
	hello     work.Hello
	refused   string
	connected bool
	since     time.Time     // of its connection
	seen      time.Time     // by the clock
	alive     time.Duration // the same as time that has passed
	paused    bool
	draining  bool
	out       int // tasks that it has
	lostOn    map[string]bool
	beat      work.Beat
	ahead     time.Duration
	robots    map[string]time.Time // files that it was told, and when they were read
	recent    []time.Time          // of its results over the last minute
}

// free is how many tasks it does at once.
func (w *worker) free() int { return max(w.hello.Parallel, 1) }

// sick reports whether tasks of several hosts were lost, with no result in between.
func (w *worker) sick() bool { return len(w.lostOn) >= sickHosts }

// told notes that the worker gets a file, and reports whether it had it before.
func (w *worker) told(origin string, read time.Time) bool {
	if before, ok := w.robots[origin]; ok && before.Equal(read) {
		return true
	}
	if w.robots == nil || len(w.robots) >= maxTold {
		w.robots = map[string]time.Time{}
	}
	w.robots[origin] = read
	return false
}

// crew is the workers and how each of them is. Its lock guards the tasks, too, since most of what happens concerns both.
type crew struct {
	st    *store.Store
	o     Options
	clock clock.Clock
	began time.Time // of the machine's clock; see now

	mu      sync.Mutex
	changed chan struct{} // closed when a task may have become grantable
	workers map[string]*worker
	counts  map[string]WorkerCounts // that are not stored yet
}

// now is the time that has really passed.
func (c *crew) now() time.Duration { return clock.Since(c.clock, c.began) }

// wake has all asks look again; the lock is held.
func (c *crew) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// loadWorkers reads the workers that were invited; the lock is held.
func (c *crew) loadWorkers(ctx context.Context) error {
	rows, err := Workers(ctx, c.st.DB)
	if err != nil {
		return err
	}
	for _, row := range rows {
		c.workers[row.Name] = &worker{name: row.Name, row: row, paused: row.Paused, seen: row.Seen, lostOn: map[string]bool{}}
	}
	if c.o.Hands {
		c.workers[""] = &worker{own: true, hello: work.Hello{Parallel: c.o.Own}, lostOn: map[string]bool{}}
	}
	return nil
}

// works reports whether a worker may get tasks; the lock is held.
func (c *crew) works(w *worker) bool {
	return w.connected && !w.own && !w.paused && !w.draining && w.refused == "" && c.now()-w.alive < c.o.Silence
}

// working lists the workers that may get tasks; the lock is held.
func (c *crew) working() (all []*worker) {
	for _, w := range c.workers {
		if c.works(w) {
			all = append(all, w)
		}
	}
	return all
}

// Hello lets a worker in, unless its version does not fit.
func (c *crew) Hello(ctx context.Context, h work.Hello) work.Welcome {
	answer := work.Welcome{Version: work.Version, Program: c.o.Program}
	if c.o.UserAgent != nil {
		answer.UserAgent = c.o.UserAgent()
	}
	rows, err := Workers(ctx, c.st.DB)
	i := slices.IndexFunc(rows, func(r Worker) bool { return r.Name == h.Name })
	switch {
	case err != nil:
		c.o.Log.Error("a worker cannot be let in", "worker", h.Name, "error", err)
		answer.Refused = "the daemon cannot read its database; try again later"
	case i < 0 || !rows[i].Revoked.IsZero():
		answer.Refused = "this worker is not invited any more: have the daemon's owner run nightjar worker invite, and use the new file"
	case h.Version > work.Version:
		answer.Refused = fmt.Sprintf("the worker is newer than the daemon (version %d of the messages, and %d): update Nightjar where the daemon runs", h.Version, work.Version)
	case h.Version < work.Version:
		answer.Refused = fmt.Sprintf("the worker is older than the daemon (version %d of the messages, and %d): update Nightjar where the worker runs", h.Version, work.Version)
	}
	if err != nil || i < 0 {
		return answer
	}
	if answer.Refused == "" {
		if err := WorkerJoined(ctx, c.st.DB, h.Name, clip(h.Program)); err != nil {
			c.o.Log.Warn("that a worker joined is not stored", "worker", h.Name, "error", err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[h.Name]
	if w == nil {
		w = &worker{name: h.Name, lostOn: map[string]bool{}}
		c.workers[h.Name] = w
	}
	h.Program, h.Hours = clip(h.Program), clip(h.Hours)
	now := c.clock.Now()
	if !w.connected {
		w.since = now
	}
	w.row, w.hello, w.refused, w.connected, w.draining, w.robots = rows[i], h, answer.Refused, answer.Refused == "", false, nil
	w.paused, w.seen, w.alive, w.ahead = rows[i].Paused, now, c.now(), h.Now.Sub(now)
	clear(w.lostOn)
	c.wake()
	return answer
}

// Beat notes that a worker is alive.
func (c *crew) Beat(name string, b work.Beat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[name]
	if w == nil || w.own {
		return
	}
	now := c.clock.Now()
	again := c.now()-w.alive >= c.o.Silence
	if w.beat, w.seen, w.alive = b, now, c.now(); !b.Now.IsZero() {
		w.ahead = b.Now.Sub(now)
	}
	if !w.connected && w.refused == "" && w.hello.Name != "" { // its connection came back
		w.connected, w.since, again = true, now, true
	}
	if b.Trouble != "" {
		c.trouble(w, b.Trouble)
	}
	if again {
		c.wake()
	}
}

// Gone notes that a worker's connection ended. Its tasks stay out until their leases are over.
func (c *crew) Gone(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[name]; w != nil && !w.own {
		w.connected = false
		c.wake()
	}
}

// watch wakes asks when a worker has been silent for too long: its sites go to others.
func (c *crew) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.workers {
		if silent := c.now() - w.alive; w.connected && !w.own && silent >= c.o.Silence && silent < c.o.Silence+2*c.o.Tick {
			c.wake()
			return
		}
	}
}

// count changes what is to be added to the sums of a worker; the lock is held.
func (c *crew) count(name string, add func(*WorkerCounts)) {
	if name == "" {
		return
	}
	n := c.counts[name]
	add(&n)
	c.counts[name] = n
}

// trouble notes the last error of a worker; the lock is held.
func (c *crew) trouble(w *worker, text string) {
	if w == nil || w.own {
		return
	}
	c.count(w.name, func(n *WorkerCounts) { n.Error, n.ErrorAt = clip(text), c.clock.Now() })
}

// credit counts a result that was kept; the lock is held.
func (c *crew) credit(w *worker, in *incoming) {
	if w == nil {
		return
	}
	clear(w.lostOn)
	now := c.clock.Now()
	w.recent = append(slices.DeleteFunc(w.recent, func(at time.Time) bool { return now.Sub(at).Abs() > rateOver }), now)
	c.count(w.name, func(c *WorkerCounts) {
		c.Pages++
		if c.Outcomes == nil {
			c.Outcomes = map[fetch.Outcome]int{}
		}
		c.Outcomes[in.r.Response.Outcome]++
		for _, x := range in.r.Response.Exchanges {
			c.Bytes += x.Bytes
		}
	})
}

// flush stores what was counted.
func (c *crew) flush(ctx context.Context) error {
	c.mu.Lock()
	counts, seen := c.counts, map[string]time.Time{}
	c.counts = map[string]WorkerCounts{}
	for _, w := range c.workers {
		if w.connected && !w.own {
			seen[w.name] = w.seen
		}
	}
	c.mu.Unlock()
	if len(counts)+len(seen) == 0 {
		return nil
	}
	err := CountWorkers(ctx, c.st.DB, counts, seen)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		for name, before := range counts {
			later := c.counts[name]
			c.counts[name] = *sum(&before, &later)
		}
		return err
	}
	for name, n := range counts {
		if w := c.workers[name]; w != nil {
			w.row.WorkerCounts = *sum(&w.row.WorkerCounts, &n)
		}
	}
	return nil
}

// sum adds counts; b is the later of the two.
func sum(a, b *WorkerCounts) *WorkerCounts {
	s := WorkerCounts{
		Pages: a.Pages + b.Pages, Bytes: a.Bytes + b.Bytes, Outcomes: maps.Clone(a.Outcomes), Lost: a.Lost + b.Lost, Duplicates: a.Duplicates + b.Duplicates,
		Unknown: a.Unknown + b.Unknown, Refused: a.Refused + b.Refused, Compared: a.Compared + b.Compared, Differing: a.Differing + b.Differing,
		Error: a.Error, ErrorAt: a.ErrorAt,
	}
	if s.Outcomes == nil {
		s.Outcomes = map[fetch.Outcome]int{}
	}
	for o, n := range b.Outcomes {
		s.Outcomes[o] += n
	}
	if !b.ErrorAt.IsZero() {
		s.Error, s.ErrorAt = b.Error, b.ErrorAt
	}
	return &s
}

// clip shortens a text from another machine to one line.
func clip(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}

// Pause has a worker get no tasks until GoOn.
func (c *crew) Pause(ctx context.Context, name string) error {
	return c.setPaused(ctx, name, true)
}

// GoOn ends Pause.
func (c *crew) GoOn(ctx context.Context, name string) error { return c.setPaused(ctx, name, false) }

func (c *crew) setPaused(ctx context.Context, name string, paused bool) error {
	if err := PauseWorker(ctx, c.st.DB, name, paused); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[name]; w != nil {
		w.paused, w.row.Paused = paused, paused
		if !paused {
			w.draining = false
		}
	}
	c.wake()
	return nil
}

// errAway says that a worker cannot be told anything now.
var errAway = errors.New("the worker is not connected")

// Drain gives a worker no new tasks. The broker has it end what it has, and its program then.
func (c *crew) Drain(_ context.Context, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.workers[name]
	if w == nil || !w.connected || w.own {
		return errAway
	}
	w.draining = true
	c.wake()
	return nil
}

// Remove takes a worker off the list. Its invitation ends with it.
func (c *crew) Remove(ctx context.Context, name string) error {
	if err := RemoveWorker(ctx, c.st.DB, name); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.workers, name)
	delete(c.counts, name)
	c.wake()
	return nil
}
