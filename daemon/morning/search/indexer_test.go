package search_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// visit ingests a session of a topic with pages: title and text by address.
func visit(t *testing.T, s *store.Store, seed uint64, topic string, pages map[string][2]string) (uuid string) {
	t.Helper()
	m := sessiontest.NewMaker(seed, time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start(topic)}
	for url, p := range pages {
		v := m.Visit(url, p[0], protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<title>%s</title><h1>%s</h1><p>%s</p>", p[0], p[0], p[1])))
	}
	admitted, refused := session.AdmitAll(events)
	in, err := sessions.Ingest(t.Context(), s, admitted)
	if err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatalf("ingest: %v, %v, %v", err, refused, in.Refused)
	}
	return m.Session
}

// indexAll indexes what waits.
func indexAll(t *testing.T, s *store.Store) {
	t.Helper()
	x := search.NewIndexer(s, slog.New(slog.DiscardHandler))
	for {
		n, err := x.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

// addresses returns the addresses that a query finds, sorted.
func addresses(t *testing.T, s *store.Store, f search.Filter) []string {
	t.Helper()
	hits, total, err := search.Search(t.Context(), s, f)
	if err != nil || total < len(hits) {
		t.Fatalf("%+v: %d of %d, %v", f, len(hits), total, err)
	}
	var all []string
	for _, h := range hits {
		all = append(all, h.URL)
	}
	slices.Sort(all)
	return all
}

const (
	tides = "http://tides.test/severn"
	ice   = "http://ice.test/rink"
)

var twoPages = map[string][2]string{
	tides: {"The Severn barrage", "A barrage uses the tidal range of the estuary. zq7canary"},
	ice:   {"Ice rink", "Skaters meet on ice in the estuary town."},
}

func TestIndexedPagesAreFound(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Tidal power", twoPages)
	if got := addresses(t, s, search.Filter{Text: "estuary"}); len(got) != 0 {
		t.Errorf("found before it was indexed: %q", got)
	}
	indexAll(t, s)
	for query, want := range map[string][]string{
		"estuary": {ice, tides}, "BARRAGES": {tides}, `"tidal range"`: {tides}, `"range tidal"`: nil, "estuary -ice": {tides}, "severn": {tides}, "rink": {ice}, "absent": nil,
	} {
		if got := addresses(t, s, search.Filter{Text: query}); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	hits, _, err := search.Search(t.Context(), s, search.Filter{Text: "tidal"})
	if err != nil || len(hits) != 1 {
		t.Fatalf("%v, %v", hits, err)
	}
	h := hits[0]
	want := search.SnippetPart{Text: "tidal", Hit: true}
	if h.Kind != search.Visited || h.Topic != "Tidal power" || h.Title != "The Severn barrage" || h.Site != "tides.test" || h.At.Year() != 2026 || !slices.Contains(h.Snippet, want) {
		t.Errorf("%+v", h)
	}
}

// Without words, the pages that fit the rest are found, the last visited first.
func TestNewestFirst(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Tides", twoPages)
	indexAll(t, s)
	hits, total, err := search.Hits(t.Context(), s.DB, search.Filter{Kind: search.Visited})
	if err != nil || total != 2 || !hits[0].At.After(hits[1].At) {
		t.Errorf("%+v, %d, %v", hits, total, err)
	}
}

// TestIndexIsRenewed: what was indexed by older rules is indexed anew, after what is new.
func TestIndexIsRenewed(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Tides", twoPages)
	queue, err := search.Queue(t.Context(), s.DB, 10)
	if err != nil {
		t.Fatal(err)
	}
	var old []search.Words
	for _, q := range queue {
		old = append(old, search.Words{Source: q, BodyWords: "older"})
	}
	if err := search.Put(t.Context(), s.DB, old); err != nil {
		t.Fatal(err)
	}
	x := search.NewIndexer(s, slog.New(slog.DiscardHandler))
	visit(t, s, 2, "New", map[string][2]string{"http://new.test/": {"New", "estuary"}})
	if n, err := x.Step(t.Context()); n != 1 || err != nil || waiting(t, s) < 2 {
		t.Fatalf("%d indexed, %d wait, %v; want the new one first", n, waiting(t, s), err)
	}
	if got := addresses(t, s, search.Filter{Text: "older"}); len(got) != 2 {
		t.Errorf("meanwhile the older words find %q", got)
	}
	indexAll(t, s)
	if got := addresses(t, s, search.Filter{Text: "estuary"}); len(got) != 3 || waiting(t, s) != 0 {
		t.Errorf("found %q, %d wait", got, waiting(t, s))
	}
	if n, err := x.Step(t.Context()); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
}

// A second visit with another text replaces the words of the first one.
func TestChangedPageIsIndexedAnew(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Tides", map[string][2]string{tides: {"Old", "first words"}})
	indexAll(t, s)
	visit(t, s, 2, "Tides", map[string][2]string{tides: {"New", "second words"}})
	if got := addresses(t, s, search.Filter{Text: "first"}); len(got) != 0 {
		t.Errorf("the old words still find %q", got)
	}
	indexAll(t, s)
	if got := addresses(t, s, search.Filter{Text: "second words new"}); !slices.Equal(got, []string{tides}) {
		t.Errorf("the new words find %q", got)
	}
}

// What is erased is not found from that moment on, and its words are not in the files.
func TestErasedPagesAreGone(t *testing.T) {
	for name, erase := range map[string]func(s *store.Store, uuid string) error{
		"session": func(s *store.Store, uuid string) error {
			one, err := sessions.ByUUID(t.Context(), s.DB, uuid)
			if err != nil {
				return err
			}
			_, err = sessions.Delete(t.Context(), s.DB, one.ID)
			return err
		},
		"site": func(s *store.Store, _ string) error {
			_, err := erasing.Host(t.Context(), s, wings.Erasing, "tides.test")
			return err
		},
		"everything": func(s *store.Store, _ string) error { return erasing.All(t.Context(), s) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			uuid := visit(t, s, 1, "Tides", twoPages)
			visit(t, s, 2, "Other", map[string][2]string{"http://stays.test/": {"Stays", "estuary of another session"}})
			indexAll(t, s)
			if !inFiles(t, s, "7canary") {
				t.Fatal("the word is not in the files, so the test proves nothing")
			}
			if err := erase(s, uuid); err != nil {
				t.Fatal(err)
			}
			if got := addresses(t, s, search.Filter{Text: "zq7canary"}); len(got) != 0 {
				t.Errorf("still found: %q", got)
			}
			for _, word := range []string{"7canary", "tides.test", "barrag"} {
				if inFiles(t, s, word) {
					t.Errorf("%q is still in the files", word)
				}
			}
			indexAll(t, s)
			want := []string{"http://stays.test/"}
			switch name {
			case "site":
				want = []string{ice, "http://stays.test/"}
			case "everything":
				want = nil
			}
			if got := addresses(t, s, search.Filter{Text: "estuary"}); !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
			visit(t, s, 3, "Again", map[string][2]string{"http://new.test/": {"New", "fresh start"}})
			indexAll(t, s)
			if got := addresses(t, s, search.Filter{Text: "fresh"}); len(got) != 1 {
				t.Errorf("a page after the erasure: found %q", got)
			}
		})
	}
}

// inFiles reports whether the files of a database contain a word.
func inFiles(t *testing.T, s *store.Store, word string) bool {
	t.Helper()
	files, err := filepath.Glob(s.Path() + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(word)) {
			return true
		}
	}
	return false
}

// A page that is erased while its words are being read is not stored.
func TestErasedWhileIndexed(t *testing.T) {
	s := open(t)
	visit(t, s, 1, "Tides", twoPages)
	queue, err := search.Queue(t.Context(), s.DB, 10)
	if err != nil || len(queue) != 2 {
		t.Fatalf("%v, %v", queue, err)
	}
	if _, err := erasing.Host(t.Context(), s, wings.Erasing, "tides.test"); err != nil {
		t.Fatal(err)
	}
	var all []search.Words
	for _, q := range queue {
		all = append(all, search.Words{Source: q, BodyWords: words.Join("estuary")})
	}
	if err := search.Put(t.Context(), s.DB, all); err != nil {
		t.Fatal(err)
	}
	if got := addresses(t, s, search.Filter{Text: "estuary"}); !slices.Equal(got, []string{ice}) {
		t.Errorf("found %q", got)
	}
}

func TestLike(t *testing.T) {
	s := open(t)
	pages := map[string][2]string{}
	for i := range 20 {
		pages[fmt.Sprintf("http://noise.test/%d", i)] = [2]string{"Noise", fmt.Sprintf("many pages about weather and news number%d", i)}
	}
	pages["http://a.test/"] = [2]string{"Tidal barrages", "barrage turbines in the estuary, weather and news"}
	pages["http://b.test/"] = [2]string{"Turbines", "a barrage has turbines; weather"}
	visit(t, s, 1, "Tides", pages)
	indexAll(t, s)
	hits, telling, err := search.Like(t.Context(), s, "http://a.test/", 5)
	if err != nil || len(hits) == 0 || hits[0].URL != "http://b.test/" {
		t.Fatalf("%+v, %v", hits, err)
	}
	for _, h := range hits {
		if h.URL == "http://a.test/" {
			t.Error("the page itself is among those like it")
		}
	}
	if joined := strings.Join(telling, " "); !strings.Contains(joined, "turbines") || !strings.Contains(joined, "barrage") {
		t.Errorf("telling words %q", telling)
	}
	if _, _, err := search.Like(t.Context(), s, "http://unknown.test/", 5); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown page: %v", err)
	}
}

