package ingest

import (
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/cli/demo/client"
)

// A second browser is offered the open session of the first one, joins it and hears what both recorded, how it began, and
// that the other one submitted it.
func TestJoin(t *testing.T) {
	const otherUUID = "5b0d6a3e-2f41-4c7d-8f0a-9c1d2e3f4a5b"
	d := newDaemon(t)
	first := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	second := d.mustConnect(t, d.mustPair(t, otherUUID, firefoxOrigin), client.Options{})
	ctx := within(t, time.Minute)
	a, b := maker(1, browserUUID), maker(2, otherUUID)

	start, search := a.Start("Hockey"), a.Visit("https://www.google.com/search?q=goalie+pads", "Search", protocol.HowTyped, "")
	events := []protocol.Event{start, search}
	for _, url := range []string{"http://ice.test/a", "http://ice.test/b"} {
		events = append(events, a.Visit(url, "page", protocol.HowLink, search.Page))
	}
	events = append(events, a.Of(protocol.Useful, events[3].Page, ""))
	if err := first.Send(ctx, events...); err != nil {
		t.Fatal(err)
	}
	state, err := second.WaitState(ctx, func(s protocol.State) bool { return len(s.Open) == 1 && s.Open[0].Useful == 1 })
	if err != nil {
		t.Fatal(err)
	}
	if want := (protocol.OpenSession{ID: a.Session, Topic: "Hockey", Browser: "Test browser", Pages: 3, Useful: 1}); state.Open[0] != want {
		t.Errorf("offered %+v, want %+v", state.Open[0], want)
	}
	events = evening(b, 3)[:7] // the page c is new; none is marked
	events[0].Joins = state.Open[0].ID
	if err := second.Send(ctx, events...); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*client.Client{"first": first, "second": second} {
		state, err := c.WaitState(ctx, func(s protocol.State) bool { return s.Session != nil && s.Session.Pages == 4 && s.Session.Began != nil })
		if err != nil {
			t.Fatalf("%s: %v; the last state is %+v", name, err, state.Session)
		}
		if *state.Session.Began != (protocol.Search{Query: "goalie pads", Engine: "Google"}) || !slices.Equal(state.Session.Browsers, []string{"Test browser"}) ||
			state.Session.Useful != 1 || state.Session.Close {
			t.Errorf("%s: %+v", name, state.Session)
		}
	}
	if err := first.Send(ctx, a.Event(protocol.Submit)); err != nil {
		t.Fatal(err)
	}
	if _, err := second.WaitState(ctx, func(s protocol.State) bool { return s.Session.Close && s.Session.Status == protocol.StatusSubmitted }); err != nil {
		t.Fatal(err)
	}
	if err := second.Send(ctx, b.Event(protocol.Submit)); err != nil {
		t.Fatal(err)
	}
	state, err = second.WaitState(ctx, func(s protocol.State) bool { return !s.Session.Close })
	if err != nil || state.Session.Status != protocol.StatusSubmitted {
		t.Errorf("%+v, %v", state.Session, err)
	}
	if n := len(d.trained.all()); n != 1 {
		t.Errorf("%d trainings, want one", n)
	}
}
