package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
)

// mustMapped fills a store with a document, its topic and crawl, positive pages that were fetched for it, and a finished map of
// four pages, of which the third is of canary.test, as is much else.
func mustMapped(t *testing.T) (s *Store, d Document, c Crawl, m Map) {
	t.Helper()
	s, other := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	d, err := s.AddDocument(ctx, Document{Key: "k", Title: "Glaciers", Source: "paper.pdf"}, []string{"Ice", "About canary.test"}, ReadDocument{
		URLs: []string{"http://canary.test/read", "http://ice.test/"}, Warnings: []DocumentWarning{{What: "no such page: canary.test"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	positives := []Positive{
		{URL: "http://ice.test/", Reasons: []PositiveReason{{"About canary.test", "phrase", 1}}},
		{URL: "http://canary.test/p", Title: "canary"}, {URL: "http://moved.test/"},
	}
	if err := s.PutPositives(ctx, d.ID, positives); err != nil {
		t.Fatal(err)
	}
	for url, final := range map[string]string{
		"http://ice.test/": "http://ice.test/", "http://canary.test/p": "http://canary.test/p", "http://moved.test/": "http://www.canary.test/moved",
	} {
		res := fetch.Response{URL: url, FinalURL: final, Outcome: fetch.OK, Status: 200, Body: []byte("<p>page " + final)}
		if err := s.PutDocumentPage(ctx, d.ID, "Page", res); err != nil {
			t.Fatal(err)
		}
	}
	topic, err := s.DocumentTopic(ctx, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	c = mustCreateCrawl(t, s, Crawl{TopicID: topic.ID, ModelID: other.ModelID, Strategy: "test", Options: CrawlOptions{Starts: []string{"http://ice.test/"}}})
	m, err = s.AddMap(ctx, Map{Source: MapOfDocument, Title: "Glaciers", Document: d.ID, Topic: topic.ID, Crawl: c.ID, Step: MapDrawing, State: MapWorks,
		Options: MapOptions{Search: "list", List: []string{"http://ice.test/", "http://canary.test/listed"}}})
	if err != nil {
		t.Fatal(err)
	}
	var pages []MapPage
	for i, url := range []string{"http://ice.test/", "http://snow.test/", "http://canary.test/mapped", "http://firn.test/"} {
		id := s.mustFetched(t, c.ID, i+1, url, url, 0, "<p>crawled "+url)
		pages = append(pages, MapPage{Fetch: id, Community: 1, Similarity: .5})
	}
	if err := s.FinishMap(ctx, m.ID, []byte(`{"communities":[{"words":["ice","firn"]}]}`), pages); err != nil {
		t.Fatal(err)
	}
	return s, d, c, m
}

// TestEraseMapped: what documents and maps hold of a host goes with it. A map with pages of the host can be made again from
// the others, and one without them stays.
func TestEraseMapped(t *testing.T) {
	s, d, c, m := mustMapped(t)
	ctx := t.Context()
	plain := must(s.AddMap(ctx, Map{Source: MapOfCrawl, Crawl: c.ID, Step: MapDrawing, State: MapWorks}))(t)
	said := must(s.AddMap(ctx, Map{Source: MapOfCrawl, Crawl: c.ID, Step: MapDrawing, State: MapWorks}))(t)
	for id, result := range map[int64]string{plain.ID: `{}`, said.ID: `{"words":["of Canary.TEST"]}`} {
		ok(t, s.FinishMap(ctx, id, []byte(result), []MapPage{{Fetch: mustFetchID(t, s, "http://ice.test/"), Community: 1}}))
	}
	failed := must(s.AddMap(ctx, Map{Source: MapOfCrawl, Crawl: c.ID, Step: MapDrawing, State: MapFailed, Problem: "canary.test does not answer"}))(t)
	plan, err := Keep.Traces(ctx, s, "canary.test")
	if err != nil || plan.Maps != 2 || plan.Found != 3 { // a positive page, and two that were requested
		t.Errorf("%+v, %v", plan, err)
	}
	must(Keep.EraseHost(ctx, s, "canary.test"))(t)
	grepFiles(t, s, "canary")
	for _, content := range []string{"page http://canary.test/p", "page http://www.canary.test/moved", "crawled http://canary.test/mapped"} {
		c := must(Packed([]byte("<p>" + content)))(t)
		if _, err := s.Content(ctx, c.Hash[:]); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s is still there: %v", content, err)
		}
	}
	const mapErased = "pages were erased: make the map again"
	for id, want := range map[int64]string{m.ID: mapErased, said.ID: mapErased, plain.ID: "", failed.ID: "go on to do this step again"} {
		now, err := s.MapByID(ctx, id)
		pages, pagesErr := s.MapPages(ctx, id)
		_, gone := s.MapResult(ctx, id)
		dropped := want == mapErased
		if err := errors.Join(err, pagesErr); err != nil || now.Problem != want || errors.Is(gone, db.ErrNotFound) != (id != plain.ID) || (len(pages) == 1) != (id == plain.ID) {
			t.Errorf("map %d: %+v, %d pages, %v, %v", id, now, len(pages), gone, err)
		}
		if dropped && (now.State != MapFailed || now.Step != MapDrawing) {
			t.Errorf("map %d cannot be made again: %+v", id, now)
		}
	}
	titles, read, err := s.DocumentTitles(ctx, d.ID)
	if err != nil || !slices.Equal(titles, []string{"Ice"}) || !slices.Equal(read.URLs, []string{"http://ice.test/"}) || len(read.Warnings) != 0 {
		t.Errorf("%q, %+v, %v", titles, read, err)
	}
	left, err := s.PositivePages(ctx, d.ID)
	if err != nil || len(left) != 2 || left[0].Hash == nil || left[1].Hash != nil || left[0].Reasons[0] != (PositiveReason{"", "phrase", 1}) {
		t.Errorf("%+v, %v", left, err)
	}
	if plan, err := Keep.Traces(ctx, s, "canary.test"); err != nil || !plan.Empty {
		t.Errorf("%+v, %v after the erasure", plan, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

func mustFetchID(t *testing.T, s *Store, url string) (id int64) {
	t.Helper()
	ok(t, s.Readers.QueryRow(`SELECT id FROM fetches WHERE final_url = ?`, url).Scan(&id))
	return id
}

// TestMappedContentsAreKept: a crawl that a map shows keeps all its pages when it ends, and any crawl the positive pages of
// documents; what only a deleted map needed goes.
func TestMappedContentsAreKept(t *testing.T) {
	s, d, c, m := mustMapped(t)
	ctx := t.Context()
	bare := mustCreateCrawl(t, s, Crawl{TopicID: c.TopicID, ModelID: c.ModelID, Strategy: "test", Options: CrawlOptions{Starts: []string{"http://b.test/"}}})
	s.mustFetched(t, bare.ID, 1, "http://moved.test/", "http://moved.test/", 0, "<p>positive")
	s.mustFetched(t, bare.ID, 2, "http://useless.test/", "http://useless.test/", 0, "<p>useless")
	count := func(crawl int64) int {
		return mustCount(t, s, fmt.Sprintf("SELECT count(*) FROM fetches JOIN contents ON hash = content_hash WHERE crawl_id = %d", crawl))
	}
	for crawl, want := range map[int64]int{c.ID: 4, bare.ID: 1} {
		ok(t, s.EndCrawl(ctx, crawl, "done"))
		s.linksRead(t)
		if n := count(crawl); n != want {
			t.Errorf("crawl %d keeps %d pages, want %d", crawl, n, want)
		}
	}
	ok(t, s.DeleteMap(ctx, m.ID))
	s.linksRead(t)
	if all, err := s.Documents(ctx); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if n := mustCount(t, s, "SELECT count(*) FROM contents"); n != count(bare.ID) {
		t.Errorf("%d contents are left of document %d, %d of the crawl without a map", n, d.ID, count(bare.ID))
	}
}

// TestDeleteMappedTopic: a topic goes with its document and maps, which the plan counts. The contents that only they had go, too.
func TestDeleteMappedTopic(t *testing.T) {
	s, d, c, _ := mustMapped(t)
	ctx := t.Context()
	ok(t, s.EndCrawl(ctx, c.ID, "done"))
	must(s.AddMap(ctx, Map{Source: MapOfCrawl, Crawl: c.ID, Step: MapDrawing, State: MapWaits}))(t)
	err := s.Commit(ctx, func(w *db.Work) { dropIdleTopic(w, c.TopicID) })
	if _, gone := s.TopicByID(ctx, c.TopicID); err != nil || gone != nil {
		t.Fatalf("the topic is taken for idle: %v, %v", err, gone)
	}
	plan, err := s.TopicPlan(ctx, c.TopicID)
	if err != nil || plan.Document != 1 || plan.Positive != 3 || plan.Maps != 2 || plan.Crawls != 1 || plan.Bytes == 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	must(s.DeleteTopic(ctx, c.TopicID))(t)
	for _, table := range []string{"documents", "positives", "document_pages", "maps", "map_pages", "contents"} {
		if n := mustCount(t, s, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left of document %d", n, table, d.ID)
		}
	}
	grepFiles(t, s, "canary")
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestIdleTopicOfDocument: a topic with a document or a map and nothing else is not idle.
func TestIdleTopicOfDocument(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	d := mustDocument(t, s, "a", "a.pdf")
	topic := must(s.DocumentTopic(ctx, d.ID))(t)
	mapped := must(s.CreateTopic(ctx, "Mapped"))(t)
	idle := must(s.CreateTopic(ctx, "Idle"))(t)
	must(s.AddMap(ctx, Map{Source: MapOfTopic, Topic: mapped.ID, Step: MapTraining, State: MapWaits}))(t)
	for id, want := range map[int64]bool{topic.ID: true, mapped.ID: true, idle.ID: false} {
		ok(t, s.Commit(ctx, func(w *db.Work) { dropIdleTopic(w, id) }))
		if _, err := s.TopicByID(ctx, id); (err == nil) != want {
			t.Errorf("topic %d: %v, want it kept: %v", id, err, want)
		}
	}
}

// TestKnownPositives: what a topic without sessions has to learn from changes with its pages, whether they are left in, and the
// classifier that its newest map asks for, and with nothing else. It is the same when a training was stopped.
func TestKnownPositives(t *testing.T) {
	s, d, c, _ := mustMapped(t)
	ctx := t.Context()
	known := func() Known {
		t.Helper()
		k := must(s.Known(ctx, c.TopicID))(t)
		return k
	}
	first := known()
	if first.Empty() || len(first.Sessions) != 0 || first.Positives == "" {
		t.Fatalf("%+v", first)
	}
	ok(t, s.SaveStopped(ctx, c.TopicID, first))
	if k, err := s.Stopped(ctx, c.TopicID); err != nil || !k.Equal(first) {
		t.Errorf("%+v, %v; want %+v", k, err, first)
	}
	seen := []Known{first}
	step := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		k := known()
		if slices.ContainsFunc(seen, k.Equal) {
			t.Errorf("%s: nothing changed", what)
		}
		seen = append(seen, k)
	}
	step("a page is left out", s.LeaveOut(ctx, d.ID, "http://ice.test/", true))
	_, err := s.AddMap(ctx, Map{Source: MapOfDocument, Document: d.ID, Step: MapTitles, State: MapWaits, Options: MapOptions{Paper: true}})
	step("the paper's classifier", err)
	ok(t, s.LeaveOut(ctx, d.ID, "http://ice.test/", false))
	_, err = s.AddMap(ctx, Map{Source: MapOfDocument, Document: d.ID, Step: MapTitles, State: MapWaits})
	if err != nil || !known().Equal(first) {
		t.Errorf("taken back: %+v, %v; want %+v", known(), err, first)
	}
	for _, url := range []string{"http://ice.test/", "http://canary.test/p", "http://moved.test/"} {
		ok(t, s.LeaveOut(ctx, d.ID, url, true))
	}
	if k := known(); !k.Empty() {
		t.Errorf("%+v without a page", k)
	}
	ok(t, s.OwnTopic(ctx, c.TopicID))
	views, err := s.TopicViews(ctx)
	if err != nil || len(views) != 2 || views[0].Name != "Glaciers" || views[0].Documents != 1 || views[0].Sessions != 0 || views[1].Documents != 0 {
		t.Errorf("%+v, %v", views, err)
	}
	e, err := s.Examples(ctx, c.TopicID)
	if err != nil || !slices.Equal(e.Documents, []int64{d.ID}) || len(e.Pages) != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestExamplesUseIndexes: looking for the sessions that visited pages reads no whole table.
func TestExamplesUseIndexes(t *testing.T) {
	s := open(t)
	for _, step := range fullScans(t, s.Readers, sessionsThatVisited, `["http://a.test/"]`) {
		t.Error(step)
	}
	for _, step := range fullScans(t, s.Readers, positivePages, 1) {
		if !strings.HasPrefix(step, "SCAN p") {
			t.Error(step)
		}
	}
}

// TestOwnPagesAreNoBackground: the pages of a crawl do not stand for the rest of the web when the crawl's own topic is trained, and
// do when another is.
func TestOwnPagesAreNoBackground(t *testing.T) {
	s, _, c, _ := mustMapped(t)
	urls := func(topic int64) (all []string) {
		t.Helper()
		pages := must(s.Background(t.Context(), topic))(t)
		for _, p := range pages {
			all = append(all, p.URL)
		}
		return all
	}
	if all := urls(c.TopicID); len(all) != 0 {
		t.Errorf("%q", all)
	}
	if all := urls(1); len(all) != 4 {
		t.Errorf("%q for another topic", all)
	}
}

// TestOwnCommunitiesAreNoOtherExamples: an example of another topic that is in a community of a topic's own map is not about
// something else. One that the map dropped may be.
func TestOwnCommunitiesAreNoOtherExamples(t *testing.T) {
	s, _, c, m := mustMapped(t)
	other := mustDocument(t, s, "other", "other.pdf")
	ok(t, s.PutPositives(t.Context(), other.ID, []Positive{{URL: "http://snow.test/"}, {URL: "http://firn.test/"}}))
	s.mustExec(t, "UPDATE map_pages SET community = -1 WHERE map_id = ? AND fetch_id = ?", m.ID, mustFetchID(t, s, "http://firn.test/"))
	examples := func(topic int64) (urls []string) {
		t.Helper()
		all := must(s.OtherExamples(t.Context(), 0, topic))(t)
		for _, e := range all {
			urls = append(urls, e.URL)
		}
		return urls
	}
	if got := examples(c.TopicID); !slices.Equal(got, []string{"http://firn.test/"}) {
		t.Errorf("%q", got)
	}
	if got := examples(1); !slices.Contains(got, "http://snow.test/") {
		t.Errorf("%q for another topic", got)
	}
}