// TestKills kills an indexer again and again. At last, everything is indexed, as by one that was never killed.
func TestKills(t *testing.T) {
	effort.Long(t)
	if path := os.Getenv("NIGHTJAR_TEST_INDEX"); path != "" {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Fatal(search.NewIndexer(s, slog.New(slog.DiscardHandler)).Run(t.Context())) // never returns: it is killed
	}
	path := storetest.Path(t)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string][2]string{}
	for i := range 400 {
		pages[fmt.Sprintf("http://many.test/%d", i)] = [2]string{fmt.Sprintf("Page %d", i), fmt.Sprintf("common words and number%d %s", i, strings.Repeat("filler text ", 50))}
	}
	visit(t, s, 1, "Many", pages)
	before := waiting(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	partly := false
	for k := range 8 {
		child := exec.Command(os.Args[0], "-test.run=^TestKills$")
		child.Env = append(os.Environ(), "NIGHTJAR_TEST_INDEX="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(40+k*35) * time.Millisecond) // somewhere between its start and its end
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // it was killed
		look, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if n := waiting(t, look); n > 0 && n < before {
			partly = true
		}
		if err := errors.Join(look.Check(t.Context()), look.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = store.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Logf("killed in the middle: %v", partly)
	indexAll(t, s)
	if got := addresses(t, s, search.Filter{Text: "common", Limit: 1000}); len(got) != len(pages) {
		t.Errorf("%d pages found, want %d", len(got), len(pages))
	}
	for i := range 400 {
		if got := addresses(t, s, search.Filter{Text: fmt.Sprintf("number%d", i)}); len(got) != 1 {
			t.Errorf("page %d: found %q", i, got)
		}
	}
}

func waiting(t *testing.T, s *store.Store) int {
	t.Helper()
	n, err := search.Waiting(t.Context(), s.DB, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// FuzzQuery: every text is a query, with every filter.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{`"`, `a AND`, `NEAR(a b)`, `-`, `title : x`, `日本語 🦀`, `{a} ^b*`, "\x00\xff", `"a" "b`, `a OR NOT "`, "ﬁ\u0301"} {
		f.Add(q, q)
	}
	s, err := store.Open(f.Context(), storetest.Path(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, q, site string) {
		for _, filter := range []search.Filter{{Text: q}, {Text: q, Site: site, Kind: q, Topic: 1, Since: time.Unix(0, 0)}, {Site: site}, {Text: q, After: 1 << 40}} {
			if _, _, err := search.Search(t.Context(), s, filter); err != nil {
				t.Fatalf("%+v: %v", filter, err)
			}
		}
		search.Snippet(site, search.Terms(q))
	})
}
