package night

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/lab/toxics"
)

// happening is an event that has happened, with times of the night's clock. For an event without duration, To is From.
type happening struct {
	event
	From, To time.Time
	Asked    int // requests that reached the farm meanwhile; see count
	Epoch    int
}

// night applies a plan to a crawling process.
type night struct {
	clock    *clock.Fast
	opens    time.Time
	keeper   *keeper
	proxies  *toxics.Proxies
	hosts    []string
	seen     *seen
	machine  power
	progress io.Writer

	happened []happening
	pending  []ending
}

// ending says when and how a lasting event ends.
type ending struct {
	at   time.Time
	nth  int // index in happened
	undo func(context.Context) error
}

// play applies the plan until the night is over.
func (n *night) play(ctx context.Context, plan []event, length time.Duration) error {
	for ctx.Err() == nil {
		now := n.clock.Now()
		if err := n.finish(ctx, now); err != nil {
			return err
		}
		if now.Sub(n.opens) >= length {
			break
		}
		if len(plan) > 0 && now.Sub(n.opens) >= plan[0].At {
			if err := n.begin(ctx, plan[0]); err != nil {
				return fmt.Errorf("%s: %w", plan[0].Words(), err)
			}
			plan = plan[1:]
			continue
		}
		select {
		case <-ctx.Done():
		case <-n.clock.NewTimer(2 * time.Second).C:
		}
	}
	if err := n.finish(ctx, n.opens.Add(1000*time.Hour)); err != nil {
		return err
	}
	return ctx.Err()
}

// finish undoes the events that end by now.
func (n *night) finish(ctx context.Context, now time.Time) error {
	slices.SortStableFunc(n.pending, func(a, b ending) int { return a.at.Compare(b.at) })
	for len(n.pending) > 0 && !n.pending[0].at.After(now) {
		e := n.pending[0]
		n.pending = n.pending[1:]
		h := &n.happened[e.nth]
		h.To = n.clock.Now()
		if err := e.undo(ctx); err != nil {
			return fmt.Errorf("end of %s: %w", h.Words(), err)
		}
	}
	return nil
}

// begin starts an event.
func (n *night) begin(ctx context.Context, e event) error {
	now := n.clock.Now()
	h := happening{event: e, From: now, To: now, Epoch: n.seen.epochNow()}
	if e.What != poisoned {
		fmt.Fprintf(n.progress, "%s %s\n", now.Format("15:04:05"), e.Words())
	}
	nth := len(n.happened)
	lasts := func(undo func(context.Context) error) {
		n.pending = append(n.pending, ending{now.Add(e.For), nth, undo})
	}
	var err error
	switch e.What {
	case kill:
		if err = n.keeper.kill(); err == nil {
			err = n.keeper.start(ctx)
		}
	case asleep:
		n.seen.set()
		err = n.keeper.sleep(e.For)
		h.To = now.Add(e.For)
	case setBack:
		n.seen.set()
		err = n.keeper.jump(-e.For)
		h.To = now.Add(-e.For)
	case offline:
		err = n.network(ctx, false)
		lasts(func(ctx context.Context) error { return n.network(ctx, true) })
	case battery:
		err = n.machine.set(false)
		lasts(func(context.Context) error { return n.machine.set(true) })
	case person:
		err = n.keeper.command("pause")
		lasts(func(context.Context) error { return n.keeper.command("resume") })
	case poisoned:
		e.Tox.Name, e.Tox.Stream, e.Tox.Toxicity = fmt.Sprintf("t%d", nth), "downstream", 1
		err = n.proxies.Poison(ctx, e.Host, e.Tox)
		lasts(func(ctx context.Context) error { return n.proxies.Cure(ctx, e.Host, e.Tox.Name) })
	}
	n.happened = append(n.happened, h)
	return err
}

// network turns all proxies off or on.
func (n *night) network(ctx context.Context, on bool) error {
	for _, host := range append([]string{others}, n.hosts...) {
		if err := n.proxies.Enable(ctx, host, on); err != nil {
			return err
		}
	}
	return nil
}

// count counts the requests during each happening, after a grace period.
func (n *night) count() {
	const grace = 3 * time.Minute // of the night's clock, for fetches in flight
	all := n.seen.requests()
	for i := range n.happened {
		h := &n.happened[i]
		h.Asked = within(all, h.From.Add(grace), h.To, h.Epoch)
	}
}
