package ingest

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/cli/demo/client"
)

// TestImpostorGetsNoEvents checks that a client sends no events to a server that cannot prove that it holds the key.
func TestImpostorGetsNoEvents(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	var events atomic.Int64
	for name, mac := range map[string]func(h protocol.Hello, own []byte) []byte{
		"accepts all": func(protocol.Hello, []byte) []byte { return nil },
		"random":      func(protocol.Hello, []byte) []byte { return nonce() },
		"other key":   func(h protocol.Hello, own []byte) []byte { return protocol.DaemonMAC(nonce(), h.Nonce, own) },
		"old nonce":   func(_ protocol.Hello, own []byte) []byte { return protocol.DaemonMAC(who.Key, own, own) },
		"reflects":    func(h protocol.Hello, own []byte) []byte { return protocol.ExtensionMAC(who.Key, h.Nonce, own) },
	} {
		fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ws, err := socket.Accept(w, r)
			if err != nil {
				return
			}
			defer ws.Drop()
			data, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			var hello protocol.Hello
			_ = json.Unmarshal(data, &hello)
			own := nonce()
			_ = ws.Send(r.Context(), protocol.Challenge{Type: protocol.TypeChallenge, Nonce: own, MAC: mac(hello, own)})
			_ = ws.Send(r.Context(), protocol.State{Type: protocol.TypeState})
			for {
				if _, err := ws.Read(r.Context()); err != nil {
					return
				}
				events.Add(1)
			}
		}))
		_, err := client.Connect(within(t, time.Minute), strings.TrimPrefix(fake.URL, "http://"), who, client.Options{})
		if !errors.Is(err, client.ErrImpostor) {
			t.Errorf("%s: %v, want ErrImpostor", name, err)
		}
		fake.CloseClientConnections()
		fake.Close()
	}
	if n := events.Load(); n != 0 {
		t.Errorf("impostors got %d messages", n)
	}
}

// TestBurst sends the same events over two connections at a time. All must be acknowledged and stored once.
func TestBurst(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	m := maker(1, browserUUID)
	events := []protocol.Event{m.Start("Hockey")}
	for len(events) < 450 {
		events = append(events, m.Event(protocol.SessionPause), m.Event(protocol.SessionResume))
	}
	var all sync.WaitGroup
	begin := time.Now()
	for range 2 {
		c := d.mustConnect(t, who, client.Options{})
		ok(t, c.Send(within(t, time.Minute), events[0]))
		all.Go(func() {
			if err := c.Send(within(t, time.Minute), events...); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	t.Logf("%d events over two sockets in %s", 2*len(events), time.Since(begin).Round(time.Millisecond))
	s := must(sessions.ByUUID(t.Context(), d.store.DB, m.Session))(t)
	stored, err := sessions.Events(t.Context(), d.store.DB, s.ID)
	if err != nil || len(stored) != len(events) {
		t.Errorf("%d events stored, want %d; %v", len(stored), len(events), err)
	}
}
