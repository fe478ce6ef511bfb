package sessions

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

func maker(seed uint64) *sessiontest.Maker {
	return sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

// ingest stores events, admitted.
func ingest(tb testing.TB, s *store.Store, events ...protocol.Event) (Ingested, error) {
	tb.Helper()
	admitted, refused := session.AdmitAll(events)
	in, err := Ingest(tb.Context(), s, admitted)
	in.Refused = append(refused, in.Refused...)
	return in, err
}

// mustIngest stores events, all of which must be acked.
func mustIngest(tb testing.TB, s *store.Store, events ...protocol.Event) {
	tb.Helper()
	in, err := ingest(tb, s, events...)
	if err != nil || len(in.Refused) > 0 || len(in.Acked) != len(events) {
		tb.Fatalf("acked %d of %d, refused %+v, %v", len(in.Acked), len(events), in.Refused, err)
	}
}

// refusedAs is the code an event is refused with, "" when it is acked.
func refusedAs(tb testing.TB, s *store.Store, e protocol.Event) protocol.Code {
	tb.Helper()
	in, err := ingest(tb, s, e)
	acked, refused := in.Acked, in.Refused
	if err != nil || len(acked)+len(refused) != 1 {
		tb.Fatalf("acked %v, refused %+v, %v", acked, refused, err)
	}
	if len(refused) == 1 {
		if refused[0].ID != e.ID || refused[0].Message == "" {
			tb.Errorf("refusal %+v", refused[0])
		}
		return refused[0].Code
	}
	return ""
}

func TestProjection(t *testing.T) {
	s := open(t)
	m := maker(1)
	start := m.Start("Hockey")
	v := m.Visit("http://ICE.test:80/rules#off", "first title", protocol.HowTyped, "")
	v.Requested = "http://ice.test/r?utm_source=x"
	again := m.Visit("http://ice.test/rules", "", protocol.HowLink, v.Page)
	last := []byte("<a href=a>uno</a><a href=b>two</a>")
	mustIngest(t, s, start, v,
		m.Snapshot(v.Page, []byte("<title>Rules</title><a href=a>one</a><a href='http://u:p@x.test/'>secret</a>")),
		m.Of(protocol.Useful, v.Page, ""), again, m.Snapshot(again.Page, last))
	for q, want := range map[string]string{
		"SELECT group_concat(url || ' ' || title) FROM pages":                                          "http://ice.test/rules Rules",
		"SELECT group_concat(requested || ' ' || how || ' ' || seq) FROM visits WHERE requested <> ''": "http://ice.test/r typed 2",
		"SELECT count(*) || ' ' || sum(useful) FROM marks":                                             "1 1",
		"SELECT count(*) FROM contents":                                                                "2",
		"SELECT hex(c.hash) FROM contents c JOIN pages p ON p.content_hash = c.hash":                   fmt.Sprintf("%X", sha256.Sum256(last)),
	} {
		var got string
		if err := s.Readers.QueryRow(q).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", q, got, err, want)
		}
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	s := open(t)
	m := maker(1)
	start := m.Start("Hockey")
	v := m.Visit("http://joe:canary1@ice.test/?access_token=canary2&x=1#access_token=canary3", "x", protocol.HowTyped, "")
	v.Requested = "http://ice.test/reset/canaryAB12cd34EF56gh78"
	mustIngest(t, s, start, v)
	if all := dump(t, s); strings.Contains(all, "canary") {
		t.Errorf("a secret is kept:\n%s", all)
	}
}

func TestPasswordPageIsForgotten(t *testing.T) {
	s := open(t)
	m := maker(1)
	start := m.Start("Hockey")
	v := m.Visit("http://ice.test/canary", "canary title", protocol.HowTyped, "")
	other := m.Visit("http://ice.test/", "Home", protocol.HowTyped, "")
	frame := m.Frame(v.Page, "http://ice.test/canary/frame", protocol.KindIframe)
	mustIngest(t, s, start, v, other, frame, m.Snapshot(other.Page, []byte("<p>home")), m.Snapshot(frame.Page, []byte("<p>canary frame")),
		m.Snapshot(v.Page, []byte("<title>canary</title><a href=/canary2>x</a>")), m.Of(protocol.Useful, v.Page, ""))
	if !strings.Contains(dump(t, s), "canary") {
		t.Fatal("the page was never there, so the test proves nothing")
	}
	form := m.Snapshot(v.Page, []byte("<p>canary<input type='PassWord'>"))
	if code := refusedAs(t, s, form); code != protocol.PasswordPage {
		t.Fatalf("refused with %q", code)
	}
	for _, late := range []protocol.Event{m.Snapshot(v.Page, []byte("<p>canary without form")), m.Snapshot(frame.Page, []byte("<p>canary"))} {
		if code := refusedAs(t, s, late); code != protocol.PasswordPage {
			t.Errorf("a later snapshot: refused with %q", code)
		}
	}
	label := m.Of(protocol.Label, v.Page, "")
	label.Name = "canary"
	mustIngest(t, s, v, m.Of(protocol.Useful, v.Page, ""), label, m.Frame(v.Page, "http://ice.test/canary/3", protocol.KindFrame))
	if all := dump(t, s); strings.Contains(all, "canary") {
		t.Errorf("something of the page is kept:\n%s", all)
	}
	var packed int
	if err := s.Readers.QueryRow("SELECT count(*) FROM contents").Scan(&packed); err != nil || packed != 1 {
		t.Errorf("%d contents, want the other page's; %v", packed, err)
	}
	all, err := List(t.Context(), s.DB)
	if err != nil || len(all) != 1 || all[0].Pages != 1 || all[0].Useful != 0 {
		t.Errorf("sessions %+v, %v", all, err)
	}
	events, err := Events(t.Context(), s.DB, all[0].ID)
	if err != nil || len(events) != 3 {
		t.Errorf("%d events in the session file, want start, visit and snapshot of the other page; %v", len(events), err)
	}
	grepFiles(t, s, "canary")
}

func TestNeverRecordedHosts(t *testing.T) {
	s := open(t)
	chosen := settings.Default()
	chosen.NeverRecord = []string{"Bank.TEST "}
	ok(t, s.SaveSettings(t.Context(), chosen))
	m := maker(1)
	mustIngest(t, s, m.Start("Hockey"))
	v := m.Visit("https://www.bank.test/canary", "canary", protocol.HowTyped, "")
	for i, e := range []protocol.Event{v, v, m.Snapshot(v.Page, []byte("canary")), m.Of(protocol.Useful, v.Page, "")} {
		if code := refusedAs(t, s, e); code != protocol.NeverRecord {
			t.Errorf("event %d: refused with %q", i, code)
		}
	}
	home := m.Visit("http://ice.test/", "Home", protocol.HowTyped, "")
	mustIngest(t, s, home)
	if code := refusedAs(t, s, m.Frame(home.Page, "https://bank.test/canary", protocol.KindIframe)); code != protocol.NeverRecord {
		t.Errorf("frame: refused with %q", code)
	}
	grepFiles(t, s, "canary")
}

func TestEndsOfSessions(t *testing.T) {
	s := open(t)
	m := maker(1)
	events := []protocol.Event{m.Start("Hockey")}
	for i := range 4 {
		events = append(events, m.Visit(fmt.Sprintf("http://ice.test/%d", i), "x", protocol.HowTyped, ""))
	}
	mustIngest(t, s, events...)
	status := func(want, problem string) Session {
		t.Helper()
		got, err := ByUUID(t.Context(), s.DB, m.Session)
		if err != nil || got.Status != want || !strings.Contains(got.Problem, problem) || (problem == "") != (got.Problem == "") {
			t.Fatalf("session %+v, %v; want %s, problem %q", got, err, want, problem)
		}
		return got
	}
	mustIngest(t, s, m.Event(protocol.Submit))
	status(Recording, "mark at least one page Useful")
	mustIngest(t, s, m.Event(protocol.SessionPause))
	status(Paused, "mark at least one page Useful")
	mustIngest(t, s, m.Event(protocol.SessionResume), m.Of(protocol.Useful, events[1].Page, ""))
	status(Recording, "")
	late := m.Of(protocol.NotUseful, events[2].Page, "") // numbered before the submit, sent after it
	submit := m.Event(protocol.Submit)
	in, err := ingest(t, s, submit)
	session := status(Submitted, "")
	if err != nil || !slices.Equal(in.Submitted, []int64{session.TopicID}) || session.EndedAt.IsZero() {
		t.Fatalf("%+v, %v; session %+v", in, err, session)
	}
	if in, err = ingest(t, s, submit); err != nil || len(in.Submitted) != 0 || len(in.Acked) != 1 {
		t.Errorf("repeated submit: %+v, %v", in, err)
	}
	mustIngest(t, s, late)
	for name, e := range map[string]protocol.Event{"visit": m.Visit("http://ice.test/9", "", protocol.HowTyped, ""), "submit": m.Event(protocol.Submit),
		"discard": m.Event(protocol.Discard), "mark": m.Of(protocol.Useful, events[3].Page, "")} {
		if code := refusedAs(t, s, e); code != protocol.SessionEnded {
			t.Errorf("%s after the end: refused with %q", name, code)
		}
	}
	ok(t, Reopen(t.Context(), s.DB, session.ID, "no page has text"))
	status(Recording, "no page has text")
	mustIngest(t, s, m.Visit("http://ice.test/10", "", protocol.HowTyped, ""), m.Event(protocol.Submit))
	status(Submitted, "")
}

// The count of pages is that of the web graph: a frameset counts as its frames, an iframe without real text not at all.
func TestTooFewPages(t *testing.T) {
	s := open(t)
	m := maker(1)
	start := m.Start("Hockey")
	set := m.Visit("http://ice.test/set", "", protocol.HowTyped, "")
	a, b := m.Frame(set.Page, "http://ice.test/a", protocol.KindFrame), m.Frame(set.Page, "http://ice.test/b", protocol.KindFrame)
	in := m.Frame(a.Page, "http://ice.test/in", protocol.KindIframe)
	useful := m.Visit("http://ice.test/u", "", protocol.HowTyped, "")
	mustIngest(t, s, start, set, a, b, in, useful, m.Of(protocol.Useful, useful.Page, ""), m.Event(protocol.Submit))
	got, err := ByUUID(t.Context(), s.DB, m.Session)
	if err != nil || got.Status != Recording || !strings.Contains(got.Problem, "there are 2 so far") || got.Pages != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	mustIngest(t, s, m.Visit("http://ice.test/c", "", protocol.HowTyped, ""), m.Event(protocol.Submit))
	if got, err = ByUUID(t.Context(), s.DB, m.Session); err != nil || got.Status != Submitted {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestStrangeSessions(t *testing.T) {
	s := open(t)
	m, other := maker(1), maker(2)
	mustIngest(t, s, m.Start("Hockey"), other.Start("Hockey"))
	mine := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	mustIngest(t, s, mine)
	foreign := m.Event(protocol.Submit)
	foreign.Client = other.Client
	stray := maker(3).Visit("http://ice.test/", "", protocol.HowTyped, "")
	for name, c := range map[string]struct {
		event protocol.Event
		code  protocol.Code
	}{
		"never started":            {stray, protocol.NoSession},
		"another's session":        {foreign, protocol.OtherSession},
		"another's page":           {other.Snapshot(mine.Page, []byte("x")), protocol.OtherSession},
		"started twice":            {m.Start("Curling"), protocol.BadField},
		"a canonical URL too long": {m.Visit("http://ice.test/"+strings.Repeat("a", 4000), "", protocol.HowTyped, ""), protocol.TooLarge},
	} {
		if code := refusedAs(t, s, c.event); code != c.code {
			t.Errorf("%s: refused with %q, want %q", name, code, c.code)
		}
	}
	topics, err := topics.List(t.Context(), s.DB)
	if err != nil || len(topics) != 1 {
		t.Errorf("topics %v, %v", topics, err)
	}
}

func TestDiscard(t *testing.T) {
	s := open(t)
	m := maker(1)
	start := m.Start("Hockey")
	v := m.Visit("http://ice.test/canary", "canary", protocol.HowTyped, "")
	mustIngest(t, s, start, v, m.Snapshot(v.Page, []byte("canary")), m.Of(protocol.Useful, v.Page, ""))
	discard := m.Event(protocol.Discard)
	mustIngest(t, s, discard)
	mustIngest(t, s, discard, v, start) // sent again because their acks were lost
	if code := refusedAs(t, s, m.Visit("http://ice.test/", "", protocol.HowTyped, "")); code != protocol.SessionEnded {
		t.Errorf("a visit after it: refused with %q", code)
	}
	if all, err := List(t.Context(), s.DB); err != nil || len(all) != 0 {
		t.Errorf("sessions %v, %v", all, err)
	}
	if newest, err := Newest(t.Context(), s.DB, m.Client); err != nil || newest.Status != Discarded {
		t.Errorf("newest %+v, %v", newest, err)
	}
	grepFiles(t, s, "canary")
}

func TestIngestCanBeCalledOff(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := maker(1)
	start, _ := session.AdmitAll([]protocol.Event{m.Start("Hockey")})
	if in, err := Ingest(ctx, s, start); err == nil || len(in.Acked) > 0 {
		t.Errorf("acked %v, %v", in.Acked, err)
	}
}
