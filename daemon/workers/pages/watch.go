package pages

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/base/jobs"
)

// every is the time between two looks at what workers did.
const every = 2 * time.Second

// Watch tells open pages when something about workers changed, until ctx ends.
func (p Pages) Watch(ctx context.Context) error {
	last := p.seen()
	loop := jobs.Loop{First: every, Step: func(context.Context) (time.Duration, error) {
		if now := p.seen(); now != last {
			last = now
			p.tell()
		}
		return every, nil
	}}
	return loop.Run(ctx)
}

// seen is a text that changes with what pages show of workers, without what changes at every beat.
func (p Pages) seen() string {
	broker := p.Broker.Status()
	if !broker.On {
		return ""
	}
	status := p.Leases.Status()
	var b strings.Builder
	fmt.Fprintln(&b, broker.Address, broker.Answers, broker.Problem, status.Here, status.Waiting, status.Granted, status.Why)
	for _, w := range status.Workers {
		fmt.Fprintln(&b, w.Name, w.State, w.Program, w.Since, w.Pages, w.Unsent, w.Hosts, w.Lost, w.Bad, w.Trouble, w.Refused, w.Compared, w.Differed, w.Hours, w.MaxMbit)
	}
	return b.String()
}
