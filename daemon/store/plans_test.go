package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"modernc.org/sqlite"

	"nightjar/daemon/protocol"
	"nightjar/daemon/settings"
)

// recorder notes every statement that goes through its connections, with the arguments of its last run.
type recorder struct {
	dsn string
	mu  *sync.Mutex
	all map[string][]any
}

func (r recorder) Driver() driver.Driver { return &sqlite.Driver{} }

func (r recorder) Connect(context.Context) (driver.Conn, error) {
	c, err := r.Driver().Open(r.dsn)
	if err != nil {
		return nil, err
	}
	return recordedConn{c.(sqliteConn), r}, nil
}

func (r recorder) note(text string, args []driver.NamedValue) {
	values := []any{}
	for _, a := range args {
		values = append(values, a.Value)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[text] = values
}

// sqliteConn is what database/sql asks of the driver's connections.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

type recordedConn struct {
	sqliteConn
	r recorder
}

func (c recordedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	c.r.note(text, args)
	return c.sqliteConn.ExecContext(ctx, text, args)
}

func (c recordedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	c.r.note(text, args)
	return c.sqliteConn.QueryContext(ctx, text, args)
}

func (c recordedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	c.r.note(text, nil)
	return c.sqliteConn.PrepareContext(ctx, text)
}

// record opens a store whose statements are noted from now on.
func record(tb testing.TB) (*Store, map[string][]any) {
	tb.Helper()
	s := open(tb)
	all := map[string][]any{}
	var mu sync.Mutex
	over := func(extra string, most int) *sql.DB {
		db := sql.OpenDB(recorder{dsn(s.path, "rw", extra), &mu, all})
		db.SetMaxOpenConns(most)
		tb.Cleanup(func() { db.Close() })
		return db
	}
	w, r := s.w, s.r
	s.w, s.r = over("_txlock=immediate", 1), over("_pragma=query_only(1)", 4)
	tb.Cleanup(func() { s.w, s.r = w, r }) // before the store is closed
	return s, all
}

// fullScans lists the steps of a statement's plan that read a whole table: in plain order, by a whole index, or to
// build an index for this one run. Tables of table-valued functions and of subqueries do not count; the steps inside a
// subquery count by themselves.
func fullScans(tb testing.TB, db *sql.DB, text string, args ...any) (bad []string) {
	tb.Helper()
	steps, err := query(tb.Context(), db, func(row scanner) (detail string, err error) {
		var id, parent, unused int
		err = row.Scan(&id, &parent, &unused, &detail)
		return detail, err
	}, "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	made := map[string]bool{"CONSTANT": true}
	for _, step := range steps {
		if words := strings.Fields(step); words[0] == "MATERIALIZE" || words[0] == "CO-ROUTINE" {
			made[words[1]] = true
		}
	}
	for _, step := range steps {
		words := strings.Fields(step)
		whole := words[0] == "SCAN" && !made[words[1]] && !strings.Contains(step, "VIRTUAL TABLE")
		if whole || strings.Contains(step, "AUTOMATIC") {
			bad = append(bad, step)
		}
	}
	return bad
}

// TestIngestScansNoTable has SQLite explain every statement that the ingest of a session with everything in it runs,
// and what a browser is told after it: none may read a whole table, since each would take longer with every session
// stored.
func TestIngestScansNoTable(t *testing.T) {
	s, all := record(t)
	ingestEverything(t, s)
	plain, err := sql.Open("sqlite", dsn(s.path, "rw", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for _, table := range []string{"contents", "events", "marks", "pages", "sessions", "topics", "visits", "withheld", "discarded"} {
		written := func(text string) bool { return strings.Contains(text, "INTO "+table+" (") }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), written) {
			t.Errorf("no statement wrote to %s: the session lacks something", table)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(text, "PRAGMA ") {
			continue
		}
		for _, step := range fullScans(t, plain, text, all[text]...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}

// ingestEverything ingests sessions with events of every type, in and out of order, repeated, refused and withheld.
func ingestEverything(t *testing.T, s *Store) {
	t.Helper()
	never := settings.Default()
	never.NeverRecord = []string{"bank.test"}
	if err := s.SaveSettings(t.Context(), never); err != nil {
		t.Fatal(err)
	}
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
			in, err := ingest(t, s, e)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range in.Refused {
				codes[r.Code] = true
			}
		}
		if _, err := s.NewestSession(t.Context(), m.Client); err != nil {
			t.Fatal(err)
		}
	}
	for _, code := range []protocol.Code{protocol.PasswordPage, protocol.NeverRecord, protocol.SessionEnded, protocol.OtherSession, protocol.BadField} {
		if !codes[code] {
			t.Errorf("nothing was refused as %s: the session lacks something", code)
		}
	}
	for client, want := range map[string]string{m.Client: Submitted, other.Client: Discarded} {
		if session, err := s.NewestSession(t.Context(), client); err != nil || session.Status != want {
			t.Errorf("%+v, %v; want a session that is %s", session, err, want)
		}
	}
}

// A plan that reads a whole table is seen as one.
func TestFullScansAreSeen(t *testing.T) {
	s := open(t)
	for text, want := range map[string]int{
		"SELECT body FROM events WHERE type = ?":                                   1,
		"SELECT count(*) FROM pages":                                               1,
		"DELETE FROM visits WHERE title = ?":                                       1,
		"SELECT 1 FROM visits v JOIN starts s ON s.url = v.title WHERE v.load = ?": 1,
		"SELECT body FROM events WHERE id = ?":                                     0,
		"SELECT n.id FROM (SELECT id FROM events WHERE session_id = ? LIMIT 3) n":  0,
		"INSERT INTO pages (url) SELECT value FROM json_each(?) WHERE value > ''":  0,
	} {
		args := []any{"x"}[:strings.Count(text, "?")]
		if got := fullScans(t, s.r, text, args...); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

// BenchmarkIngest measures the ingest of one event, a third of them snapshots of 30 kB, in a database that holds none
// and in one that holds 100,000.
func BenchmarkIngest(b *testing.B) {
	for _, stored := range []int{0, 100_000} {
		b.Run(fmt.Sprintf("stored=%d", stored), func(b *testing.B) {
			s, err := Open(b.Context(), filepath.Join(b.TempDir(), "nightjar.db"))
			if err != nil {
				b.Fatal(err)
			}
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
func storeEvents(b *testing.B, s *Store, n int) {
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
		if _, err := s.w.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
}
