package ingest

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/cli/demo/client"
)

// answerTo sends a message and returns the next answer of a type.
func answerTo(t *testing.T, ws *socket.Conn, message, kind string, answer any) {
	t.Helper()
	ctx := within(t, time.Minute)
	ok(t, ws.SendRaw(ctx, []byte(message)))
	for {
		data, err := ws.Read(ctx)
		if err != nil {
			t.Fatalf("%.60s: %v", message, err)
		}
		if kindOf(data) == kind {
			ok(t, json.Unmarshal(data, answer))
			return
		}
	}
}

func TestKnownLinks(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	if state, err := c.WaitState(ctx, func(protocol.State) bool { return true }); err != nil || !state.Knows {
		t.Fatalf("the state %+v does not say that links are answered; %v", state, err)
	}
	ok(t, c.Send(ctx, evening(m, 3)...))
	ws := mustProve(t, d, who)
	defer ws.Drop()
	const links = `{"type":"known","urls":["http://ice.test/a","http://ice.test/c","http://ice.test/c#x","http://other.test/","nonsense"]}`
	var known protocol.Known
	answerTo(t, ws, links, protocol.TypeKnown, &known)
	want := map[string]string{"http://ice.test/a": "visited", "http://ice.test/c": "useful", "http://ice.test/c#x": "useful"}
	if !maps.Equal(known.Known, want) {
		t.Errorf("%v, want %v", known.Known, want)
	}
	// In a session on another topic these pages are not known; after it they are.
	other := maker(2, browserUUID)
	other.Session = m.UUID()
	start := other.Start("Baking")
	ok(t, c.Send(ctx, m.Event(protocol.Discard), start))
	var none protocol.Known
	answerTo(t, ws, links, protocol.TypeKnown, &none)
	if len(none.Known) > 0 {
		t.Errorf("of a discarded session and another topic: %v", none.Known)
	}
}

// TestManyKnownRequests: a page that asks without end gets empty answers, and the events behind its requests are stored.
func TestManyKnownRequests(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	ok(t, c.Send(ctx, evening(m, 3)...))
	ws := mustProve(t, d, who)
	defer ws.Drop()
	answered := 0
	for range 10 * linkBurst {
		var known protocol.Known
		answerTo(t, ws, `{"type":"known","urls":["http://ice.test/a"]}`, protocol.TypeKnown, &known)
		answered += len(known.Known)
	}
	if answered < linkBurst || answered == 10*linkBurst {
		t.Errorf("%d of %d requests were answered, want at least %d and not all", answered, 10*linkBurst, linkBurst)
	}
	var pong protocol.Plain
	answerTo(t, ws, `{"type":"ping"}`, protocol.TypePong, &pong)
}

// TestHostileKnownRequests: what is no request about links ends the connection, and stores nothing.
func TestHostileKnownRequests(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	for _, urls := range []string{
		`"x"`, `{"a":1}`, `[1]`, `[["x"]]`, "[" + strings.Repeat(`"http://a.test/",`, protocol.MaxKnown) + `""]`,
		fmt.Sprintf(`["http://a.test/%s"]`, strings.Repeat("x", protocol.MaxURL)),
	} {
		ws := mustProve(t, d, who)
		var answer protocol.Refuse
		answerTo(t, ws, `{"type":"known","urls":`+urls+`}`, protocol.TypeRefuse, &answer)
		if answer.Code != protocol.BadJSON && answer.Code != protocol.TooLarge {
			t.Errorf("%.40s: refused as %q", urls, answer.Code)
		}
		if _, err := ws.Read(within(t, time.Minute)); err == nil {
			t.Errorf("%.40s: the connection stays open", urls)
		}
		ws.Drop()
	}
}
