package store

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
)

func mustDocument(t *testing.T, s *Store, key, source string) Document {
	t.Helper()
	d := must(s.AddDocument(t.Context(), Document{Key: key, Title: "Title " + key, Source: source}, nil, ReadDocument{}))(t)
	return d
}

func TestDocuments(t *testing.T) {
	s := open(t)
	s.Now = func() time.Time { return time.UnixMilli(5000) }
	a, b := mustDocument(t, s, "a", "a.pdf"), mustDocument(t, s, "b", "b.pdf")
	s.Now = func() time.Time { return time.UnixMilli(9000) }
	again, err := s.AddDocument(t.Context(), Document{Key: "a", Title: "New", Source: "c.pdf"}, nil, ReadDocument{})
	if want := (Document{a.ID, "a", "New", "c.pdf", time.UnixMilli(5000).UTC(), 0}); err != nil || again != want {
		t.Errorf("%+v, %v; want %+v", again, err, want)
	}
	if all, err := s.Documents(t.Context()); err != nil || !reflect.DeepEqual(all, []Document{b, again}) {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestPositives(t *testing.T) {
	s := open(t)
	d := mustDocument(t, s, "a", "a.pdf")
	pages := []Positive{
		{URL: "http://z.test/", Title: "Z", Snippet: "zz", Reasons: []PositiveReason{{"Ice", "phrase", 1}, {"Snow", "words", 2}}},
		{URL: "http://a.test/", Reasons: []PositiveReason{{"Ice", "near", 2}}},
	}
	for range 2 { // stored again, it stays left out
		ok(t, s.PutPositives(t.Context(), d.ID, pages))
		ok(t, s.LeaveOut(t.Context(), d.ID, "http://a.test/", true))
	}
	ok(t, s.PutPositives(t.Context(), d.ID, pages))
	pages[1].LeftOut = true
	if got, err := s.Positives(t.Context(), d.ID); err != nil || !reflect.DeepEqual(got, pages) {
		t.Errorf("%+v, %v; want %+v", got, err, pages)
	}
	if err := s.LeaveOut(t.Context(), d.ID, "http://none.test/", true); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("left out what is not there: %v", err)
	}
	if err := s.PutPositives(t.Context(), 99, pages); err == nil {
		t.Error("stored pages of a document that is not there")
	}
}

// mustBegin notes a query and expects to be told neither to wait nor an error.
func mustBegin(t *testing.T, s *Store, q TitleQuery) {
	t.Helper()
	if wait, err := s.BeginQuery(t.Context(), q, 0, 60); err != nil || wait != 0 {
		t.Fatalf("wait %v, %v", wait, err)
	}
}

func TestTitleQueries(t *testing.T) {
	s := open(t)
	now := time.UnixMilli(1e6)
	s.Now = func() time.Time { return now }
	d := mustDocument(t, s, "a", "a.pdf")
	q := TitleQuery{d.ID, "http://x.test/", "ice"}
	state := func(want string, hits ...FoundPage) {
		t.Helper()
		got, pages, err := s.QueryAnswer(t.Context(), q)
		if err != nil || got != want || len(pages)+len(hits) > 0 && !reflect.DeepEqual(pages, hits) {
			t.Errorf("%q %+v, %v; want %q %+v", got, pages, err, want, hits)
		}
	}
	state(QueryNew)
	mustBegin(t, s, q)
	state(QuerySent)
	if _, err := s.BeginQuery(t.Context(), q, 0, 60); !errors.Is(err, ErrQuerySent) {
		t.Errorf("sent twice: %v", err)
	}
	ok(t, s.EndQuery(t.Context(), q, nil, true))
	state(QueryRefused)
	mustBegin(t, s, q)
	hits := []FoundPage{{"http://b.test/", "B", "b"}, {"http://a.test/", "", ""}}
	ok(t, s.EndQuery(t.Context(), q, hits, false))
	state(QueryAnswered, hits...)
	if _, err := s.BeginQuery(t.Context(), q, 0, 60); !errors.Is(err, ErrQuerySent) {
		t.Errorf("asked again: %v", err)
	}
	if n, err := s.RequestsSent(t.Context(), d.ID); err != nil || n != 2 {
		t.Errorf("%d requests, %v", n, err)
	}
	other := TitleQuery{d.ID, q.Provider, "snow"}
	if _, err := s.BeginQuery(t.Context(), other, 0, 2); !errors.Is(err, ErrQueryLimit) {
		t.Errorf("over the limit: %v", err)
	}
	for at, want := range map[time.Duration]time.Duration{0: 2 * time.Second, time.Second: time.Second, -time.Hour: 2 * time.Second} {
		now = time.UnixMilli(1e6).Add(at)
		if wait, err := s.BeginQuery(t.Context(), other, 2*time.Second, 60); err != nil || wait != want {
			t.Errorf("%v later: wait %v, %v; want %v", at, wait, err, want)
		}
	}
	now = time.UnixMilli(1e6).Add(2 * time.Second)
	if wait, err := s.BeginQuery(t.Context(), other, 2*time.Second, 60); err != nil || wait != 0 {
		t.Errorf("after two seconds: wait %v, %v", wait, err)
	}
	mustBegin(t, s, TitleQuery{d.ID, "http://y.test/", "ice"}) // another instance has its own turn
}

// What is said of a host goes with the host, and what only a document asked for goes with the document.
func TestDocumentsAreErased(t *testing.T) {
	fill := func(t *testing.T) (*Store, Document, Document) {
		s := open(t)
		a, b := mustDocument(t, s, "a", "http://canary.test/paper"), mustDocument(t, s, "b", "b.pdf")
		for i, q := range []TitleQuery{{a.ID, "http://x.test/", "only of a"}, {b.ID, "http://x.test/", "of b"}, {b.ID, "http://s.canary.test/", "to it"}} {
			mustBegin(t, s, q)
			hits := []FoundPage{{fmt.Sprintf("http://canary.test/%d", i), "canary", ""}, {"http://ice.test/", "Ice", ""}}
			ok(t, s.EndQuery(t.Context(), q, hits, false))
		}
		for _, d := range []Document{a, b} {
			ok(t, s.PutPositives(t.Context(), d.ID, []Positive{{URL: "http://canary.test/0", Snippet: "canary"}, {URL: "http://ice.test/"}}))
		}
		return s, a, b
	}
	t.Run("host", func(t *testing.T) {
		s, _, b := fill(t)
		for _, want := range []int{7, 0} { // a document, two positive pages, three hits and a query; then nothing
			if plan, err := s.ErasePlan(t.Context(), "canary.test"); err != nil || plan.Found != want || plan.Empty() != (want == 0) {
				t.Errorf("%+v, %v; want %d", plan, err, want)
			}
			must(s.EraseHost(t.Context(), "canary.test"))(t)
		}
		grepFiles(t, s, "canary")
		if all, err := s.Documents(t.Context()); err != nil || len(all) != 1 || all[0].ID != b.ID {
			t.Errorf("%+v, %v", all, err)
		}
		if all, err := s.Positives(t.Context(), b.ID); err != nil || len(all) != 1 || all[0].URL != "http://ice.test/" {
			t.Errorf("%+v, %v", all, err)
		}
		if state, hits, err := s.QueryAnswer(t.Context(), TitleQuery{Provider: "http://x.test/", Text: "of b"}); state != QueryAnswered || len(hits) != 1 || err != nil {
			t.Errorf("%s %+v, %v", state, hits, err)
		}
	})
	t.Run("document", func(t *testing.T) {
		s, a, _ := fill(t)
		m := must(s.AddMap(t.Context(), Map{Source: MapOfDocument, Document: a.ID, Step: MapTitles, State: MapWaits}))(t)
		ok(t, s.DeleteMap(t.Context(), m.ID))
		grepFiles(t, s, "only of a")
		if n := mustCount(t, s, "SELECT count(*) FROM title_queries"); n != 2 {
			t.Errorf("%d queries are left", n)
		}
	})
	t.Run("all", func(t *testing.T) {
		s, _, _ := fill(t)
		ok(t, s.EraseAll(t.Context()))
		grepFiles(t, s, "canary")
		// An answer that arrives after the erasure is not kept.
		ok(t, s.EndQuery(t.Context(), TitleQuery{1, "http://x.test/", "of b"}, []FoundPage{{URL: "http://canary.test/"}}, false))
		grepFiles(t, s, "canary")
	})
}

func TestOtherExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	oldVersion(t, path, 12)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	must(s.Writer.Exec(`DELETE FROM refused; UPDATE finds SET mark = 'useful', asked = 0; UPDATE sessions SET status = 'submitted'`))(t)
	d, other := mustDocument(t, s, "a", "a"), mustDocument(t, s, "b", "b")
	for _, p := range []struct {
		document int64
		url      string
		out      bool
	}{{d.ID, "http://ice.test/", false}, {other.ID, "http://ice.test/", false}, {other.ID, "http://ice.test/found", true}, {other.ID, "http://unknown.test/", false}} {
		must(s.Writer.Exec(`INSERT INTO positives (document_id, url, n, title, snippet, reasons, left_out) VALUES (?, ?, 1, '', '', '[]', ?)`,
			p.document, p.url, p.out))(t)
	}
	for _, c := range []struct {
		document, topic int64
		want            string
	}{
		{0, 0, "http://ice.test/ http://ice.test/again http://ice.test/found"},
		{d.ID, 0, "http://ice.test/again http://ice.test/found"},     // its own page is none, whoever else has it
		{other.ID, 2, "http://ice.test/again http://ice.test/found"}, // of topic 1
		{other.ID, 1, ""},
		{0, 1, "http://ice.test/"}, // a positive page of documents
	} {
		all, err := s.OtherExamples(t.Context(), c.document, c.topic)
		var urls []string
		for _, e := range all {
			urls = append(urls, e.URL)
			if len(e.Hash) == 0 {
				t.Errorf("%s has no content", e.URL)
			}
		}
		if got := strings.Join(urls, " "); err != nil || got != c.want {
			t.Errorf("document %d, topic %d: %q, %v; want %q", c.document, c.topic, got, err, c.want)
		}
	}
}

func TestNotUsefulPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	oldVersion(t, path, 12)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	must(s.Writer.Exec(`DELETE FROM finds; DELETE FROM fetches; UPDATE sessions SET status = 'submitted'`))(t)
	for n, f := range []struct {
		url              string
		relevant, useful float64
		mark             string
	}{
		{"http://a.test/sure", 0, .19, ""}, {"http://a.test/unsure", 0, .2, ""}, {"http://a.test/similar", 1, .1, ""}, {"http://a.test/find", 0, .1, "none"},
		{"http://a.test/wrong", 1, .9, "not-useful"}, {"http://a.test/right", 0, .1, "useful"}, {"http://ice.test/", 0, .1, ""},
	} {
		must(s.Writer.Exec(`INSERT INTO contents (hash, gzip) VALUES (?, x'00')`, []byte(f.url)))(t)
		must(s.Writer.Exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, relevant, useful, content_hash)
			SELECT min(id), ?, ?, ?, '', 'ok', 1, ?, ?, ? FROM crawls WHERE topic_id = 1`, n+1, f.url, f.url, f.relevant, f.useful, []byte(f.url)))(t)
		if f.mark != "" {
			must(s.Writer.Exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, mark)
				SELECT 1, crawl_id, id, url, '', '', 0, 1, ? FROM fetches WHERE n = ?`, f.mark, n+1))(t)
		}
	}
	urls := func(topic int64) (all []string) {
		for _, e := range must(s.NotUsefulPages(t.Context(), topic))(t) {
			all = append(all, e.URL)
		}
		return all
	}
	if got := urls(1); !slices.Equal(got, []string{"http://a.test/sure", "http://a.test/wrong"}) {
		t.Errorf("of the topic: %q", got)
	}
	if got := urls(2); len(got) > 0 {
		t.Errorf("of another topic: %q", got)
	}
}

// TestTitleQueriesScanNoTable: what is run for each title takes as long with many stored answers as with few.
func TestTitleQueriesScanNoTable(t *testing.T) {
	s, all := record(t)
	d := mustDocument(t, s, "a", "a")
	q := TitleQuery{d.ID, "http://x.test/", "ice"}
	mustBegin(t, s, q)
	hits := []FoundPage{{"http://a.test/", "A", ""}}
	ok(t, s.EndQuery(t.Context(), q, hits, false))
	if _, _, err := s.QueryAnswer(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	must(s.RequestsSent(t.Context(), d.ID))(t)
	ok(t, s.PutPositives(t.Context(), d.ID, []Positive{{URL: "http://a.test/"}}))
	must(s.Positives(t.Context(), d.ID))(t)
	ok(t, s.LeaveOut(t.Context(), d.ID, "http://a.test/", true))
	if len(all) < 8 {
		t.Errorf("only %d statements ran", len(all))
	}
	plain := must(sql.Open("sqlite", db.DSN(s.Path(), "rw", "")))(t)
	defer plain.Close()
	for text, args := range all {
		for _, step := range fullScans(t, plain, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
