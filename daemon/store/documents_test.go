package store

import (
	"errors"
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
