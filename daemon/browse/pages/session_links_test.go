package pages

import (
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
)

// TestSessionLinks shows the links that look useful, takes one back and says it again.
func TestSessionLinks(t *testing.T) {
	s := newFixture(t)
	m := sessiontest.NewMaker(7, s.Clock)
	start := m.Start("Links")
	visits := []protocol.Event{m.Visit("http://ice.test/list", "The list", protocol.HowTyped, "")}
	for _, name := range []string{"b", "c", "d", "e"} {
		visits = append(visits, m.Visit("http://ice.test/"+name, "Page "+name, protocol.HowTyped, ""))
	}
	events := append([]protocol.Event{start}, visits...)
	const hostile = "http://rules.test/<script>alert(1)</script>"
	for _, to := range []string{"http://ice.test/b", hostile} {
		link := m.Of(protocol.LinkUseful, visits[0].Page, "")
		link.URL = to
		events = append(events, link)
	}
	admitted, refused := session.AdmitAll(append(events, m.Event(protocol.Submit)))
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	if in, err := sessions.Ingest(t.Context(), s.Store, admitted); err != nil || len(in.Refused) > 0 {
		t.Fatal(in, err)
	}
	shown := func() string { return s.Page(t, "/sessions/"+m.Session).Find("#links").Text() }
	for _, want := range []string{"You visited its page in this session. It counts as Useful.", "The next crawl of the topic fetches its page first.", "The link is on The list", "rules.test/"} {
		if text := shown(); !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	if n := s.Page(t, "/sessions/"+m.Session).Find("#links script").Length(); n != 0 {
		t.Errorf("%d scripts come from an address", n)
	}
	one, err := sessions.ByUUID(t.Context(), s.Store.DB, m.Session)
	if err != nil || one.Status != sessions.Submitted || one.Useful != 1 {
		t.Fatalf("%+v, %v", one, err)
	}
	s.MustPost(t, "/sessions/"+m.Session+"/links", url.Values{"url": {"http://ice.test/b"}, "useful": {"0"}})
	if text := shown(); !strings.Contains(text, "Taken back.") || !strings.Contains(text, "Looks useful again") {
		t.Errorf("after it was taken back: %s", text)
	}
	if one, err = sessions.ByUUID(t.Context(), s.Store.DB, m.Session); err != nil || one.Useful != 0 {
		t.Errorf("%+v, %v", one, err)
	}
	s.MustPost(t, "/sessions/"+m.Session+"/links", url.Values{"url": {"http://ice.test/b"}, "useful": {"1"}})
	if text := shown(); strings.Contains(text, "Taken back.") {
		t.Errorf("after it looks useful again: %s", text)
	}
}
