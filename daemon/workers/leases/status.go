package leases

import (
	"context"
	"maps"
	"slices"
	"strings"

	"nightjar/crawler/work"
)

// Status returns the current state of the workers.
func (l *Leases) Status() work.Status {
	l.refresh()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := work.Status{
		Here: l.ownMay(), Waiting: len(l.queue), Granted: len(l.grants), Why: l.lagging(),
		Duplicates: l.sums.duplicates, Unknown: l.sums.unknown, Lost: l.sums.lost,
	}
	hosts := map[string][]string{}
	for _, g := range l.grants {
		hosts[g.worker] = append(hosts[g.worker], g.host)
	}
	for _, w := range l.workers {
		if !w.own {
			s.Workers = append(s.Workers, l.statusOf(w, hosts[w.name]))
		}
	}
	slices.SortFunc(s.Workers, func(a, b work.WorkerStatus) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// refresh reads which workers are invited: that changes without a word to this package.
func (l *Leases) refresh() {
	rows, err := Workers(context.Background(), l.st.DB)
	if err != nil {
		return // what was known before is shown
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known := map[string]bool{"": true}
	for _, row := range rows {
		known[row.Name] = true
		w := l.workers[row.Name]
		if w == nil {
			w = &worker{name: row.Name, seen: row.Seen, lostOn: map[string]bool{}}
			l.workers[row.Name] = w
		}
		w.row, w.paused = row, row.Paused
	}
	maps.DeleteFunc(l.workers, func(name string, _ *worker) bool { return !known[name] })
}

// statusOf is the state of one worker; the lock is held.
func (l *Leases) statusOf(w *worker, hosts []string) work.WorkerStatus {
	c := w.row.WorkerCounts
	if more, ok := l.counts[w.name]; ok {
		c = *sum(&c, &more)
	}
	slices.Sort(hosts)
	s := work.WorkerStatus{
		Name: w.name, State: l.stateOf(w), Program: w.hello.Program, Parser: w.hello.Parser, Refused: w.refused, Seen: w.seen,
		Running: w.beat.Running, Unsent: w.beat.Waiting, MaxMbit: w.hello.MaxMbit, Hours: w.hello.Hours,
		Pages: int64(c.Pages), Outcomes: map[string]int64{}, Hosts: hosts, Lost: int64(c.Lost), Bad: int64(c.Refused),
		Trouble: c.Error, Troubled: c.ErrorAt, Ahead: w.ahead, Compared: int64(c.Compared), Differed: int64(c.Differing),
	}
	if s.Program == "" {
		s.Program = w.row.Program
	}
	if w.connected {
		s.Since = w.since
	}
	for o, n := range c.Outcomes {
		s.Outcomes[string(o)] = int64(n)
	}
	now, n := l.clock.Now(), 0
	for _, at := range w.recent {
		if now.Sub(at).Abs() <= rateOver {
			n++
		}
	}
	s.Rate = float64(n) / rateOver.Seconds()
	return s
}

func (c *crew) stateOf(w *worker) work.State {
	switch {
	case !w.row.Revoked.IsZero():
		return work.StateRevoked
	case w.refused != "":
		return work.StateRefused
	case w.seen.IsZero():
		return work.StateInvited
	case !w.connected || c.now()-w.alive >= c.o.Silence:
		return work.StateGone
	case w.draining:
		return work.StateDraining
	case w.paused:
		return work.StatePaused
	case w.sick():
		return work.StateSick
	}
	return work.StateReady
}
