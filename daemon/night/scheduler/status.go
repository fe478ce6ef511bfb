package scheduler

import (
	"context"
	"time"

	"nightjar/daemon/base/machine"
)

// Status is the state of the scheduler.
type Status struct {
	Open    bool      // the window is open
	Closes  time.Time // when the open window closes
	Opens   time.Time // when the window opens next; zero when nightly crawls are off
	Crawls  []int64   // not ended, in order of their turns
	Current int64     // whose turn it is, 0 for none
	Machine machine.State
}

// machine returns the state of the machine, as far as it is known.
func (o *Options) machine(ctx context.Context) machine.State {
	if o.Machine == nil {
		return machine.State{Free: -1, Size: -1}
	}
	return o.Machine(ctx)
}

// Status returns the state of the scheduler.
func (s *Scheduler) Status() Status {
	var status Status
	if chosen, err := s.st.Settings(context.Background()); err == nil {
		now := s.o.Clock.Now()
		n, open := chosen.Night.At(now)
		status.Open, status.Closes, status.Opens = open, n.Closes, chosen.Night.Next(now)
		status.Machine = s.o.machine(context.Background())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		status.Crawls = append(status.Crawls, r.crawl.ID)
	}
	if s.current != nil {
		status.Current = s.current.crawl.ID
	}
	return status
}
