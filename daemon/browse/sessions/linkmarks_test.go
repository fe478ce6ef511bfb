package sessions

import (
	"errors"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/store"
)

// TestSayOfLink: what the person says of a link later decides, in the events and in the tables.
func TestSayOfLink(t *testing.T) {
	s := open(t)
	m := maker(1)
	events := []protocol.Event{m.Start("Hockey")}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		events = append(events, m.Visit("http://ice.test/"+name, name, protocol.HowTyped, ""))
	}
	link := m.Of(protocol.LinkUseful, events[2].Page, "")
	link.URL = "http://ice.test/b"
	mustIngest(t, s, append(events, m.Of(protocol.Useful, events[1].Page, ""), link, m.Event(protocol.Submit))...)
	ok(t, SayOfLink(t.Context(), s.DB, m.Session, "http://ice.test/b", false))
	mustFold(t, s, m.Session, "http://ice.test/a")
	ok(t, SayOfLink(t.Context(), s.DB, m.Session, "http://ice.test/b", true))
	mustFold(t, s, m.Session, "http://ice.test/a http://ice.test/b")
	if err := SayOfLink(t.Context(), s.DB, m.Session, "http://ice.test/c", true); !errors.Is(err, ErrNoLink) {
		t.Errorf("a link of which nothing was said: %v", err)
	}
}

// mustFold checks which pages of a session are useful, by its events and by the tables.
func mustFold(t *testing.T, s *store.Store, uuid, want string) {
	t.Helper()
	mustBeFolded(t, s)
	var got string
	err := s.Readers.QueryRow(`SELECT group_concat(url, ' ') FROM (SELECT p.url FROM marks m JOIN pages p ON p.id = m.page_id
		JOIN sessions s ON s.id = m.session_id WHERE s.uuid = '` + uuid + `' AND m.useful = 1 ORDER BY p.url)`).Scan(&got)
	if err != nil || got != want {
		t.Errorf("useful are %q, want %q, %v", got, want, err)
	}
}
