package sessions

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// TestIngestScansNoTable has SQLite explain every statement that the ingest of a session with everything in it runs,
// and what a browser is told after it: none may read a whole table, since each would take longer with every session
// stored.
func TestIngestScansNoTable(t *testing.T) {
	s, all := record(t)
	ingestEverything(t, s)
	for _, table := range []string{"contents", "events", "marks", "pages", "sessions", "topics", "visits", "withheld", "discarded"} {
		written := func(text string) bool { return strings.Contains(text, "INTO "+table+" (") }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), written) {
			t.Errorf("no statement wrote to %s: the session lacks something", table)
		}
	}
	plans.NoFullScans(t, s.Writer, all)
}

// ingestEverything ingests sessions with events of every type, in and out of order, repeated, refused and withheld.
func ingestEverything(t *testing.T, s *store.Store) {
	t.Helper()
	never := settings.Default()
	never.NeverRecord = []string{"bank.test"}
	ok(t, s.SaveSettings(t.Context(), never))
	m := maker(1)
	start := m.Start("Hockey")
	set := m.Visit("http://ice.test/set", "", protocol.HowTyped, "")
	frame := m.Frame(set.Page, "http://ice.test/a", protocol.KindFrame)
	in := m.Frame(frame.Page, "http://ice.test/in", protocol.KindIframe)
	moved := m.Visit("http://ice.test/moved", "", protocol.HowLink, set.Page)
	first := moved // of the same load, numbered later, with another URL: the earlier one counts
	first.ID, first.Seq, first.URL = m.UUID(), m.Event(protocol.Back).Seq, "http://ice.test/elsewhere"
	html := func(word string) []byte {
		return []byte("<title>" + word + "</title><a href=/" + word + ">" + word + "</a>")
	}
	early, late := m.Snapshot(moved.Page, html("early")), m.Snapshot(moved.Page, html("late"))
	label := m.Of(protocol.Label, set.Page, "")
	label.Name = "label"
	events := []protocol.Event{
		start, set, frame, in, m.Snapshot(frame.Page, html("frame")), m.Of(protocol.Useful, frame.Page, ""), // a visit that is known
		late, m.Of(protocol.NotUseful, moved.Page, ""), first, moved, early, // marks and snapshots before their visit
		m.Of(protocol.Back, set.Page, moved.Page), m.Of(protocol.Forward, moved.Page, set.Page), label, m.Start("Hockey"),
		m.Event(protocol.Submit), // too little is there
		m.Event(protocol.SessionPause), m.Event(protocol.SessionResume),
	}
	secret := m.Visit("http://ice.test/login", "", protocol.HowTyped, "")
	events = append(events, secret, m.Snapshot(secret.Page, html("login")), m.Frame(secret.Page, "http://ice.test/login/f", protocol.KindFrame),
		m.Snapshot(secret.Page, []byte("<input type=password>")), m.Of(protocol.Useful, secret.Page, ""),
		m.Visit("http://bank.test/", "", protocol.HowTyped, ""))
	for i := range 4 {
		v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "x", protocol.HowLink, moved.Page)
		events = append(events, v, m.Snapshot(v.Page, html("some")))
	}
	events = append(events, m.Event(protocol.Submit), m.Event(protocol.SessionPause))
	other := maker(2)
	v := other.Visit("http://ice.test/set", "", protocol.HowTyped, "")
	stray := other.Of(protocol.Useful, set.Page, "") // another session's page load
	events = append(events, other.Start("Hockey"), v, other.Snapshot(v.Page, html("thrown away")), stray, other.Event(protocol.Discard))
	codes := map[protocol.Code]bool{}
	for range 2 { // the second time, all of them are repeated
		for _, e := range events {
			in := must(ingest(t, s, e))(t)
			for _, r := range in.Refused {
				codes[r.Code] = true
			}
		}
		must(Newest(t.Context(), s.DB, m.Client))(t)
	}
	for _, code := range []protocol.Code{protocol.PasswordPage, protocol.NeverRecord, protocol.SessionEnded, protocol.OtherSession, protocol.BadField} {
		if !codes[code] {
			t.Errorf("nothing was refused as %s: the session lacks something", code)
		}
	}
	for client, want := range map[string]string{m.Client: Submitted, other.Client: Discarded} {
		if session, err := Newest(t.Context(), s.DB, client); err != nil || session.Status != want {
			t.Errorf("%+v, %v; want a session that is %s", session, err, want)
		}
	}
}

