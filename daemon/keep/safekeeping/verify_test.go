package safekeeping_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// verifyAll checks all rows, few at a time.
func verifyAll(tb testing.TB, s *store.Store) {
	tb.Helper()
	var at safekeeping.Verified
	for done := false; !done; {
		var err error
		if at, done, err = safekeeping.VerifySome(tb.Context(), s.DB, wings.Verifiers, at, 7); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestUnsoundRows changes bytes of texts and contents in the file, of which SQLite's own check sees nothing. Each such row is
// found and named, kept, and left out of training; a sound database has none.
func TestUnsoundRows(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	m := sessiontest.NewMaker(3, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	html := bytes.Repeat([]byte("<p>a stone and a broom on the ice, "), 20)
	start, v, w := m.Start("Hockey"), m.Visit("http://ice.test/one", "Canary title", protocol.HowTyped, ""), m.Visit("http://ice.test/two", "Two", protocol.HowTyped, "")
	events := []protocol.Event{start, v, w, m.Snapshot(v.Page, html), m.Snapshot(w.Page, append(html, '!')), m.Of(protocol.Useful, v.Page, ""), m.Of(protocol.Useful, w.Page, "")}
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(ctx, s, admitted); err != nil || len(refused) > 0 || len(in.Acked) != len(events) {
		t.Fatal(in, refused, err)
	}
	bundle := append([]byte("a model that is whole"), make([]byte, sha256.Size)...)
	sum := sha256.Sum256(bundle[:len(bundle)-sha256.Size])
	copy(bundle[len(bundle)-sha256.Size:], sum[:])
	storetest.Must(s.Writer.Exec("UPDATE models SET bundle = ?", bundle))(t)
	storetest.Must(s.Writer.Exec("UPDATE sessions SET status = 'submitted'"))(t)
	if _, err := s.Writer.Exec(`UPDATE events SET sum = NULL WHERE type = 'visit'`); err != nil { // of before there were sums
		t.Fatal(err)
	}
	verifyAll(t, s)
	if rows, n, err := safekeeping.Unsound(ctx, s.DB, 10); n != 0 || err != nil {
		t.Fatalf("a sound database: %+v, %d, %v", rows, n, err)
	}
	var missing int
	if err := s.Readers.QueryRow("SELECT count(*) FROM events WHERE sum IS NULL").Scan(&missing); err != nil || missing != 0 {
		t.Fatalf("%d events have no sum, %v", missing, err)
	}
	before, err := sessions.TopicEvents(ctx, s.DB, c.TopicID)
	if err != nil || len(before) != len(events) {
		t.Fatalf("%d events of the topic, %v", len(before), err)
	}
	var packed []byte
	storetest.OK(t, s.Readers.QueryRow("SELECT gzip FROM contents JOIN events ON content_hash = hash WHERE page = ?", w.Page).Scan(&packed))
	s = changed(t, s, []byte("Canary title"), []byte("Canarz title"))
	s = changed(t, s, packed[len(packed)/2:], append([]byte{packed[len(packed)/2] ^ 1}, packed[len(packed)/2+1:]...))
	s = changed(t, s, []byte("a model that is whole"), []byte("a model that is hhole"))
	if faults, err := s.QuickCheck(ctx); len(faults) > 0 || err != nil {
		t.Fatalf("SQLite finds %q, %v", faults, err)
	}
	verifyAll(t, s)
	verifyAll(t, s) // again: nothing is told twice
	rows, n, err := safekeeping.Unsound(ctx, s.DB, 10)
	if n != 3 || err != nil {
		t.Fatalf("%+v, %d, %v", rows, n, err)
	}
	for _, r := range rows {
		want := map[string]safekeeping.UnsoundRow{"event": {What: "visit", Topic: "Hockey", URL: v.URL}, "content": {URL: w.URL}, "model": {What: "version 1", Topic: "Hockey"}}[r.Kind]
		if r.What != want.What || r.Topic != want.Topic || r.URL != want.URL {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	after, err := sessions.TopicEvents(ctx, s.DB, c.TopicID)
	if err != nil || len(after) != len(events)-2 {
		t.Errorf("%d events to learn from, %v; want %d", len(after), err, len(events)-2)
	}
	var kept int
	if err := s.Readers.QueryRow("SELECT count(*) FROM events").Scan(&kept); err != nil || kept != len(events) {
		t.Errorf("%d events are kept, %v", kept, err)
	}
	// A row that is written again is sound.
	storetest.Must(s.Writer.Exec("UPDATE events SET body = ? WHERE id = ?", `{"again":1}`, v.ID))(t)
	verifyAll(t, s)
	if _, n, err := safekeeping.Unsound(ctx, s.DB, 10); n != 2 || err != nil {
		t.Errorf("%d rows, %v, after one was written again", n, err)
	}
}

// changed opens a copy of a database, in whose file bytes were replaced.
func changed(tb testing.TB, s *store.Store, from, to []byte) *store.Store {
	tb.Helper()
	storetest.OK(tb, s.Checkpoint(tb.Context()))
	text := storetest.Must(os.ReadFile(s.Path()))(tb)
	if !bytes.Contains(text, from) {
		tb.Fatalf("the file does not have %q", from)
	}
	path := filepath.Join(tb.TempDir(), "nightjar.db")
	storetest.OK(tb, os.WriteFile(path, bytes.ReplaceAll(text, from, to), 0o600))
	again := storetest.Must(store.Open(tb.Context(), path))(tb)
	tb.Cleanup(func() { again.Close() })
	return again
}
