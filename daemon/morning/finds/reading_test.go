package finds

import (
	"database/sql"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/migrations"
)

// What a strategy said of a page is kept with it, and the trail and the find tell it.
func TestJudgementIsKept(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	journal := crawls.NewJournal(s.DB, c)
	record := func(n int, url string, j strategy.Judgement) {
		t.Helper()
		body := []byte("<p>" + url)
		storetest.OK(t, journal.Commit(t.Context(), &crawler.Batch{Fetches: []*crawler.Fetch{{
			N: n, URL: url, FinalURL: url, ParentN: n - 1, Judgement: j, Relevant: j.Relevant, TextHash: int64(n),
			Response: fetch.Response{Outcome: fetch.OK, Body: body}, Page: &page.Page{URL: url, Text: url},
		}}}))
	}
	evidence, signs := []float64{.5, 1.25, 0, 1e-12}, []float64{0, -1.5, -1000.25}
	record(1, "http://a.test/", strategy.Judgement{Cluster: -1})
	record(2, "http://a.test/1", strategy.Judgement{Useful: .25, Evidence: evidence, Signs: signs, Similarity: math.NaN()})
	record(3, "http://a.test/2", strategy.Judgement{Useful: .75, Evidence: evidence[:2], Relevant: true, Similarity: .5})
	finds, err := List(t.Context(), s.DB, Filter{})
	if err != nil || len(finds) != 1 || finds[0].Useful != .75 || finds[0].Similarity != .5 {
		t.Fatalf("finds %+v, %v", finds, err)
	}
	trail, err := Trail(t.Context(), s.DB, finds[0].FetchID)
	if err != nil || len(trail) != 3 {
		t.Fatalf("trail %+v, %v", trail, err)
	}
	for i, want := range [][]float64{{}, evidence, evidence[:2]} {
		if got := Evidence(trail)[i]; !slices.Equal(got, want) {
			t.Errorf("step %d: evidence %v, want %v", i, got, want)
		}
	}
	if got := Signs(trail); len(got[0])+len(got[2]) > 0 || !slices.Equal(got[1], signs) {
		t.Errorf("signs %v", got)
	}
	if trail[1].Useful != .25 || trail[1].Similarity != 0 || trail[0].Useful != 0 {
		t.Errorf("trail %+v", trail)
	}
}

// A database of the first version keeps its finds and their trails; what was not kept then is said to be unknown.
func TestReadingOfVersionOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	plain := storetest.Must(sql.Open("sqlite", db.DSN(path, "rwc", "")))(t)
	defer plain.Close()
	first := storetest.Must(fs.ReadFile(migrations.Files, "0001_init.sql"))(t)
	storetest.OK(t, db.Migrate(t.Context(), plain, fstest.MapFS{"0001_init.sql": {Data: first}}))
	for _, text := range []string{
		`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1)`,
		`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'', '{}', 1)`,
		`INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (1, 1, 1, 'hmm', '{}', 'ended', 1)`,
		`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at) VALUES (1, 1, 1, 'http://a.test/', 'http://a.test/', 'a.test', 'ok', 1)`,
		`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, parent_id, states, similarity, relevant)
			VALUES (2, 1, 2, 'http://a.test/1', 'http://a.test/1', 'a.test', 'ok', 2, 1, '[0.5,0.25,0.25,0]', 0.75, 1)`,
		`INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at)
			VALUES (1, 1, 1, 2, 'http://a.test/1', 'One', 'snippet', 0.75, 2)`,
	} {
		if _, err := plain.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	storetest.OK(t, plain.Close())
	s := storetest.Must(store.Open(t.Context(), path))(t)
	defer s.Close()
	f, err := ByID(t.Context(), s.DB, 1)
	if err != nil || f.Title != "One" || f.Similarity != .75 || f.Useful != 0 {
		t.Errorf("find %+v, %v", f, err)
	}
	trail, err := Trail(t.Context(), s.DB, f.FetchID)
	if err != nil || len(trail) != 2 || len(trail[1].States) != 4 || len(trail[1].Evidence) != 0 || trail[1].Useful != 0 {
		t.Errorf("trail %+v, %v", trail, err)
	}
}
