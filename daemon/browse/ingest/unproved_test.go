package ingest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/lab/effort"
)

// TestUnproved: over seeded floods, the limits hold, who goes is the oldest of a source that has most, and a source with fewer
// than its share loses nothing.
func TestUnproved(t *testing.T) {
	effort.Long(t)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		u := newUnproved()
		now := time.Now()
		var all []*conn // in order of age
		count := func(from source) (n int) {
			for _, c := range all {
				if c.from == from {
					n++
				}
			}
			return n
		}
		for step := range 1500 {
			c := &conn{from: source{fmt.Sprint("origin ", r.IntN(1+int(seed)%5)), fmt.Sprint("127.0.0.", r.IntN(1+int(seed)%2))}}
			if r.IntN(20) == 0 {
				c.from.origin = "the browser" // which has few
			}
			all = append(all, c)
			now = now.Add(grace / 8)
			goes := u.add(c, now)
			if goes == nil {
				if len(all) > maxSilent || count(c.from) > maxOfOne {
					t.Fatalf("seed %d, step %d: %d wait, %d of them of %v", seed, step, len(all), count(c.from), c.from)
				}
				continue
			}
			if len(all) <= maxSilent && count(c.from) <= maxOfOne {
				t.Fatalf("seed %d, step %d: one of %d had to go", seed, step, len(all))
			}
			if i := slices.Index(all, goes); len(all)-1-i < 8 {
				t.Fatalf("seed %d, step %d: one had to go before its time", seed, step)
			}
			most := count(goes.from)
			for i, other := range all {
				if count(other.from) > most {
					t.Fatalf("seed %d, step %d: %v has %d, and %v with %d had to go", seed, step, other.from, count(other.from), goes.from, most)
				}
				if other == goes {
					all = append(all[:i:i], all[i+1:]...)
					break
				}
				if other.from == goes.from {
					t.Fatalf("seed %d, step %d: not the oldest of %v had to go", seed, step, goes.from)
				}
			}
		}
	}
}

// TestFlood: of a flood of new connections none has to go before its time, up to a limit.
func TestFlood(t *testing.T) {
	u := newUnproved()
	now := time.Now()
	first := &conn{}
	for n := range maxFresh + 1 {
		c := &conn{}
		if n == 0 {
			c = first
		}
		now = now.Add(time.Microsecond)
		if goes := u.add(c, now); (goes != nil) != (n == maxFresh) || goes != nil && goes != first {
			t.Fatalf("%v goes for the one after %d", goes, n)
		}
	}
	if len(u.silent) != maxFresh {
		t.Errorf("%d wait", len(u.silent))
	}
}

// TestNamed: of too many connections that have named a paired browser, the oldest goes; none of those that were proved does.
func TestNamed(t *testing.T) {
	u := newUnproved()
	var all []*conn
	for range maxNamed + 2 {
		c := &conn{}
		all = append(all, c)
		u.add(c, time.Now())
	}
	u.remove(all[0])
	for i, c := range all {
		goes := u.name(c)
		if want := i == maxNamed+1; (goes != nil) != want || want && goes != all[1] {
			t.Fatalf("%d named: %v goes", i, goes)
		}
	}
	if len(u.silent) != 0 || len(u.named) != maxNamed {
		t.Errorf("%d silent, %d named", len(u.silent), len(u.named))
	}
}

// TestOldestSilentGoes: the socket that has been silent longest is closed for a new one, and a browser that named itself is not.
func TestOldestSilentGoes(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, "0198c9d2-0000-7000-8000-000000000001", chromeOrigin)
	ctx := within(t, time.Minute)
	dial := func() *socket.Conn {
		ws := must(socket.Dial(ctx, nil, d.addr, chromeOrigin))(t)
		t.Cleanup(ws.Drop)
		return ws
	}
	speaks := dial()
	hello := protocol.Hello{Type: protocol.TypeHello, V: protocol.Version, Client: who.Client, Nonce: nonce()}
	ok(t, speaks.Send(ctx, hello))
	if _, err := speaks.Read(ctx); err != nil { // the challenge
		t.Fatal(err)
	}
	first := dial()
	ended := make(chan error, 1)
	go func() {
		_, err := first.Read(ctx)
		ended <- err
	}()
	for range maxOfOne - 1 {
		dial()
	}
	d.mu.Lock()
	for c := range d.unproved.silent {
		d.unproved.silent[c] = d.unproved.silent[c].Add(-grace)
	}
	d.mu.Unlock()
	dial()
	if err := <-ended; err == nil || ctx.Err() != nil {
		t.Errorf("the oldest silent socket: %v", err)
	}
	d.mu.Lock()
	silent, named := len(d.unproved.silent), len(d.unproved.named)
	d.mu.Unlock()
	if silent > maxOfOne || named != 1 {
		t.Errorf("%d silent sockets, %d that have named the browser", silent, named)
	}
}

// TestStrangersSendLittle: before its proof, a connection cannot have the daemon hold a large message.
func TestStrangersSendLittle(t *testing.T) {
	d := newDaemon(t)
	ws := must(socket.Dial(t.Context(), nil, d.addr, chromeOrigin))(t)
	defer ws.Drop()
	_ = ws.SendRaw(t.Context(), bytes.Repeat([]byte("x"), 64<<10)) // the daemon may close while this is sent
	if answer, err := ws.Read(within(t, time.Minute)); err == nil {
		t.Errorf("answered %s, %v", answer, err)
	}
}