// A plan that reads a whole table is seen as one, with its table.
func TestScansAreSeen(t *testing.T) {
	s := open(t)
	for text, want := range map[string]string{
		"SELECT body FROM events WHERE type = ?":                                   "events",
		"SELECT count(*) FROM pages":                                               "pages",
		"DELETE FROM visits WHERE title = ?":                                       "visits",
		"SELECT 1 FROM visits v JOIN starts s ON s.url = v.title WHERE v.load = ?": "starts",
		"SELECT body FROM events WHERE id = ?":                                     "",
		"SELECT n.id FROM (SELECT id FROM events WHERE session_id = ? LIMIT 3) n":  "",
		"INSERT INTO pages (url) SELECT value FROM json_each(?) WHERE value > ''":  "",
	} {
		args := []any{"x"}[:strings.Count(text, "?")]
		steps, err := plans.Scans(t.Context(), s.Readers, text, args...)
		var got []string
		for _, step := range steps {
			got = append(got, step.Tables...)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q, %v", text, steps, want, err)
		}
		wrong, err := plans.Wrong(t.Context(), s.Readers, map[string][]any{text: args}, nil)
		if large := want != "" && plans.Small[want] == ""; err != nil || len(wrong) > 0 != large {
			t.Errorf("%s: %q is wrong, %v", text, wrong, err)
		}
	}
	wrong, err := plans.Wrong(t.Context(), s.Readers, map[string][]any{"SELECT count(*) FROM  pages": nil}, map[string]string{"count(*) FROM pages": "it must", "FROM marks": "never"})
	if err != nil || len(wrong) != 1 || !strings.Contains(wrong[0], "FROM marks") {
		t.Errorf("%q, %v; want only the reason that is not needed", wrong, err)
	}
}

// BenchmarkIngest measures the ingest of one event, a third of them snapshots of 30 kB, in a database that holds none
// and in one that holds 100,000.
func BenchmarkIngest(b *testing.B) {
	for _, stored := range []int{0, 100_000} {
		b.Run(fmt.Sprintf("stored=%d", stored), func(b *testing.B) {
			s := must(store.Open(b.Context(), filepath.Join(b.TempDir(), "nightjar.db")))(b)
			defer s.Close()
			storeEvents(b, s, stored)
			m := maker(1)
			mustIngest(b, s, m.Start("Hockey"))
			html := strings.Repeat("<p>goalkeepers stop pucks, forwards skate around them, and the crowd is cold but pleased with the game</p>", 280)
			var next []protocol.Event
			for i := 0; b.Loop(); i++ {
				if len(next) == 0 {
					v := m.Visit(fmt.Sprintf("http://ice.test/%d", i), "", protocol.HowTyped, "")
					next = []protocol.Event{v, m.Snapshot(v.Page, fmt.Appendf(nil, "%s%d", html, i)), m.Of(protocol.Useful, v.Page, "")}
				}
				mustIngest(b, s, next[0])
				next = next[1:]
			}
		})
	}
}

// storeEvents fills a database with the events of an earlier session: visits, and for each a snapshot, a mark and one
// more event.
func storeEvents(b testing.TB, s *store.Store, n int) {
	b.Helper()
	if n == 0 {
		return
	}
	upTo := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) ", n)
	}
	count, visits := upTo(n), upTo(n/4)
	fill := []string{
		"INSERT INTO topics (id, name, created_at) VALUES (1, 'Curling', 0)",
		"INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (1, 'u', 1, 'c', 'recording', 0)",
		count + `INSERT INTO events (id, session_id, client, seq, at, type, page, body) SELECT printf('event-%032d', i), 1, 'c', i, i,
			CASE i % 4 WHEN 0 THEN 'visit' WHEN 1 THEN 'snapshot' WHEN 2 THEN 'useful' ELSE 'back' END, printf('load-%032d', i / 4),
			'{"url":"http://curling.test/' || i / 4 || '"}' FROM n`,
		visits + "INSERT INTO pages (id, url) SELECT i + 1, 'http://curling.test/' || i FROM n",
		visits + "INSERT INTO visits (load, session_id, page_id, how, seq) SELECT printf('load-%032d', i), 1, i + 1, 'typed', i * 4 FROM n",
		visits + "INSERT INTO marks (session_id, page_id, useful) SELECT 1, i + 1, 1 FROM n",
	}
	for _, text := range fill {
		must(s.Writer.Exec(text))(b)
	}
}
