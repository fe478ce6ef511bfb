package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/browse/protocol"
)

// verifyAll checks all rows, few at a time.
func verifyAll(tb testing.TB, s *Store) {
	tb.Helper()
	var at Verified
	for done := false; !done; {
		var err error
		if at, done, err = s.VerifySome(tb.Context(), at, 7); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestUnsoundRows changes bytes of texts and contents in the file, of which SQLite's own check sees nothing. Each such row is
// found and named, kept, and left out of training; a sound database has none.
func TestUnsoundRows(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	m := maker(3)
	html := bytes.Repeat([]byte("<p>a stone and a broom on the ice, "), 20)
	start, v, w := m.Start("Hockey"), m.Visit("http://ice.test/one", "Canary title", protocol.HowTyped, ""), m.Visit("http://ice.test/two", "Two", protocol.HowTyped, "")
	events := []protocol.Event{start, v, w, m.Snapshot(v.Page, html), m.Snapshot(w.Page, append(html, '!')), m.Of(protocol.Useful, v.Page, ""), m.Of(protocol.Useful, w.Page, "")}
	for _, e := range events {
		mustIngest(t, s, e)
	}
	bundle := append([]byte("a model that is whole"), make([]byte, sha256.Size)...)
	sum := sha256.Sum256(bundle[:len(bundle)-sha256.Size])
	copy(bundle[len(bundle)-sha256.Size:], sum[:])
	must(s.Writer.Exec("UPDATE models SET bundle = ?", bundle))(t)
	must(s.Writer.Exec("UPDATE sessions SET status = 'submitted'"))(t)
	if _, err := s.Writer.Exec(`UPDATE events SET sum = NULL WHERE type = 'visit'`); err != nil { // of before there were sums
		t.Fatal(err)
	}
	verifyAll(t, s)
	if rows, n, err := s.Unsound(ctx, 10); n != 0 || err != nil {
		t.Fatalf("a sound database: %+v, %d, %v", rows, n, err)
	}
	var missing int
	if err := s.Readers.QueryRow("SELECT count(*) FROM events WHERE sum IS NULL").Scan(&missing); err != nil || missing != 0 {
		t.Fatalf("%d events have no sum, %v", missing, err)
	}
	before, err := s.TopicEvents(ctx, c.TopicID)
	if err != nil || len(before) != len(events) {
		t.Fatalf("%d events of the topic, %v", len(before), err)
	}
	var packed []byte
	ok(t, s.Readers.QueryRow("SELECT gzip FROM contents JOIN events ON content_hash = hash WHERE page = ?", w.Page).Scan(&packed))
	s = changed(t, s, []byte("Canary title"), []byte("Canarz title"))
	s = changed(t, s, packed[len(packed)/2:], append([]byte{packed[len(packed)/2] ^ 1}, packed[len(packed)/2+1:]...))
	s = changed(t, s, []byte("a model that is whole"), []byte("a model that is hhole"))
	if faults, err := s.QuickCheck(ctx); len(faults) > 0 || err != nil {
		t.Fatalf("SQLite finds %q, %v", faults, err)
	}
	verifyAll(t, s)
	verifyAll(t, s) // again: nothing is told twice
	rows, n, err := s.Unsound(ctx, 10)
	if n != 3 || err != nil {
		t.Fatalf("%+v, %d, %v", rows, n, err)
	}
	for _, r := range rows {
		want := map[string]UnsoundRow{"event": {What: "visit", Topic: "Hockey", URL: v.URL}, "content": {URL: w.URL}, "model": {What: "version 1", Topic: "Hockey"}}[r.Kind]
		if r.What != want.What || r.Topic != want.Topic || r.URL != want.URL {
			t.Errorf("%+v, want %+v", r, want)
		}
	}
	after, err := s.TopicEvents(ctx, c.TopicID)
	if err != nil || len(after) != len(events)-2 {
		t.Errorf("%d events to learn from, %v; want %d", len(after), err, len(events)-2)
	}
	var kept int
	if err := s.Readers.QueryRow("SELECT count(*) FROM events").Scan(&kept); err != nil || kept != len(events) {
		t.Errorf("%d events are kept, %v", kept, err)
	}
	// A row that is written again is sound.
	must(s.Writer.Exec("UPDATE events SET body = ? WHERE id = ?", `{"again":1}`, v.ID))(t)
	verifyAll(t, s)
	if _, n, err := s.Unsound(ctx, 10); n != 2 || err != nil {
		t.Errorf("%d rows, %v, after one was written again", n, err)
	}
}

// changed closes a database, replaces bytes of its file, and opens it again.
func changed(tb testing.TB, s *Store, from, to []byte) *Store {
	tb.Helper()
	ok(tb, s.Close())
	text := mustRead(tb, s.Path())
	if !bytes.Contains(text, from) {
		tb.Fatalf("the file does not have %q", from)
	}
	err := os.WriteFile(s.Path(), bytes.ReplaceAll(text, from, to), 0o600)
	again, oerr := Open(tb.Context(), filepath.Clean(s.Path()))
	ok(tb, errors.Join(err, oerr))
	tb.Cleanup(func() { again.Close() })
	return again
}

// BenchmarkEventSum measures what the sum adds to the storing of an event.
func BenchmarkEventSum(b *testing.B) {
	body := string(bytes.Repeat([]byte("x"), 400))
	for b.Loop() {
		eventSum("0190f6c4-0000-7000-8000-000000000000", 1, "visit", "0190f6c4-0000-7000-8000-000000000001", body, nil, "")
	}
}
