package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/cli/demo/client"
)

// eventsOfSession is after how many events a browser starts another session.
const eventsOfSession = 1500

// browser sends events, and remembers which were acknowledged and when.
type browser struct {
	who  client.Identity
	addr string
	c    *client.Client

	mu      sync.Mutex
	due     map[string]time.Time // when events that are not acknowledged were to be sent
	sent    []string
	acked   map[string]bool
	took    []ack
	refused []string
	open    map[string]protocol.Event // that are not acknowledged
	lost    int                       // connections that ended before they were closed
	maker   *sessiontest.Maker
	rand    *rand.Rand
	next    []protocol.Event
	pages   int
	name    string // of its hosts
}

// ack is an acknowledgement: when the event was to be sent, and how long after that it came.
type ack struct {
	due  time.Time
	took time.Duration
}

func newBrowser(who client.Identity, name string, seed uint64) *browser {
	return &browser{who: who, name: name, due: map[string]time.Time{}, open: map[string]protocol.Event{}, acked: map[string]bool{}, rand: rand.New(rand.NewPCG(seed, 5))}
}

// connect opens a connection and notes what is acknowledged on it.
func (b *browser) connect(ctx context.Context, addr string) error {
	b.addr = addr
	c, err := client.Connect(ctx, addr, b.who, client.Options{OnAck: b.ack, OnRefuse: func(r protocol.Refuse) {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.due, r.ID)
		b.refused = append(b.refused, fmt.Sprintf("%s: %s", r.Code, r.Message))
	}})
	if err == nil {
		b.c = c
	}
	return err
}

// again connects after a connection was lost, and sends all events again that were not acknowledged, as the extension does.
func (b *browser) again(ctx context.Context) error {
	for tries := 0; ; tries++ {
		b.c.Close()
		b.lost++
		err := b.connect(ctx, b.addr)
		if err == nil {
			err = b.resend(ctx)
		}
		if err == nil || tries == 20 {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (b *browser) resend(ctx context.Context) error {
	b.mu.Lock()
	var waiting []protocol.Event
	for _, id := range b.sent {
		if _, ok := b.due[id]; ok {
			waiting = append(waiting, b.open[id])
		}
	}
	b.mu.Unlock()
	for _, e := range waiting {
		if err := b.c.Post(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (b *browser) ack(ids []string) {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		if due, ok := b.due[id]; ok {
			b.took = append(b.took, ack{due, now.Sub(due)})
			delete(b.due, id)
			delete(b.open, id)
			b.acked[id] = true
		}
	}
}

// event makes the next event: a session has a start, pages with snapshots of some 10 kB, and moves back.
func (b *browser) event() protocol.Event {
	if len(b.next) == 0 {
		if b.maker == nil || len(b.sent)%eventsOfSession < 3 {
			b.maker = sessiontest.NewMaker(b.rand.Uint64(), time.Now().UTC())
			b.maker.Client = b.who.Client
			b.next = append(b.next, b.maker.Start("Load of "+b.name))
		}
		b.pages++
		v := b.maker.Visit(fmt.Sprintf("http://%s%d.example/page-%d", b.name, b.pages/200, b.pages), "A page", protocol.HowTyped, "")
		b.next = append(b.next, v, b.maker.Snapshot(v.Page, b.html()), b.maker.Of(protocol.Back, v.Page, v.Page))
	}
	e := b.next[0]
	b.next = b.next[1:]
	return e
}

func (b *browser) html() []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "<!doctype html><title>Page %d</title><h1>Page %d</h1>", b.pages, b.pages)
	for j := 0; text.Len() < 10_000; j++ {
		fmt.Fprintf(&text, "<p>words %d of a page about something else %x</p><a href=/page-%d>page</a> ", j, b.rand.Uint32(), b.pages+j)
	}
	return []byte(text.String())
}

// post sends the next event. due is when it was to be sent.
func (b *browser) post(ctx context.Context, due time.Time) error {
	e := b.event()
	b.mu.Lock()
	b.sent = append(b.sent, e.ID)
	b.due[e.ID], b.open[e.ID] = due, e
	b.mu.Unlock()
	if err := b.c.Post(ctx, e); err != nil {
		return b.again(ctx)
	}
	return nil
}

// send sends so many events a second until ctx ends. At a moment it sends many at once besides.
func (b *browser) send(ctx context.Context, rate, burst int, at time.Time) error {
	every := time.Second / time.Duration(rate)
	for due := time.Now(); ctx.Err() == nil; due = due.Add(every) {
		if wait := time.Until(due); wait > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(wait):
			}
		}
		n := 1
		if burst > 0 && !at.IsZero() && due.After(at) {
			n, at = 1+burst, time.Time{}
		}
		for range n {
			if err := b.post(context.WithoutCancel(ctx), due); err != nil {
				return fmt.Errorf("%s: %w", b.name, err)
			}
		}
	}
	return nil
}

// flood sends so many events as fast as the connection takes them.
func (b *browser) flood(ctx context.Context, events int) error {
	for range events {
		if err := b.post(ctx, time.Now()); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
	}
	return nil
}

// settled waits until every event is acknowledged or refused.
func (b *browser) settled(ctx context.Context) error {
	for {
		b.mu.Lock()
		open := len(b.due)
		b.mu.Unlock()
		if open <= 0 {
			return nil
		}
		select {
		case <-b.c.Done():
			if err := b.again(ctx); err != nil {
				return fmt.Errorf("%s: %d events are not acknowledged: %w", b.name, open, err)
			}
		case <-ctx.Done():
			return fmt.Errorf("%s: %d events are not acknowledged: %w", b.name, open, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// times returns how long the acknowledgements of events took that were to be sent in a part of the run.
func (b *browser) times(from, to time.Time) []time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []time.Duration
	for _, a := range b.took {
		if !a.due.Before(from) && a.due.Before(to) {
			all = append(all, a.took)
		}
	}
	return all
}
