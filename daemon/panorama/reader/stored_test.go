package reader

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// pdfVisit returns the load of a PDF.
func pdfVisit(m *sessiontest.Maker, url, title string) protocol.Event {
	e := m.Visit(url, title, protocol.HowTyped, "")
	e.Media = protocol.MediaPDF
	return e
}

// due lists the addresses of the PDFs to read.
func due(t *testing.T, s *store.Store, every bool) (urls []string) {
	t.Helper()
	all, _, err := Readings(t.Context(), s.DB, every, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		urls = append(urls, r.URL)
	}
	return urls
}

func TestReadingsAreOfMarkedPDFs(t *testing.T) {
	s := storetest.Open(t)
	m := sessiontest.New(1)
	s.Now = func() time.Time { return m.Now }
	start := m.Start("Hockey")
	marked, plain := pdfVisit(m, "http://ice.test/a.pdf", "A"), pdfVisit(m, "http://ice.test/b.pdf", "")
	text := m.Visit("http://ice.test/c.txt", "", protocol.HowTyped, "")
	text.Media = protocol.MediaText
	again := pdfVisit(m, "http://ice.test/a.pdf", "A again")
	sessionstest.Ingest(t, s, start, marked, plain, text, again, m.Of(protocol.Useful, marked.Page, ""), m.Of(protocol.Useful, text.Page, ""))
	if got := due(t, s, false); !slices.Equal(got, []string{"http://ice.test/a.pdf"}) {
		t.Errorf("due %v, want the marked PDF", got)
	}
	if got := due(t, s, true); len(got) != 2 || got[0] != "http://ice.test/a.pdf" {
		t.Errorf("due %v, want both, the marked one first", got)
	}
	sessionstest.Ingest(t, s, m.Of(protocol.NotUseful, marked.Page, ""))
	if got := due(t, s, false); got != nil {
		t.Errorf("due %v after the mark was removed", got)
	}
	storetest.Must(s.Writer.Exec("UPDATE sessions SET status = 'submitted', ended_at = ?", m.Now.Add(-8*24*time.Hour).UnixMilli()))(t)
	if got := due(t, s, true); got != nil {
		t.Errorf("due %v of a session that ended long ago", got)
	}
}

// A text that was read is a snapshot of the session like any other: in its files, in those made of them, and after it ended.
func TestReadingIsASnapshot(t *testing.T) {
	s := storetest.Open(t)
	m := sessiontest.New(1)
	s.Now = func() time.Time { return m.Now }
	start := m.Start("Hockey")
	v := pdfVisit(m, "http://ice.test/a.pdf", "a.pdf")
	events := []protocol.Event{start, v, m.Of(protocol.Useful, v.Page, "")}
	for _, path := range []string{"b", "c", "d"} {
		other := m.Visit("http://ice.test/"+path, path, protocol.HowTyped, "")
		events = append(events, other, m.Snapshot(other.Page, []byte("<p>goalkeepers stop pucks of "+path+"</p>")))
	}
	sessionstest.Ingest(t, s, append(events, m.Event(protocol.Submit))...)
	all, _, err := Readings(t.Context(), s.DB, false, 10)
	if err != nil || len(all) != 1 || !all[0].Ended {
		t.Fatalf("%+v, %v", all, err)
	}
	if n, err := PendingReadings(t.Context(), s.DB, all[0].Topic, m.Now); err != nil || n != 1 {
		t.Errorf("%d pending, %v", n, err)
	}
	html := []byte("<title>Rules of the ice</title><main><p>Icing is called when the puck crosses both lines.</p></main>")
	storetest.OK(t, PutReading(t.Context(), s, all[0], html, false))
	if got := due(t, s, true); got != nil {
		t.Errorf("still due: %v", got)
	}
	if pdfs, err := PDFs(t.Context(), s.DB, all[0].Session, false); err != nil || !pdfs[v.URL].Read || !pdfs[v.URL].Wanted {
		t.Errorf("%+v, %v", pdfs, err)
	}
	exported := storetest.Must(sessions.Events(t.Context(), s.DB, all[0].Session))(t)
	var file bytes.Buffer
	storetest.OK(t, session.Write(&file, exported))
	events = storetest.Must(session.Read(&file))(t)
	to := storetest.Open(t)
	sessionstest.Ingest(t, to, events...)
	var title string
	if err := to.Readers.QueryRow("SELECT title FROM pages WHERE url = ? AND content_hash IS NOT NULL", v.URL).Scan(&title); err != nil || title != "Rules of the ice" {
		t.Errorf("after an import the page is %q, %v", title, err)
	}
	if all, _, err := Readings(t.Context(), to.DB, true, 10); err != nil || len(all) != 0 {
		t.Errorf("an import asks for the text again: %+v, %v", all, err)
	}
}

