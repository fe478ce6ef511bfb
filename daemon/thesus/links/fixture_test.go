package links_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
	"nightjar/model/wordnet"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// visit ingests a session with pages: HTML by address.
func visit(t *testing.T, s *store.Store, seed uint64, pages map[string]string) {
	t.Helper()
	m := sessiontest.NewMaker(seed, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start("Music")}
	for url, html := range pages {
		v := m.Visit(url, "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte(html)))
	}
	admitted, refused := session.AdmitAll(events)
	in, err := sessions.Ingest(t.Context(), s, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v, %v, %v", err, refused, in.Refused)
	}
}

// readAll reads what waits, and returns the number of pages.
func readAll(t *testing.T, x *links.Indexer) (pages int) {
	t.Helper()
	for {
		n, err := x.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return pages
		}
		pages += n
	}
}

// said lists the words of all links as "src dst: word n, word n", sorted, with short addresses.
func said(t *testing.T, s *store.Store) []string {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(s.Path())+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT s.url, d.url, coalesce((SELECT group_concat(word || ' ' || n, ', ') FROM (SELECT word.word, w.n FROM link_word w
		JOIN word ON word.id = w.word WHERE w.link = l.id ORDER BY 1)), '') FROM link l JOIN link_page s ON s.id = l.src JOIN link_page d ON d.id = l.dst`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var src, dst, words string
		if err := rows.Scan(&src, &dst, &words); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.ReplaceAll(src+" "+dst+": "+words, "http://", ""))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func want(t *testing.T, s *store.Store, what string, lines ...string) {
	t.Helper()
	if got := said(t, s); !slices.Equal(got, lines) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

// logged returns a log that writes to a buffer.
func logged() (*slog.Logger, *bytes.Buffer) {
	var out bytes.Buffer
	return slog.New(slog.NewTextHandler(&out, nil)), &out
}

// library is a WordNet that a test adds and removes.
type library struct {
	net   *wordnet.Net
	print string
}

func (l *library) Net() *wordnet.Net   { return l.net }
func (l *library) Fingerprint() string { return l.print }

// tiny reads the small WordNet of the tests.
func tiny(t *testing.T) *wordnet.Net {
	t.Helper()
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open(filepath.Join("..", "..", "..", "model", "wordnet", "testdata", "tiny", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[name] = io.Reader(f)
	}
	net, err := wordnet.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func write(t *testing.T, file, text string, at int) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	when := time.Date(2026, 11, 20, 9, at, 0, 0, time.UTC)
	if err := os.Chtimes(file, when, when); err != nil {
		t.Fatal(fmt.Errorf("set the time of a file: %w", err))
	}
}
