package trainingdata_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func TestPositives(t *testing.T) {
	s := storetest.Open(t)
	d := mapstest.Document(t, s, "a", "a.pdf")
	pages := []trainingdata.Positive{
		{URL: "http://z.test/", Title: "Z", Snippet: "zz", Reasons: []trainingdata.PositiveReason{{"Ice", "phrase", 1}, {"Snow", "words", 2}}},
		{URL: "http://a.test/", Reasons: []trainingdata.PositiveReason{{"Ice", "near", 2}}},
	}
	for range 2 { // stored again, it stays left out
		storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, d.ID, pages))
		storetest.OK(t, trainingdata.LeaveOut(t.Context(), s.DB, d.ID, "http://a.test/", true))
	}
	storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, d.ID, pages))
	pages[1].LeftOut = true
	if got, err := trainingdata.Positives(t.Context(), s.DB, d.ID); err != nil || !reflect.DeepEqual(got, pages) {
		t.Errorf("%+v, %v; want %+v", got, err, pages)
	}
	if err := trainingdata.LeaveOut(t.Context(), s.DB, d.ID, "http://none.test/", true); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("left out what is not there: %v", err)
	}
	if err := trainingdata.PutPositives(t.Context(), s.DB, 99, pages); err == nil {
		t.Error("stored pages of a document that is not there")
	}
}

func TestOtherExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 12)
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	storetest.Must(s.Writer.Exec(`DELETE FROM refused; UPDATE finds SET mark = 'useful', asked = 0; UPDATE sessions SET status = 'submitted'`))(t)
	d, other := mapstest.Document(t, s, "a", "a"), mapstest.Document(t, s, "b", "b")
	for _, p := range []struct {
		document int64
		url      string
		out      bool
	}{{d.ID, "http://ice.test/", false}, {other.ID, "http://ice.test/", false}, {other.ID, "http://ice.test/found", true}, {other.ID, "http://unknown.test/", false}} {
		storetest.Must(s.Writer.Exec(`INSERT INTO positives (document_id, url, n, title, snippet, reasons, left_out) VALUES (?, ?, 1, '', '', '[]', ?)`,
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
		all, err := trainingdata.OtherExamples(t.Context(), s.DB, c.document, c.topic)
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
	dbtest.OldVersion(t, path, "../../store/testdata", 12)
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	storetest.Must(s.Writer.Exec(`DELETE FROM finds; DELETE FROM fetches; UPDATE sessions SET status = 'submitted'`))(t)
	for n, f := range []struct {
		url              string
		relevant, useful float64
		mark             string
	}{
		{"http://a.test/sure", 0, .19, ""}, {"http://a.test/unsure", 0, .2, ""}, {"http://a.test/similar", 1, .1, ""}, {"http://a.test/find", 0, .1, "none"},
		{"http://a.test/wrong", 1, .9, "not-useful"}, {"http://a.test/right", 0, .1, "useful"}, {"http://ice.test/", 0, .1, ""},
	} {
		storetest.Must(s.Writer.Exec(`INSERT INTO contents (hash, gzip) VALUES (?, x'00')`, []byte(f.url)))(t)
		storetest.Must(s.Writer.Exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, relevant, useful, content_hash)
			SELECT min(id), ?, ?, ?, '', 'ok', 1, ?, ?, ? FROM crawls WHERE topic_id = 1`, n+1, f.url, f.url, f.relevant, f.useful, []byte(f.url)))(t)
		if f.mark != "" {
			storetest.Must(s.Writer.Exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, mark)
				SELECT 1, crawl_id, id, url, '', '', 0, 1, ? FROM fetches WHERE n = ?`, f.mark, n+1))(t)
		}
	}
	urls := func(topic int64) (all []string) {
		for _, e := range storetest.Must(trainingdata.NotUsefulPages(t.Context(), s.DB, topic))(t) {
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

// The content of a positive page may come from a visit, a crawl or a request for a document, whichever there is.
func TestPositivePages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 12)
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	d, other := mapstest.Document(t, s, "a", "a"), mapstest.Document(t, s, "b", "b")
	put := func(doc int64, r fetch.Response) {
		t.Helper()
		storetest.OK(t, trainingdata.PutDocumentPage(t.Context(), s.DB, doc, "", r))
	}
	put(d.ID, fetch.Response{URL: "http://moved.test/", FinalURL: "http://final.test/", Outcome: fetch.OK, Body: []byte("moved")})
	put(d.ID, fetch.Response{URL: "http://shut.test/", FinalURL: "http://shut.test/", Outcome: fetch.Robots, Reason: "robots.txt forbids it"})
	put(d.ID, fetch.Response{URL: "http://down.test/", FinalURL: "http://down.test/", Outcome: fetch.Timeout, Reason: "slow"})
	put(other.ID, fetch.Response{URL: "http://o.test/", FinalURL: "http://other.test/", Outcome: fetch.OK, Body: []byte("other")})
	var all []trainingdata.Positive
	for _, url := range []string{"http://ice.test/", "http://moved.test/", "http://shut.test/", "http://down.test/", "http://other.test/", "http://new.test/"} {
		all = append(all, trainingdata.Positive{URL: url, Reasons: []trainingdata.PositiveReason{{"T", "phrase", 1}}})
	}
	storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, d.ID, all))
	list := func() (text string) {
		pages := storetest.Must(trainingdata.PositivePages(t.Context(), s.DB, d.ID))(t)
		for _, p := range pages {
			text += fmt.Sprintf("%s %s %t %s %s\n", p.URL, p.Final, len(p.Hash) > 0, p.Outcome, p.Reason)
		}
		return text
	}
	const want = `http://ice.test/ http://ice.test/ true  
http://moved.test/ http://final.test/ true ok 
http://shut.test/ http://shut.test/ false robots robots.txt forbids it
http://down.test/ http://down.test/ false timeout slow
http://other.test/ http://other.test/ true  
http://new.test/ http://new.test/ false  
`
	if got := list(); got != want {
		t.Errorf("%s", got)
	}
	storetest.OK(t, trainingdata.RetryDocumentPages(t.Context(), s.DB, d.ID))
	if got := list(); got != strings.Replace(want, "false timeout slow", "false  ", 1) {
		t.Errorf("%s", got)
	}
}