func TestFailedReadings(t *testing.T) {
	s := storetest.Open(t)
	m := sessiontest.New(1)
	start, now := m.Start("Hockey"), m.Now
	s.Now = func() time.Time { return now }
	v := pdfVisit(m, "http://ice.test/a.pdf", "")
	sessionstest.Ingest(t, s, start, v, m.Of(protocol.Useful, v.Page, ""))
	one := func() Reading {
		t.Helper()
		all, _, err := Readings(t.Context(), s.DB, false, 10)
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	later := now.Add(time.Minute).Truncate(time.Millisecond)
	storetest.OK(t, FailReading(t.Context(), s.DB, one(), "the server did not answer", later, true))
	if all, next, err := Readings(t.Context(), s.DB, false, 10); err != nil || len(all) != 0 || !next.Equal(later) {
		t.Errorf("%+v at %s, %v", all, next, err)
	}
	now = later
	r := one()
	if pdfs, err := PDFs(t.Context(), s.DB, r.Session, false); err != nil || pdfs[v.URL].Reason != "the server did not answer" || r.Tries != 1 {
		t.Errorf("%+v, %d tries, %v", pdfs, r.Tries, err)
	}
	storetest.OK(t, FailReading(t.Context(), s.DB, r, "the server wants a login", time.Time{}, true))
	now = now.Add(1000 * time.Hour)
	if got := due(t, s, false); got != nil {
		t.Errorf("due %v after it was given up", got)
	}
	if err := ForgetReadings(t.Context(), s.DB); err != nil || due(t, s, false) != nil {
		t.Errorf("forgotten although it is marked, %v", err)
	}
	sessionstest.Ingest(t, s, m.Of(protocol.NotUseful, v.Page, ""))
	storetest.OK(t, ForgetReadings(t.Context(), s.DB))
	sessionstest.Ingest(t, s, m.Of(protocol.Useful, v.Page, ""))
	if r := one(); r.Tries != 0 {
		t.Errorf("a new mark starts with %d tries", r.Tries)
	}
}

// A text that comes after its page was deleted is not stored.
func TestReadingOfDeletedPage(t *testing.T) {
	s := storetest.Open(t)
	m := sessiontest.New(1)
	s.Now = func() time.Time { return m.Now }
	start := m.Start("Hockey")
	v := pdfVisit(m, "http://ice.test/a.pdf", "")
	sessionstest.Ingest(t, s, start, v, m.Of(protocol.Useful, v.Page, ""))
	all, _, err := Readings(t.Context(), s.DB, false, 10)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	storetest.Must(sessions.DeleteVisits(t.Context(), s.DB, m.Session, []string{v.Page}))(t)
	if err := PutReading(t.Context(), s, all[0], []byte("<p>canary"), false); !errors.Is(err, ErrWithheld) {
		t.Errorf("%v, want ErrWithheld", err)
	}
	storetest.OK(t, FailReading(t.Context(), s.DB, all[0], "canary", m.Now, true))
	for _, table := range []string{"readings", "contents"} {
		var n int
		if err := s.Readers.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d rows in %s, %v", n, table, err)
		}
	}
}
