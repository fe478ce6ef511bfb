package leases

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// maxTold is how many files of one worker are remembered that it was told.
const maxTold = 20_000

// rateOver is the time over which the rate of a worker is shown.
const rateOver = time.Minute

// worker is the state of one worker. Guarded by Leases.mu.
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

// loadWorkers reads the workers that were invited; the lock is held.
func (l *Leases) loadWorkers(ctx context.Context) error {
	rows, err := Workers(ctx, l.st.DB)
	if err != nil {
		return err
	}
	for _, row := range rows {
		l.workers[row.Name] = &worker{name: row.Name, row: row, paused: row.Paused, seen: row.Seen, lostOn: map[string]bool{}}
	}
	if l.o.Hands {
		l.workers[""] = &worker{own: true, hello: work.Hello{Parallel: l.o.Own}, lostOn: map[string]bool{}}
	}
	return nil
}

// works reports whether a worker may get tasks; the lock is held.
func (l *Leases) works(w *worker) bool {
	return w.connected && !w.own && !w.paused && !w.draining && w.refused == "" && l.now()-w.alive < l.o.Silence
}

// working lists the workers that may get tasks; the lock is held.
func (l *Leases) working() (all []*worker) {
	for _, w := range l.workers {
		if l.works(w) {
			all = append(all, w)
		}
	}
	return all
}

// Hello lets a worker in, unless its version does not fit.
func (l *Leases) Hello(ctx context.Context, h work.Hello) work.Welcome {
	answer := work.Welcome{Version: work.Version, Program: l.o.Program}
	if l.o.UserAgent != nil {
		answer.UserAgent = l.o.UserAgent()
	}
	rows, err := Workers(ctx, l.st.DB)
	i := slices.IndexFunc(rows, func(r Worker) bool { return r.Name == h.Name })
	switch {
	case err != nil:
		l.o.Log.Error("a worker cannot be let in", "worker", h.Name, "error", err)
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
		if err := WorkerJoined(ctx, l.st.DB, h.Name, clip(h.Program)); err != nil {
			l.o.Log.Warn("that a worker joined is not stored", "worker", h.Name, "error", err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.workers[h.Name]
	if w == nil {
		w = &worker{name: h.Name, lostOn: map[string]bool{}}
		l.workers[h.Name] = w
	}
	h.Program, h.Hours = clip(h.Program), clip(h.Hours)
	now := l.clock.Now()
	if !w.connected {
		w.since = now
	}
	w.row, w.hello, w.refused, w.connected, w.draining, w.robots = rows[i], h, answer.Refused, answer.Refused == "", false, nil
	w.paused, w.seen, w.alive, w.ahead = rows[i].Paused, now, l.now(), h.Now.Sub(now)
	clear(w.lostOn)
	l.wake()
	return answer
}

// Beat notes that a worker is alive.
func (l *Leases) Beat(name string, b work.Beat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.workers[name]
	if w == nil || w.own {
		return
	}
	now := l.clock.Now()
	again := l.now()-w.alive >= l.o.Silence
	if w.beat, w.seen, w.alive = b, now, l.now(); !b.Now.IsZero() {
		w.ahead = b.Now.Sub(now)
	}
	if !w.connected && w.refused == "" && w.hello.Name != "" { // its connection came back
		w.connected, w.since, again = true, now, true
	}
	if b.Trouble != "" {
		l.trouble(w, b.Trouble)
	}
	if again {
		l.wake()
	}
}

// Gone notes that a worker's connection ended. Its tasks stay out until their leases are over.
func (l *Leases) Gone(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.workers[name]; w != nil && !w.own {
		w.connected = false
		l.wake()
	}
}

// watch wakes asks when a worker has been silent for too long: its sites go to others.
func (l *Leases) watch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range l.workers {
		if silent := l.now() - w.alive; w.connected && !w.own && silent >= l.o.Silence && silent < l.o.Silence+2*l.o.Tick {
			l.wake()
			return
		}
	}
}

// count changes what is to be added to the sums of a worker; the lock is held.
func (l *Leases) count(name string, add func(*WorkerCounts)) {
	if name == "" {
		return
	}
	c := l.counts[name]
	add(&c)
	l.counts[name] = c
}

// trouble notes the last error of a worker; the lock is held.
func (l *Leases) trouble(w *worker, text string) {
	if w == nil || w.own {
		return
	}
	l.count(w.name, func(c *WorkerCounts) { c.Error, c.ErrorAt = clip(text), l.clock.Now() })
}

// credit counts a result that was kept; the lock is held.
func (l *Leases) credit(w *worker, in *incoming) {
	if g := in.grant; g != nil {
		delete(l.hostLost, g.host)
	}
	if w == nil {
		return
	}
	clear(w.lostOn)
	now := l.clock.Now()
	w.recent = append(slices.DeleteFunc(w.recent, func(at time.Time) bool { return now.Sub(at).Abs() > rateOver }), now)
	l.count(w.name, func(c *WorkerCounts) {
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
func (l *Leases) flush(ctx context.Context) error {
	l.mu.Lock()
	counts, seen := l.counts, map[string]time.Time{}
	l.counts = map[string]WorkerCounts{}
	for _, w := range l.workers {
		if w.connected && !w.own {
			seen[w.name] = w.seen
		}
	}
	l.mu.Unlock()
	if len(counts)+len(seen) == 0 {
		return nil
	}
	err := CountWorkers(ctx, l.st.DB, counts, seen)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		for name, before := range counts {
			later := l.counts[name]
			l.counts[name] = *sum(&before, &later)
		}
		return err
	}
	for name, c := range counts {
		if w := l.workers[name]; w != nil {
			w.row.WorkerCounts = *sum(&w.row.WorkerCounts, &c)
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
func (l *Leases) Pause(ctx context.Context, name string) error {
	return l.setPaused(ctx, name, true)
}

// GoOn ends Pause.
func (l *Leases) GoOn(ctx context.Context, name string) error { return l.setPaused(ctx, name, false) }

func (l *Leases) setPaused(ctx context.Context, name string, paused bool) error {
	if err := PauseWorker(ctx, l.st.DB, name, paused); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if w := l.workers[name]; w != nil {
		w.paused, w.row.Paused = paused, paused
		if !paused {
			w.draining = false
		}
	}
	l.wake()
	return nil
}

// errAway says that a worker cannot be told anything now.
var errAway = errors.New("the worker is not connected")

// Drain gives a worker no new tasks. The broker has it end what it has, and its program then.
func (l *Leases) Drain(_ context.Context, name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	w := l.workers[name]
	if w == nil || !w.connected || w.own {
		return errAway
	}
	w.draining = true
	l.wake()
	return nil
}

// Remove takes a worker off the list. Its invitation ends with it.
func (l *Leases) Remove(ctx context.Context, name string) error {
	if err := RemoveWorker(ctx, l.st.DB, name); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.workers, name)
	delete(l.counts, name)
	l.wake()
	return nil
}
