package sessions

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/store/settings"
)

// inFile gives admitted events, and an error after them unless it is nil.
func inFile(tb testing.TB, after error, events ...protocol.Event) iter.Seq2[session.Event, error] {
	tb.Helper()
	admitted, refused := session.AdmitAll(events)
	if len(refused) > 0 {
		tb.Fatal(refused)
	}
	return func(yield func(session.Event, error) bool) {
		for _, e := range admitted {
			if !yield(e, nil) {
				return
			}
		}
		if after != nil {
			yield(session.Event{}, after)
		}
	}
}

// An import is whole or nothing: what cannot be stored takes back what was stored before it.
func TestImportAllOrNothing(t *testing.T) {
	s := open(t)
	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/canary", "canary", protocol.HowTyped, "")
	discard := m.Event(protocol.Discard)
	late := m.Visit("http://ice.test/2", "", protocol.HowTyped, "")
	stray := maker(3).Visit("http://ice.test/", "", protocol.HowTyped, "")
	broken := errors.New("the disk failed")
	for name, c := range map[string]struct {
		events []protocol.Event
		after  error
		code   protocol.Code
		want   string
	}{
		"a session without start": {[]protocol.Event{start, v, stray}, nil, protocol.NoSession, "was never started"},
		"after the end":           {[]protocol.Event{start, v, discard, late}, nil, protocol.SessionEnded, "already discarded"},
		"a file that breaks off":  {[]protocol.Event{start, v}, broken, "", "the disk failed"},
	} {
		in, err := Import(t.Context(), s, inFile(t, c.after, c.events...), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(in.Acked) > 0 {
			t.Errorf("%s: %+v, %v", name, in, err)
		}
		if invalid, ok := errors.AsType[*protocol.Invalid](err); ok != (c.code != "") || ok && invalid.Code != c.code {
			t.Errorf("%s: code of %v", name, err)
		}
	}
	if all := dump(t, s); strings.Contains(all, "canary") || strings.Contains(all, m.Session) {
		t.Errorf("something was stored:\n%s", all)
	}
	in, err := Import(t.Context(), s, inFile(t, nil, start, v), nil)
	if err != nil || len(in.Acked) != 2 || in.Known != 0 || !slices.Equal(in.Sessions, []string{m.Session}) {
		t.Errorf("%+v, %v", in, err)
	}
	if in, err = Import(t.Context(), s, inFile(t, nil, start, v, late), nil); err != nil || len(in.Acked) != 3 || in.Known != 2 {
		t.Errorf("again, with another event: %+v, %v", in, err)
	}
}

// What the person does not want to have stored is left out, and the rest is stored.
func TestImportLeavesOut(t *testing.T) {
	s := open(t)
	chosen := settings.Default()
	chosen.NeverRecord = []string{"bank.test"}
	ok(t, s.SaveSettings(t.Context(), chosen))
	m := maker(1)
	start, bank, login := m.Start("Hockey"), m.Visit("http://bank.test/canary", "canary", protocol.HowTyped, ""), m.Visit("http://ice.test/login", "", protocol.HowTyped, "")
	form, home := m.Snapshot(login.Page, []byte("<input type=password>canary")), m.Visit("http://ice.test/", "Home", protocol.HowTyped, "")
	in, err := Import(t.Context(), s, inFile(t, nil, start, bank, login, form, home), nil)
	if err != nil || len(in.Acked) != 3 || len(in.Refused) != 2 || in.Refused[0].Code != protocol.NeverRecord || in.Refused[1].Code != protocol.PasswordPage {
		t.Errorf("%+v, %v", in, err)
	}
	grepFiles(t, s, "canary")
}

// A session that went on after a Submit is stored whole: only its last Submit ends it.
func TestImportReopened(t *testing.T) {
	s := open(t)
	m := maker(1)
	events := []protocol.Event{m.Start("Hockey")}
	for _, page := range []string{"a", "b", "c", "d"} {
		events = append(events, m.Visit("http://ice.test/"+page, page, protocol.HowTyped, ""))
	}
	events = append(events, m.Of(protocol.Useful, events[1].Page, ""), m.Event(protocol.Submit), m.Visit("http://ice.test/e", "", protocol.HowTyped, ""), m.Event(protocol.Submit))
	if in, err := Import(t.Context(), s, inFile(t, nil, events...), nil); err == nil {
		t.Errorf("without the number of the last Submit: %+v", in)
	}
	in, err := Import(t.Context(), s, inFile(t, nil, events...), map[string]int64{m.Session: events[len(events)-1].Seq})
	if err != nil || len(in.Acked) != len(events) || len(in.Submitted) != 1 {
		t.Errorf("%+v, %v", in, err)
	}
	one, err := ByUUID(t.Context(), s.DB, m.Session)
	if err != nil || one.Status != Submitted || one.Pages != 5 {
		t.Errorf("%+v, %v", one, err)
	}
}

// The list holds for every spelling of a host and for the address that a visit was requested at; pages of Nightjar and of the
// person's own network are not stored, unless the browser says that the person lets them be recorded.
func TestNeverStored(t *testing.T) {
	s := open(t)
	s.Listen = "127.0.0.1:47600"
	chosen := settings.Default()
	chosen.NeverRecord = []string{"bank.test"}
	ok(t, s.SaveSettings(t.Context(), chosen))
	m := maker(1)
	mustIngest(t, s, m.Start("Hockey"))
	visit := func(url, requested string, own bool) protocol.Event {
		e := m.Visit(url, "canary", protocol.HowTyped, "")
		e.Requested, e.Own = requested, own
		return e
	}
	for _, url := range []string{"https://ｂａｎｋ.test/canary", "https://www.bank。test/canary", "http://192.168.1.1/canary",
		"http://0x7f.1:47600/canary", "http://printer/canary", "http://nightjar-0123456789abcdef0123456789abcdef.localhost:1/canary"} {
		if code := refusedAs(t, s, visit(url, "", false)); code != protocol.NeverRecord {
			t.Errorf("%s: refused with %q", url, code)
		}
	}
	if code := refusedAs(t, s, visit("http://127.0.0.1:47600/canary", "", true)); code != protocol.NeverRecord {
		t.Errorf("the dashboard, with the own network let in: %q", code)
	}
	home := visit("http://ice.test/", "https://ｂａｎｋ.test/canary", false)
	home.Title = "Home"
	link := m.Of(protocol.LinkUseful, home.Page, "")
	link.URL = "http://10.0.0.1/canary"
	mustIngest(t, s, home)
	if code := refusedAs(t, s, link); code != protocol.NeverRecord {
		t.Errorf("a link: %q", code)
	}
	if all := dump(t, s); strings.Contains(all, "canary") || !strings.Contains(all, "http://ice.test/") {
		t.Errorf("stored:\n%s", all)
	}
	lan := visit("http://wiki.lan/start", "http://10.0.0.1/", true)
	lan.Title = "Wiki"
	mustIngest(t, s, lan)
	grepFiles(t, s, "canary")
}
