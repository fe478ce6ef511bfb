package maps_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestEraseMapped: what documents and maps hold of a host goes with it. A map with pages of the host can be made again from
// the others, and one without them stays.
func TestEraseMapped(t *testing.T) {
	s, d, c, m := mapstest.Mapped(t)
	ctx := t.Context()
	plain := storetest.Must(maps.Add(ctx, s.DB, maps.Map{Source: maps.FromCrawl, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Working}))(t)
	said := storetest.Must(maps.Add(ctx, s.DB, maps.Map{Source: maps.FromCrawl, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Working}))(t)
	for id, result := range map[int64]string{plain.ID: `{}`, said.ID: `{"words":["of Canary.TEST"]}`} {
		storetest.OK(t, maps.Finish(ctx, s.DB, s.Erasures(), id, []byte(result), []maps.Page{{Fetch: mustFetchID(t, s, "http://ice.test/"), Community: 1}}))
	}
	failed := storetest.Must(maps.Add(ctx, s.DB, maps.Map{Source: maps.FromCrawl, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Failed, Problem: "canary.test does not answer"}))(t)
	plan, err := erasing.PlanFor(ctx, s.DB, wings.Erasing, "canary.test")
	if err != nil || plan.Maps != 2 || plan.Found != 3 { // a positive page, and two that were requested
		t.Errorf("%+v, %v", plan, err)
	}
	storetest.Must(erasing.Host(ctx, s, wings.Erasing, "canary.test"))(t)
	storetest.Grep(t, s, "canary")
	for _, content := range []string{"page http://canary.test/p", "page http://www.canary.test/moved", "crawled http://canary.test/mapped"} {
		c := storetest.Must(store.Packed([]byte("<p>" + content)))(t)
		if _, err := s.Content(ctx, c.Hash[:]); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s is still there: %v", content, err)
		}
	}
	for id, want := range map[int64]string{m.ID: maps.ErasedPages, said.ID: maps.ErasedPages, plain.ID: "", failed.ID: "go on to do this step again"} {
		now, err := maps.ByID(ctx, s.DB, id)
		pages, pagesErr := maps.PagesOf(ctx, s.DB, id)
		_, gone := maps.Result(ctx, s.DB, id)
		dropped := want == maps.ErasedPages
		if err := errors.Join(err, pagesErr); err != nil || now.Problem != want || errors.Is(gone, db.ErrNotFound) != (id != plain.ID) || (len(pages) == 1) != (id == plain.ID) {
			t.Errorf("map %d: %+v, %d pages, %v, %v", id, now, len(pages), gone, err)
		}
		if dropped && (now.State != maps.Failed || now.Step != maps.StepDrawing) {
			t.Errorf("map %d cannot be made again: %+v", id, now)
		}
	}
	titles, read, err := maps.DocumentTitles(ctx, s.DB, d.ID)
	if err != nil || !slices.Equal(titles, []string{"Ice"}) || !slices.Equal(read.URLs, []string{"http://ice.test/"}) || len(read.Warnings) != 0 {
		t.Errorf("%q, %+v, %v", titles, read, err)
	}
	left, err := trainingdata.PositivePages(ctx, s.DB, d.ID)
	if err != nil || len(left) != 2 || left[0].Hash == nil || left[1].Hash != nil || left[0].Reasons[0] != (trainingdata.PositiveReason{Stage: "phrase", Place: 1}) {
		t.Errorf("%+v, %v", left, err)
	}
	if plan, err := erasing.PlanFor(ctx, s.DB, wings.Erasing, "canary.test"); err != nil || !plan.Empty() {
		t.Errorf("%+v, %v after the erasure", plan, err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

func mustFetchID(t *testing.T, s *store.Store, url string) (id int64) {
	t.Helper()
	storetest.OK(t, s.Readers.QueryRow(`SELECT id FROM fetches WHERE final_url = ?`, url).Scan(&id))
	return id
}

// TestMappedContentsAreKept: a crawl that a map shows keeps all its pages when it ends, and any crawl the positive pages of
// documents; what only a deleted map needed goes.
func TestMappedContentsAreKept(t *testing.T) {
	s, d, c, m := mapstest.Mapped(t)
	ctx := t.Context()
	bare := crawlstest.Make(t, s, crawls.Crawl{TopicID: c.TopicID, ModelID: c.ModelID, Strategy: "test", Options: crawls.Options{Starts: []string{"http://b.test/"}}})
	storetest.Fetched(t, s, bare.ID, 1, "http://moved.test/", "http://moved.test/", "<p>positive")
	storetest.Fetched(t, s, bare.ID, 2, "http://useless.test/", "http://useless.test/", "<p>useless")
	count := func(crawl int64) int {
		return storetest.Count(t, s, fmt.Sprintf("SELECT count(*) FROM fetches JOIN contents ON hash = content_hash WHERE crawl_id = %d", crawl))
	}
	for crawl, want := range map[int64]int{c.ID: 4, bare.ID: 1} {
		storetest.OK(t, crawls.End(ctx, s.DB, crawl, "done"))
		linksRead(t, s)
		if n := count(crawl); n != want {
			t.Errorf("crawl %d keeps %d pages, want %d", crawl, n, want)
		}
	}
	storetest.OK(t, maps.Delete(ctx, s.DB, m.ID))
	linksRead(t, s)
	if all, err := maps.Documents(ctx, s.DB); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM contents"); n != count(bare.ID) {
		t.Errorf("%d contents are left of document %d, %d of the crawl without a map", n, d.ID, count(bare.ID))
	}
}

// TestDeleteMappedTopic: a topic goes with its document and maps, which the plan counts. The contents that only they had go, too.
func TestDeleteMappedTopic(t *testing.T) {
	s, d, c, _ := mapstest.Mapped(t)
	ctx := t.Context()
	storetest.OK(t, crawls.End(ctx, s.DB, c.ID, "done"))
	storetest.Must(maps.Add(ctx, s.DB, maps.Map{Source: maps.FromCrawl, Crawl: c.ID, Step: maps.StepDrawing, State: maps.Waiting}))(t)
	plan, err := sessions.PlanDeletion(ctx, s.DB, c.TopicID)
	if err != nil || plan.Document != 1 || plan.Positive != 3 || plan.Maps != 2 || plan.Crawls != 1 || plan.Bytes == 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	storetest.Must(sessions.DeleteTopic(ctx, s.DB, c.TopicID))(t)
	for _, table := range []string{"documents", "positives", "document_pages", "maps", "map_pages", "contents"} {
		if n := storetest.Count(t, s, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left of document %d", n, table, d.ID)
		}
	}
	storetest.Grep(t, s, "canary")
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// TestKnownPositives: what a topic without sessions has to learn from changes with its pages, whether they are left in, and the
// classifier that its newest map asks for, and with nothing else. It is the same when a training was stopped.
func TestKnownPositives(t *testing.T) {
	s, d, c, _ := mapstest.Mapped(t)
	ctx := t.Context()
	known := func() trainingdata.Known {
		t.Helper()
		k := storetest.Must(trainingdata.KnownOf(ctx, s.DB, c.TopicID))(t)
		return k
	}
	first := known()
	if first.Empty() || len(first.Sessions) != 0 || first.Positives == "" {
		t.Fatalf("%+v", first)
	}
	storetest.OK(t, trainingdata.SaveStopped(ctx, s.DB, c.TopicID, first))
	if k, err := trainingdata.Stopped(ctx, s.DB, c.TopicID); err != nil || !k.Equal(first) {
		t.Errorf("%+v, %v; want %+v", k, err, first)
	}
	seen := []trainingdata.Known{first}
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
	step("a page is left out", trainingdata.LeaveOut(ctx, s.DB, d.ID, "http://ice.test/", true))
	_, err := maps.Add(ctx, s.DB, maps.Map{Source: maps.FromDocument, Document: d.ID, Step: maps.StepTitles, State: maps.Waiting, Options: maps.Options{Paper: true}})
	step("the paper's classifier", err)
	storetest.OK(t, trainingdata.LeaveOut(ctx, s.DB, d.ID, "http://ice.test/", false))
	_, err = maps.Add(ctx, s.DB, maps.Map{Source: maps.FromDocument, Document: d.ID, Step: maps.StepTitles, State: maps.Waiting})
	if err != nil || !known().Equal(first) {
		t.Errorf("taken back: %+v, %v; want %+v", known(), err, first)
	}
	for _, url := range []string{"http://ice.test/", "http://canary.test/p", "http://moved.test/"} {
		storetest.OK(t, trainingdata.LeaveOut(ctx, s.DB, d.ID, url, true))
	}
	if k := known(); !k.Empty() {
		t.Errorf("%+v without a page", k)
	}
	storetest.OK(t, maps.OwnTopic(ctx, s.DB, c.TopicID))
	views, err := overview.Topics(ctx, s.DB)
	if err != nil || len(views) != 2 || views[0].Name != "Glaciers" || views[0].Documents != 1 || views[0].Sessions != 0 || views[1].Documents != 0 {
		t.Errorf("%+v, %v", views, err)
	}
	e, err := trainingdata.ExamplesOf(ctx, s.DB, c.TopicID)
	if err != nil || !slices.Equal(e.Documents, []int64{d.ID}) || len(e.Pages) != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestOwnPagesAreNoBackground: the pages of a crawl do not stand for the rest of the web when the crawl's own topic is trained, and
// do when another is.
func TestOwnPagesAreNoBackground(t *testing.T) {
	s, _, c, _ := mapstest.Mapped(t)
	urls := func(topic int64) (all []string) {
		t.Helper()
		pages := storetest.Must(trainingdata.Background(t.Context(), s.DB, topic, trainingdata.AllMarks))(t)
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
	s, _, c, m := mapstest.Mapped(t)
	other := mapstest.Document(t, s, "other", "other.pdf")
	storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, other.ID, []trainingdata.Positive{{URL: "http://snow.test/"}, {URL: "http://firn.test/"}}))
	storetest.Change(t, s, "UPDATE map_pages SET community = -1 WHERE map_id = ? AND fetch_id = ?", m.ID, mustFetchID(t, s, "http://firn.test/"))
	examples := func(topic int64) (urls []string) {
		t.Helper()
		all := storetest.Must(trainingdata.OtherExamples(t.Context(), s.DB, 0, topic))(t)
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
