package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
)

func mustMap(t *testing.T, s *Store, m Map) Map {
	t.Helper()
	m, err := s.AddMap(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDocumentKeepsEditedTitles(t *testing.T) {
	s := open(t)
	read := ReadDocument{Kind: "pdf", Authors: []string{"A"}, DOIs: []string{"10.1/x"}, Language: "en", Warnings: []DocumentWarning{{"few", "add some", 3}}}
	d := must(s.AddDocument(t.Context(), Document{Key: "k", Title: "Read", Source: "a.pdf"}, []string{"One", "Two"}, read))(t)
	one := mustMap(t, s, Map{Source: MapOfDocument, Title: d.Title, Document: d.ID, Step: MapTitles, State: MapWaits})
	refuse := errors.New("no")
	if err := s.SetTitles(t.Context(), one.ID, "Never", nil, func(*Map) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("%v", err)
	}
	ok(t, s.SetTitles(t.Context(), one.ID, "Edited", []string{"Three"}, func(m *Map) error { m.Title = "Edited"; return nil }))
	if again, err := s.AddDocument(t.Context(), Document{Key: "k", Title: "Read", Source: "b.pdf"}, []string{"One"}, read); err != nil ||
		again.ID != d.ID || again.Title != "Edited" || again.Source != "b.pdf" {
		t.Errorf("%+v, %v", again, err)
	}
	titles, got, err := s.DocumentTitles(t.Context(), d.ID)
	if err != nil || !slices.Equal(titles, []string{"Three"}) || !reflect.DeepEqual(got, read) {
		t.Errorf("%q %+v, %v", titles, got, err)
	}
	if m, err := s.MapByID(t.Context(), one.ID); err != nil || m.Title != "Edited" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, _, err := s.DocumentTitles(t.Context(), 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// A document's topic has a name of its own, at most 80 characters long.
func TestDocumentTopic(t *testing.T) {
	s := open(t)
	long := strings.Repeat("é", 100)
	for i, c := range []struct{ title, want string }{
		{"Ice", "Ice"}, {"Ice", "Ice (2)"}, {"ICE", "ICE (3)"}, {"", "document"}, {long, strings.Repeat("é", 80)}, {long, strings.Repeat("é", 76) + " (2)"},
	} {
		d := must(s.AddDocument(t.Context(), Document{Key: fmt.Sprint(i), Title: c.title}, nil, ReadDocument{}))(t)
		for range 2 { // the same topic each time
			if topic, err := s.DocumentTopic(t.Context(), d.ID); err != nil || topic.Name != c.want {
				t.Errorf("%q: %q, %v", c.title, topic.Name, err)
			}
		}
	}
}

func TestChangeMap(t *testing.T) {
	s := open(t)
	s.Now = func() time.Time { return time.UnixMilli(5000) }
	topic := must(s.CreateTopic(t.Context(), "Ice"))(t)
	first := mustMap(t, s, Map{Source: MapOfTopic, Title: "Ice", Topic: topic.ID, Step: MapTraining, State: MapWorks, Options: MapOptions{Pages: 7, List: []string{"x"}}})
	second := mustMap(t, s, Map{Source: MapOfTopic, Title: "Ice", Topic: topic.ID, Earlier: first.ID, Step: MapTraining, State: MapWorks})
	for _, c := range []struct {
		state MapState
		ended bool
	}{{MapFailed, true}, {MapWorks, false}, {MapDone, true}, {MapWaits, false}} {
		m, err := s.ChangeMap(t.Context(), first.ID, func(m *Map) error { m.State, m.Problem = c.state, "why"; return nil })
		if err != nil || m.State != c.state || m.EndedAt.IsZero() == c.ended {
			t.Errorf("%+v, %v", m, err)
		}
		if stored, err := s.MapByID(t.Context(), first.ID); err != nil || !reflect.DeepEqual(stored, m) {
			t.Errorf("%+v, %v; want %+v", stored, err, m)
		}
	}
	refuse := errors.New("no")
	if _, err := s.ChangeMap(t.Context(), first.ID, func(m *Map) error { m.Title = "lost"; return refuse }); !errors.Is(err, refuse) {
		t.Error(err)
	}
	if all, err := s.MapsOfTopic(t.Context(), topic.ID); err != nil || len(all) != 2 || all[0].ID != second.ID || all[1].Title != "Ice" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := s.ChangeMap(t.Context(), 99, func(*Map) error { return nil }); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
	ok(t, s.DeleteMap(t.Context(), first.ID))
	if m, err := s.MapByID(t.Context(), second.ID); err != nil || m.Earlier != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if err := s.DeleteMap(t.Context(), first.ID); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
}

// A document goes with its last map, with the pages that only it has.
func TestDeleteMapDeletesDocument(t *testing.T) {
	s := open(t)
	d, other := mustDocument(t, s, "a", "a.pdf"), mustDocument(t, s, "b", "b.pdf")
	one := mustMap(t, s, Map{Source: MapOfDocument, Document: d.ID, Step: MapTitles, State: MapWaits})
	two := mustMap(t, s, Map{Source: MapOfDocument, Document: d.ID, Step: MapTitles, State: MapWaits})
	for _, doc := range []int64{d.ID, other.ID} {
		for _, body := range []string{"shared", fmt.Sprint("own of ", doc)} {
			r := fetch.Response{URL: "http://a.test/" + body[:3], FinalURL: "http://a.test/x", Outcome: fetch.OK, Status: 200, Body: []byte(body)}
			ok(t, s.PutDocumentPage(t.Context(), doc, "T", r))
		}
	}
	for i, want := range []int{3, 2} {
		ok(t, s.DeleteMap(t.Context(), []int64{one.ID, two.ID}[i]))
		if n := mustCount(t, s, "SELECT count(*) FROM contents"); n != want {
			t.Errorf("%d contents after %d maps were deleted, want %d", n, i+1, want)
		}
	}
	if all, err := s.Documents(t.Context()); err != nil || len(all) != 1 || all[0].ID != other.ID {
		t.Errorf("%+v, %v", all, err)
	}
	if err := s.PutDocumentPage(t.Context(), d.ID, "", fetch.Response{URL: "http://a.test/"}); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
}

// The content of a positive page may come from a visit, a crawl or a request for a document, whichever there is.
func TestPositivePages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	oldVersion(t, path, 12)
	s := must(Open(t.Context(), path))(t)
	defer s.Close()
	d, other := mustDocument(t, s, "a", "a"), mustDocument(t, s, "b", "b")
	put := func(doc int64, r fetch.Response) {
		t.Helper()
		ok(t, s.PutDocumentPage(t.Context(), doc, "", r))
	}
	put(d.ID, fetch.Response{URL: "http://moved.test/", FinalURL: "http://final.test/", Outcome: fetch.OK, Body: []byte("moved")})
	put(d.ID, fetch.Response{URL: "http://shut.test/", FinalURL: "http://shut.test/", Outcome: fetch.Robots, Reason: "robots.txt forbids it"})
	put(d.ID, fetch.Response{URL: "http://down.test/", FinalURL: "http://down.test/", Outcome: fetch.Timeout, Reason: "slow"})
	put(other.ID, fetch.Response{URL: "http://o.test/", FinalURL: "http://other.test/", Outcome: fetch.OK, Body: []byte("other")})
	var all []Positive
	for _, url := range []string{"http://ice.test/", "http://moved.test/", "http://shut.test/", "http://down.test/", "http://other.test/", "http://new.test/"} {
		all = append(all, Positive{URL: url, Reasons: []PositiveReason{{"T", "phrase", 1}}})
	}
	ok(t, s.PutPositives(t.Context(), d.ID, all))
	list := func() (text string) {
		pages := must(s.PositivePages(t.Context(), d.ID))(t)
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
	ok(t, s.RetryDocumentPages(t.Context(), d.ID))
	if got := list(); got != strings.Replace(want, "false timeout slow", "false  ", 1) {
		t.Errorf("%s", got)
	}
}

// What a map needs of a crawl stays with the map, and its pages can be marked.
func TestMapPages(t *testing.T) {
	s, crawl, pages := crawled(t)
	m := mustMap(t, s, Map{Source: MapOfCrawl, Crawl: crawl.ID, Topic: crawl.TopicID, Step: MapDrawing, State: MapWorks})
	stored := []MapPage{{Fetch: pages[0].Fetch, Community: 1, Similarity: .5, Probability: .25}, {Fetch: pages[1].Fetch, Community: -1}}
	ok(t, s.FinishMap(t.Context(), m.ID, []byte(`{"x": 1}`), stored))
	if err := s.FinishMap(t.Context(), m.ID, nil, nil); !errors.Is(err, ErrMapChanged) {
		t.Errorf("finished twice: %v", err)
	}
	if text, err := s.MapResult(t.Context(), m.ID); err != nil || string(text) != `{"x": 1}` {
		t.Errorf("%q, %v", text, err)
	}
	got, err := s.MapPages(t.Context(), m.ID)
	if err != nil || len(got) != 2 || got[0].MapPage != stored[0] || got[0].URL != pages[0].Final || got[1].Community != -1 {
		t.Errorf("%+v, %v", got, err)
	}
	acted, err := s.MarkPage(t.Context(), m.ID, pages[0].Fetch, "says", MarkUseful)
	if err != nil || acted.Action == 0 || !slices.Equal(acted.Topics, []int64{crawl.TopicID}) {
		t.Fatalf("%+v, %v", acted, err)
	}
	finds, err := s.MapFinds(t.Context(), m.ID, crawl.TopicID)
	if f := finds[pages[0].Fetch]; err != nil || len(finds) != 1 || f.Mark != MarkUseful || f.URL != pages[0].Final {
		t.Errorf("%+v, %v", finds, err)
	}
	if f, err := s.FindView(t.Context(), finds[pages[0].Fetch].ID); err != nil || f.Snippet != "says" || f.CrawlID != crawl.ID {
		t.Errorf("%+v, %v", f, err)
	}
	must(s.Undo(t.Context(), acted.Action))(t)
	if finds, err := s.MapFinds(t.Context(), m.ID, crawl.TopicID); err != nil || finds[pages[0].Fetch].Mark != MarkNone {
		t.Errorf("%+v, %v", finds, err)
	}
	if _, err := s.MarkPage(t.Context(), m.ID, pages[2].Fetch, "", MarkUseful); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("marked a page of no map: %v", err)
	}
	if _, err := s.MarkPage(t.Context(), m.ID, pages[0].Fetch, "", "best"); err == nil {
		t.Error("took an unknown mark")
	}
	ok(t, s.EndCrawl(t.Context(), crawl.ID, "over"))
	ok(t, s.DeleteMap(t.Context(), m.ID))
	s.linksRead(t)
	if all, err := s.CrawledPages(t.Context(), crawl.ID); err != nil || slices.ContainsFunc(all[1:], func(p CrawledPage) bool { return p.Hash != nil }) || all[0].Hash == nil {
		t.Errorf("%+v, %v", all, err) // the find stays, and what is neither a find nor on the way to one goes
	}
}

// TestMapKeepsPages: a crawl that a map shows keeps its pages when it ends.
func TestMapKeepsPages(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		s, crawl, _ := crawled(t)
		if mapped {
			mustMap(t, s, Map{Source: MapOfTopic, Topic: crawl.TopicID, Crawl: crawl.ID, Step: MapCrawl, State: MapWorks})
		}
		ok(t, s.EndCrawl(t.Context(), crawl.ID, "over"))
		s.linksRead(t)
		pages := must(s.CrawledPages(t.Context(), crawl.ID))(t)
		for _, p := range pages {
			if (p.Hash != nil) != mapped {
				t.Errorf("a map: %t, content of %s: %t", mapped, p.Final, p.Hash != nil)
			}
		}
	}
}

// crawled is a running crawl with three pages that are not relevant, each with a content of its own.
func crawled(t *testing.T) (*Store, Crawl, []CrawledPage) {
	t.Helper()
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	for n := 1; n <= 3; n++ {
		body, err := Packed([]byte(fmt.Sprint("page ", n)))
		if err == nil {
			_, err = s.Writer.Exec(`INSERT INTO contents (hash, gzip) VALUES (?, ?)`, body.Hash[:], body.Gzip)
		}
		if err == nil {
			_, err = s.Writer.Exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, title, text_hash, content_hash)
				VALUES (?, ?, ?, ?, 'a.test', 'ok', 1, 'T', ?, ?)`, c.ID, n, fmt.Sprint("http://a.test/", n), fmt.Sprint("http://a.test/to/", n), n, body.Hash[:])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	pages, err := s.CrawledPages(t.Context(), c.ID)
	if err != nil || len(pages) != 3 || pages[1].URL != "http://a.test/2" || pages[1].Final != "http://a.test/to/2" || pages[1].Hash == nil {
		t.Fatalf("%+v, %v", pages, err)
	}
	return s, c, pages
}
