package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
)

// said makes a session from words: visit=A, visit=A:B (A redirects to B), useful=A, not=A, link=A, unlink=A. Pages are
// called by letters.
func said(t *testing.T, seed uint64, topic, script string) []protocol.Event {
	t.Helper()
	m := sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start(topic)}
	address := func(page string) string { return "http://s.test/" + page }
	loads := map[string]string{}
	last := ""
	for _, word := range strings.Fields(script) {
		verb, page, _ := strings.Cut(word, "=")
		var e protocol.Event
		switch verb {
		case "visit":
			asked, led, moved := strings.Cut(page, ":")
			if moved {
				page = led
			}
			e = m.Visit(address(page), page, protocol.HowTyped, "")
			if moved {
				e.Requested = address(asked)
			}
			loads[page], last = e.Page, e.Page
		case "useful", "not":
			e = m.Of(map[string]protocol.Type{"useful": protocol.Useful, "not": protocol.NotUseful}[verb], loads[page], "")
		case "link", "unlink":
			e = m.Of(map[string]protocol.Type{"link": protocol.LinkUseful, "unlink": protocol.LinkNotUseful}[verb], last, "")
			e.URL = address(page) + "#part"
		default:
			t.Fatalf("unknown word %q", word)
		}
		events = append(events, e)
	}
	return events
}

// told lists the pages that a session says are useful ("A") and not useful ("-A"), in order of their names.
func told(r *Session) string {
	var all []string
	for _, v := range r.Visits {
		name := strings.TrimPrefix(v.URL, "http://s.test/")
		switch {
		case v.Useful:
			all = append(all, name)
		case v.NotUseful:
			all = append(all, "-"+name)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func TestLinksThatLookUseful(t *testing.T) {
	for _, c := range []struct{ script, useful, links string }{
		{"visit=A link=B visit=B", "B", "B"},
		{"visit=B visit=A link=B", "B", "B"},
		{"visit=A link=B", "", "B"},
		{"visit=A link=B visit=B:C", "C", "B"},
		{"visit=A link=C visit=B:C visit=C", "C", "C"},
		{"visit=A link=B unlink=B visit=B", "", ""},
		{"visit=A link=B unlink=B link=B visit=B", "B", "B"},
		{"visit=A unlink=B visit=B", "", ""},
		{"visit=A link=B visit=B not=B", "-B", "B"},
		{"visit=A visit=B not=B visit=A link=B", "B", "B"},
		{"visit=A visit=B useful=B visit=A link=B unlink=B", "B", ""},
		{"visit=A link=B link=C visit=B visit=C visit=B", "B C", "B C"},
		{"visit=A link=B visit=B:B2 visit=B:B3", "B2 B3", "B"},
		{"visit=A link=A", "A", "A"},
	} {
		all, err := Fold(said(t, 1, "Hockey", c.script))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %d sessions, %v", c.script, len(all), err)
		}
		links := strings.ReplaceAll(strings.Join(all[0].Links, " "), "http://s.test/", "")
		if got := told(all[0]); got != c.useful || links != c.links {
			t.Errorf("%s: useful %q, links %q; want %q and %q", c.script, got, links, c.useful, c.links)
		}
	}
}

func TestLinksCountInOtherSessionsOfTheTopic(t *testing.T) {
	for _, c := range []struct{ first, second, topic, useful string }{
		{"visit=A link=B", "visit=B", "Hockey", "B"},
		{"visit=A link=B", "visit=B:C", "hockey", "C"},
		{"visit=A link=B", "visit=B", "Sailing", ""},
		{"visit=A link=B", "visit=B not=B", "Hockey", "-B"},
		{"visit=A link=B unlink=B", "visit=B", "Hockey", ""},
		{"visit=A link=B", "visit=C unlink=B visit=B", "Hockey", "B"}, // it takes nothing back that another session says
	} {
		first, second := said(t, 1, "Hockey", c.first), said(t, 2, c.topic, c.second)
		for _, events := range [][]protocol.Event{slices.Concat(first, second), slices.Concat(second, first)} {
			all, err := Fold(events)
			if err != nil || len(all) != 2 {
				t.Fatalf("%d sessions, %v", len(all), err)
			}
			i := slices.IndexFunc(all, func(r *Session) bool { return r.ID == second[0].Session })
			if got := told(all[i]); got != c.useful {
				t.Errorf("%s, then on %s %s: useful %q, want %q", c.first, c.topic, c.second, got, c.useful)
			}
		}
	}
}

func TestAdmitLinks(t *testing.T) {
	m := sessiontest.NewMaker(1, time.Now())
	e := m.Of(protocol.LinkUseful, m.UUID(), "")
	e.URL = "HTTP://S.test/a/../b?utm_source=x&access_token=0123456789abcdef0123456789abcdef#part"
	admitted, refused := AdmitAll([]protocol.Event{e})
	if len(refused) > 0 || len(admitted) != 1 || admitted[0].URL != "http://s.test/b?access_token=redacted" {
		t.Errorf("%+v, refused %v", admitted, refused)
	}
	if code := withheld(admitted[0], "s.test"); code != "" {
		t.Errorf("the page with the link is withheld: %s", code)
	}
}
