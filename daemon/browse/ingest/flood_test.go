package ingest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/client"
)

// A browser that floods is held back to its own rate: another browser's events are acknowledged while most of the flood still
// waits. Nothing of the flood is refused or lost, and its connection stays.
func TestFloodHoldsNobodyElseBack(t *testing.T) {
	const otherUUID = "5b0d6a3e-2f41-4c7d-8f0a-9c1d2e3f4a5b"
	const flood, others = eventBurst + 2*eventRate, 8 // each of the others waits for two commits of the flood at most
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	var mu sync.Mutex
	var order []string // of acknowledgements, of both browsers
	note := func(ids []string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, ids...)
	}
	flooder := d.mustConnect(t, who, client.Options{OnAck: note})
	honest := d.mustConnect(t, d.mustPair(t, otherUUID, firefoxOrigin), client.Options{OnAck: note})
	a, b := maker(1, browserUUID), maker(2, otherUUID)
	events := []protocol.Event{a.Start("Hockey")}
	for len(events) < flood {
		events = append(events, a.Event(protocol.SessionPause))
	}
	ctx := within(t, 50*time.Second)
	sent := make(chan error, 1)
	go func() { sent <- flooder.Send(ctx, events...) }()
	own := []protocol.Event{b.Start("Curling")}
	for len(own) < others {
		own = append(own, b.Event(protocol.SessionPause))
	}
	for _, e := range own { // one after the other: each waits for its acknowledgement
		ok(t, honest.Send(ctx, e))
	}
	ok(t, <-sent)
	mu.Lock()
	defer mu.Unlock()
	last := slices.Index(order, own[others-1].ID)
	if last < 0 || last > len(order)-eventRate/4 {
		t.Errorf("the last event of the other browser is acknowledged as number %d of %d", last+1, len(order))
	}
	for client, want := range map[string]int{a.Session: flood, b.Session: others} {
		s := must(sessions.ByUUID(t.Context(), d.store.DB, client))(t)
		if stored, err := sessions.Events(t.Context(), d.store.DB, s.ID); err != nil || len(stored) != want {
			t.Errorf("%d events stored, want %d; %v", len(stored), want, err)
		}
	}
}

// The rate is that of a browser, however many connections it opens.
func TestRateIsOfTheBrowser(t *testing.T) {
	d := newDaemon(t)
	one, other := d.limit("a"), d.limit("b")
	if one != d.limit("a") || one == other {
		t.Error("connections of a browser have limits of their own, or browsers share one")
	}
	if one.Burst() != eventBurst || float64(one.Limit()) != eventRate {
		t.Errorf("%d at once and %g a second", one.Burst(), float64(one.Limit()))
	}
}

// Connections that commit at the same time share what is committed at once.
func TestCommitsAreShared(t *testing.T) {
	for _, c := range []struct {
		connections int64
		size        int64
		want        int
	}{{1, 1, batchEvents}, {2, 1, batchEvents / 2}, {4, 1, batchEvents / 4}, {100, 1, leastEvents}, {1, batchBytes / 4, 4}, {2, batchBytes / 4, 2}} {
		s := &stream{queue: make(chan queued, 2*batchEvents)}
		for range 2 * batchEvents {
			s.queue <- queued{size: c.size}
		}
		if batch, size := s.gather(<-s.queue, batchEvents, c.connections); len(batch) != c.want || size != int64(c.want)*c.size {
			t.Errorf("%d connections, events of %d bytes: %d at once of %d bytes, want %d", c.connections, c.size, len(batch), size, c.want)
		}
		if batch, _ := s.gather(<-s.queue, 2, c.connections); len(batch) > 2 {
			t.Errorf("%d connections: %d at once at first, want at most 2", c.connections, len(batch))
		}
	}
}
