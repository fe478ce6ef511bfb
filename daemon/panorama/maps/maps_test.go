package maps_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func mustMap(t *testing.T, s *store.Store, m maps.Map) maps.Map {
	t.Helper()
	m, err := maps.Add(t.Context(), s.DB, m)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDocumentKeepsEditedTitles(t *testing.T) {
	s := storetest.Open(t)
	read := maps.ReadDocument{Kind: "pdf", Authors: []string{"A"}, DOIs: []string{"10.1/x"}, Language: "en", Warnings: []maps.DocumentWarning{{"few", "add some", 3}}}
	d := storetest.Must(maps.AddDocument(t.Context(), s.DB, maps.Document{Key: "k", Title: "Read", Source: "a.pdf"}, []string{"One", "Two"}, read))(t)
	one := mustMap(t, s, maps.Map{Source: maps.FromDocument, Title: d.Title, Document: d.ID, Step: maps.StepTitles, State: maps.Waiting})
	refuse := errors.New("no")
	if err := maps.SetTitles(t.Context(), s.DB, one.ID, "Never", nil, func(*maps.Map) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("%v", err)
	}
	storetest.OK(t, maps.SetTitles(t.Context(), s.DB, one.ID, "Edited", []string{"Three"}, func(m *maps.Map) error { m.Title = "Edited"; return nil }))
	if again, err := maps.AddDocument(t.Context(), s.DB, maps.Document{Key: "k", Title: "Read", Source: "b.pdf"}, []string{"One"}, read); err != nil ||
		again.ID != d.ID || again.Title != "Edited" || again.Source != "b.pdf" {
		t.Errorf("%+v, %v", again, err)
	}
	titles, got, err := maps.DocumentTitles(t.Context(), s.DB, d.ID)
	if err != nil || !slices.Equal(titles, []string{"Three"}) || !reflect.DeepEqual(got, read) {
		t.Errorf("%q %+v, %v", titles, got, err)
	}
	if m, err := maps.ByID(t.Context(), s.DB, one.ID); err != nil || m.Title != "Edited" {
		t.Errorf("%+v, %v", m, err)
	}
	if _, _, err := maps.DocumentTitles(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// A document's topic has a name of its own, at most 80 characters long.
func TestDocumentTopic(t *testing.T) {
	s := storetest.Open(t)
	long := strings.Repeat("é", 100)
	for i, c := range []struct{ title, want string }{
		{"Ice", "Ice"}, {"Ice", "Ice (2)"}, {"ICE", "ICE (3)"}, {"", "document"}, {long, strings.Repeat("é", 80)}, {long, strings.Repeat("é", 76) + " (2)"},
	} {
		d := storetest.Must(maps.AddDocument(t.Context(), s.DB, maps.Document{Key: fmt.Sprint(i), Title: c.title}, nil, maps.ReadDocument{}))(t)
		for range 2 { // the same topic each time
			if topic, err := maps.DocumentTopic(t.Context(), s.DB, d.ID); err != nil || topic.Name != c.want {
				t.Errorf("%q: %q, %v", c.title, topic.Name, err)
			}
		}
	}
}

func TestChangeMap(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return time.UnixMilli(5000) }
	topic := storetest.Must(topics.Create(t.Context(), s.DB, "Ice"))(t)
	first := mustMap(t, s, maps.Map{Source: maps.FromTopic, Title: "Ice", Topic: topic.ID, Step: maps.StepTraining, State: maps.Working, Options: maps.Options{Pages: 7, List: []string{"x"}}})
	second := mustMap(t, s, maps.Map{Source: maps.FromTopic, Title: "Ice", Topic: topic.ID, Earlier: first.ID, Step: maps.StepTraining, State: maps.Working})
	for _, c := range []struct {
		state maps.State
		ended bool
	}{{maps.Failed, true}, {maps.Working, false}, {maps.Done, true}, {maps.Waiting, false}} {
		m, err := maps.Change(t.Context(), s.DB, first.ID, func(m *maps.Map) error { m.State, m.Problem = c.state, "why"; return nil })
		if err != nil || m.State != c.state || m.EndedAt.IsZero() == c.ended {
			t.Errorf("%+v, %v", m, err)
		}
		if stored, err := maps.ByID(t.Context(), s.DB, first.ID); err != nil || !reflect.DeepEqual(stored, m) {
			t.Errorf("%+v, %v; want %+v", stored, err, m)
		}
	}
	refuse := errors.New("no")
	if _, err := maps.Change(t.Context(), s.DB, first.ID, func(m *maps.Map) error { m.Title = "lost"; return refuse }); !errors.Is(err, refuse) {
		t.Error(err)
	}
	if all, err := maps.OfTopic(t.Context(), s.DB, topic.ID); err != nil || len(all) != 2 || all[0].ID != second.ID || all[1].Title != "Ice" {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := maps.Change(t.Context(), s.DB, 99, func(*maps.Map) error { return nil }); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
	storetest.OK(t, maps.Delete(t.Context(), s.DB, first.ID))
	if m, err := maps.ByID(t.Context(), s.DB, second.ID); err != nil || m.Earlier != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if err := maps.Delete(t.Context(), s.DB, first.ID); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
}

// A document goes with its last map, with the pages that only it has.
func TestDeleteMapDeletesDocument(t *testing.T) {
	s := storetest.Open(t)
	d, other := mapstest.Document(t, s, "a", "a.pdf"), mapstest.Document(t, s, "b", "b.pdf")
	one := mustMap(t, s, maps.Map{Source: maps.FromDocument, Document: d.ID, Step: maps.StepTitles, State: maps.Waiting})
	two := mustMap(t, s, maps.Map{Source: maps.FromDocument, Document: d.ID, Step: maps.StepTitles, State: maps.Waiting})
	for _, doc := range []int64{d.ID, other.ID} {
		for _, body := range []string{"shared", fmt.Sprint("own of ", doc)} {
			r := fetch.Response{URL: "http://a.test/" + body[:3], FinalURL: "http://a.test/x", Outcome: fetch.OK, Status: 200, Body: []byte(body)}
			storetest.OK(t, trainingdata.PutDocumentPage(t.Context(), s.DB, doc, "T", r))
		}
	}
	for i, want := range []int{3, 2} {
		storetest.OK(t, maps.Delete(t.Context(), s.DB, []int64{one.ID, two.ID}[i]))
		if n := storetest.Count(t, s, "SELECT count(*) FROM contents"); n != want {
			t.Errorf("%d contents after %d maps were deleted, want %d", n, i+1, want)
		}
	}
	if all, err := maps.Documents(t.Context(), s.DB); err != nil || len(all) != 1 || all[0].ID != other.ID {
		t.Errorf("%+v, %v", all, err)
	}
	if err := trainingdata.PutDocumentPage(t.Context(), s.DB, d.ID, "", fetch.Response{URL: "http://a.test/"}); !errors.Is(err, db.ErrNotFound) {
		t.Error(err)
	}
}

// What a map needs of a crawl stays with the map, and its pages can be marked.
func TestMapPages(t *testing.T) {
	s, crawl, pages := crawled(t)
	m := mustMap(t, s, maps.Map{Source: maps.FromCrawl, Crawl: crawl.ID, Topic: crawl.TopicID, Step: maps.StepDrawing, State: maps.Working})
	stored := []maps.Page{{Fetch: pages[0].Fetch, Community: 1, Similarity: .5, Probability: .25}, {Fetch: pages[1].Fetch, Community: -1}}
	read := s.Erasures()
	s.Erasing()()
	if err := maps.Finish(t.Context(), s.DB, read, m.ID, nil, nil); !errors.Is(err, db.ErrErased) {
		t.Errorf("of pages that may have been erased: %v", err)
	}
	storetest.OK(t, maps.Finish(t.Context(), s.DB, s.Erasures(), m.ID, []byte(`{"x": 1}`), stored))
	if err := maps.Finish(t.Context(), s.DB, s.Erasures(), m.ID, nil, nil); !errors.Is(err, maps.ErrChanged) {
		t.Errorf("finished twice: %v", err)
	}
	if text, err := maps.Result(t.Context(), s.DB, m.ID); err != nil || string(text) != `{"x": 1}` {
		t.Errorf("%q, %v", text, err)
	}
	got, err := maps.PagesOf(t.Context(), s.DB, m.ID)
	if err != nil || len(got) != 2 || got[0].Page != stored[0] || got[0].URL != pages[0].Final || got[1].Community != -1 {
		t.Errorf("%+v, %v", got, err)
	}
	acted, err := maps.MarkPage(t.Context(), s.DB, m.ID, pages[0].Fetch, "says", store.MarkUseful)
	if err != nil || acted.Action == 0 || !slices.Equal(acted.Topics, []int64{crawl.TopicID}) {
		t.Fatalf("%+v, %v", acted, err)
	}
	ofMap, err := maps.Finds(t.Context(), s.DB, m.ID, crawl.TopicID)
	if f := ofMap[pages[0].Fetch]; err != nil || len(ofMap) != 1 || f.Mark != store.MarkUseful || f.URL != pages[0].Final {
		t.Errorf("%+v, %v", ofMap, err)
	}
	if f, err := finds.ByID(t.Context(), s.DB, ofMap[pages[0].Fetch].ID); err != nil || f.Snippet != "says" || f.CrawlID != crawl.ID {
		t.Errorf("%+v, %v", f, err)
	}
	storetest.Must(marks.Undo(t.Context(), s.DB, acted.Action))(t)
	if ofMap, err := maps.Finds(t.Context(), s.DB, m.ID, crawl.TopicID); err != nil || ofMap[pages[0].Fetch].Mark != store.MarkNone {
		t.Errorf("%+v, %v", ofMap, err)
	}
	if _, err := maps.MarkPage(t.Context(), s.DB, m.ID, pages[2].Fetch, "", store.MarkUseful); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("marked a page of no map: %v", err)
	}
	if _, err := maps.MarkPage(t.Context(), s.DB, m.ID, pages[0].Fetch, "", "best"); err == nil {
		t.Error("took an unknown mark")
	}
	storetest.OK(t, crawls.End(t.Context(), s.DB, crawl.ID, "over"))
	storetest.OK(t, maps.Delete(t.Context(), s.DB, m.ID))
	linksRead(t, s)
	if all, err := maps.CrawledPages(t.Context(), s.DB, crawl.ID); err != nil || slices.ContainsFunc(all[1:], func(p maps.CrawledPage) bool { return p.Hash != nil }) || all[0].Hash == nil {
		t.Errorf("%+v, %v", all, err) // the find stays, and what is neither a find nor on the way to one goes
	}
}

// TestMapKeepsPages: a crawl that a map shows keeps its pages when it ends.
func TestMapKeepsPages(t *testing.T) {
	for _, mapped := range []bool{false, true} {
		s, crawl, _ := crawled(t)
		if mapped {
			mustMap(t, s, maps.Map{Source: maps.FromTopic, Topic: crawl.TopicID, Crawl: crawl.ID, Step: maps.StepCrawl, State: maps.Working})
		}
		storetest.OK(t, crawls.End(t.Context(), s.DB, crawl.ID, "over"))
		linksRead(t, s)
		pages := storetest.Must(maps.CrawledPages(t.Context(), s.DB, crawl.ID))(t)
		for _, p := range pages {
			if (p.Hash != nil) != mapped {
				t.Errorf("a map: %t, content of %s: %t", mapped, p.Final, p.Hash != nil)
			}
		}
	}
}

func TestDocuments(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return time.UnixMilli(5000) }
	a, b := mapstest.Document(t, s, "a", "a.pdf"), mapstest.Document(t, s, "b", "b.pdf")
	s.Now = func() time.Time { return time.UnixMilli(9000) }
	again, err := maps.AddDocument(t.Context(), s.DB, maps.Document{Key: "a", Title: "New", Source: "c.pdf"}, nil, maps.ReadDocument{})
	if want := (maps.Document{a.ID, "a", "New", "c.pdf", time.UnixMilli(5000).UTC(), 0}); err != nil || again != want {
		t.Errorf("%+v, %v; want %+v", again, err, want)
	}
	if all, err := maps.Documents(t.Context(), s.DB); err != nil || !reflect.DeepEqual(all, []maps.Document{b, again}) {
		t.Errorf("%+v, %v", all, err)
	}
}

// crawled is a running crawl with three pages that are not relevant, each with a content of its own.
func crawled(t *testing.T) (*store.Store, crawls.Crawl, []maps.CrawledPage) {
	t.Helper()
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	for n := 1; n <= 3; n++ {
		storetest.Fetched(t, s, c.ID, n, fmt.Sprint("http://a.test/", n), fmt.Sprint("http://a.test/to/", n), fmt.Sprint("page ", n))
	}
	pages, err := maps.CrawledPages(t.Context(), s.DB, c.ID)
	if err != nil || len(pages) != 3 || pages[1].URL != "http://a.test/2" || pages[1].Final != "http://a.test/to/2" || pages[1].Hash == nil {
		t.Fatalf("%+v, %v", pages, err)
	}
	return s, c, pages
}

// linksRead does as if the links of all pages had been read.
func linksRead(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Change(t, s, "DELETE FROM link_queue")
	storetest.OK(t, crawls.DropRead(t.Context(), s.DB))
}

// topicLists are the lists of topics for people, browsers, programs and nights.
func topicLists(t *testing.T, s *store.Store) map[string][]int64 {
	t.Helper()
	lists := map[string][]int64{}
	ids := func(list string, all []topics.Topic, err error) {
		if err != nil {
			t.Fatal(err)
		}
		lists[list] = []int64{}
		for _, one := range all {
			lists[list] = append(lists[list], one.ID)
		}
	}
	all, err := topics.List(t.Context(), s.DB)
	ids("topics by name", all, err)
	all, err = topics.Recent(t.Context(), s.DB)
	ids("topics of browsers", all, err)
	views, err := overview.Topics(t.Context(), s.DB)
	all = nil
	for _, v := range views {
		all = append(all, topics.Topic{ID: v.ID})
	}
	ids("topics of the dashboard", all, err)
	if lists["topics of nights"], err = startpages.Topics(t.Context(), s.DB); err != nil {
		t.Fatal(err)
	}
	return lists
}

// mustListed checks whether a topic is in all lists, or in none.
func mustListed(t *testing.T, s *store.Store, topic int64, want bool) {
	t.Helper()
	for list, ids := range topicLists(t, s) {
		if slices.Contains(ids, topic) != want {
			t.Errorf("%s: %v; listed topic %d = %v, want %v", list, ids, topic, !want, want)
		}
	}
}

// mustMapTopic makes a map of a document with a trained topic that has a ticked start page.
func mustMapTopic(t *testing.T, s *store.Store, title string) (topic topics.Topic) {
	t.Helper()
	d, err := maps.AddDocument(t.Context(), s.DB, maps.Document{Key: title, Title: title}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	if topic, err = maps.DocumentTopic(t.Context(), s.DB, d.ID); err != nil {
		t.Fatal(err)
	}
	mustMap(t, s, maps.Map{Source: maps.FromDocument, Title: title, Document: d.ID, Topic: topic.ID, Step: maps.StepDrawing, State: maps.Done})
	if _, err := s.Writer.Exec(`INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)`, topic.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := startpages.Add(t.Context(), s.DB, topic.ID, "http://ice.test/"); err != nil {
		t.Fatal(err)
	}
	return topic
}

// TestMapsAreNoTopics: the topic that was made for a map is in no list until the person makes it one, or names it.
func TestMapsAreNoTopics(t *testing.T) {
	s := storetest.Open(t)
	glaciers := mustMapTopic(t, s, "Glaciers")
	mustListed(t, s, glaciers.ID, false)
	every, err := topics.Every(t.Context(), s.DB)
	if err != nil || len(every) != 1 {
		t.Errorf("every topic: %v, %v", every, err)
	}
	storetest.OK(t, maps.OwnTopic(t.Context(), s.DB, glaciers.ID))
	mustListed(t, s, glaciers.ID, true)
	if topic, err := maps.DocumentTopic(t.Context(), s.DB, 1); err != nil || topic.ID != glaciers.ID { // another map of the document
		t.Errorf("%+v, %v", topic, err)
	}
	mustListed(t, s, glaciers.ID, true)

	recorded := mustMapTopic(t, s, "Ice")
	events, _ := session.AdmitAll([]protocol.Event{sessiontest.NewMaker(1, time.UnixMilli(1000)).Start("ice")})
	storetest.Must(sessions.Ingest(t.Context(), s, events))(t)
	mustListed(t, s, recorded.ID, true)

	like := storetest.Must(maps.TopicOfPages(t.Context(), s.DB, "map:1:1", "Like it", []trainingdata.Positive{{URL: "http://like.test/"}}))(t)
	if own, err := maps.IsOwnTopic(t.Context(), s.DB, like.ID); err != nil || !own {
		t.Errorf("a topic that the person made of a community is theirs: %v, %v", own, err)
	}
}
