package web

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/base/jobs"
)

// workersEvery is the time between two looks at what workers did.
const workersEvery = 2 * time.Second

// WatchWorkers tells open pages when something about workers changed, until ctx ends.
func (s *Server) WatchWorkers(ctx context.Context) error {
	if s.Leases == nil || s.Broker == nil {
		return nil
	}
	last := s.workersSeen()
	loop := jobs.Loop{First: workersEvery, Step: func(context.Context) (time.Duration, error) {
		if now := s.workersSeen(); now != last {
			last = now
			s.tell("workers")
		}
		return workersEvery, nil
	}}
	return loop.Run(ctx)
}

// workersSeen is a text that changes with what pages show of workers, without what changes at every beat.
func (s *Server) workersSeen() string {
	broker := s.Broker.Status()
	if !broker.On {
		return ""
	}
	status := s.Leases.Status()
	var b strings.Builder
	fmt.Fprintln(&b, broker.Address, broker.Answers, broker.Problem, status.Here, status.Waiting, status.Granted, status.Why)
	for _, w := range status.Workers {
		fmt.Fprintln(&b, w.Name, w.State, w.Program, w.Since, w.Pages, w.Unsent, w.Hosts, w.Lost, w.Bad, w.Trouble, w.Refused, w.Compared, w.Differed, w.Hours, w.MaxMbit)
	}
	return b.String()
}
