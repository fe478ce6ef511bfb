package trainingset

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/maps/mapstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustBegin notes a query and expects to be told neither to wait nor an error.
func mustBegin(t *testing.T, s *store.Store, q TitleQuery) {
	t.Helper()
	if wait, err := BeginQuery(t.Context(), s.DB, q, 0, 60); err != nil || wait != 0 {
		t.Fatalf("wait %v, %v", wait, err)
	}
}

func TestTitleQueries(t *testing.T) {
	s := storetest.Open(t)
	now := time.UnixMilli(1e6)
	s.Now = func() time.Time { return now }
	d := mapstest.Document(t, s, "a", "a.pdf")
	q := TitleQuery{d.ID, "http://x.test/", "ice"}
	state := func(want string, hits ...FoundPage) {
		t.Helper()
		got, pages, err := QueryAnswer(t.Context(), s.DB, q)
		if err != nil || got != want || len(pages)+len(hits) > 0 && !reflect.DeepEqual(pages, hits) {
			t.Errorf("%q %+v, %v; want %q %+v", got, pages, err, want, hits)
		}
	}
	state(QueryNew)
	mustBegin(t, s, q)
	state(QuerySent)
	if _, err := BeginQuery(t.Context(), s.DB, q, 0, 60); !errors.Is(err, ErrQuerySent) {
		t.Errorf("sent twice: %v", err)
	}
	storetest.OK(t, EndQuery(t.Context(), s.DB, q, nil, true))
	state(QueryRefused)
	mustBegin(t, s, q)
	hits := []FoundPage{{"http://b.test/", "B", "b"}, {"http://a.test/", "", ""}}
	storetest.OK(t, EndQuery(t.Context(), s.DB, q, hits, false))
	state(QueryAnswered, hits...)
	if _, err := BeginQuery(t.Context(), s.DB, q, 0, 60); !errors.Is(err, ErrQuerySent) {
		t.Errorf("asked again: %v", err)
	}
	if n, err := RequestsSent(t.Context(), s.DB, d.ID); err != nil || n != 2 {
		t.Errorf("%d requests, %v", n, err)
	}
	other := TitleQuery{d.ID, q.Provider, "snow"}
	if _, err := BeginQuery(t.Context(), s.DB, other, 0, 2); !errors.Is(err, ErrQueryLimit) {
		t.Errorf("over the limit: %v", err)
	}
	for at, want := range map[time.Duration]time.Duration{0: 2 * time.Second, time.Second: time.Second, -time.Hour: 2 * time.Second} {
		now = time.UnixMilli(1e6).Add(at)
		if wait, err := BeginQuery(t.Context(), s.DB, other, 2*time.Second, 60); err != nil || wait != want {
			t.Errorf("%v later: wait %v, %v; want %v", at, wait, err, want)
		}
	}
	now = time.UnixMilli(1e6).Add(2 * time.Second)
	if wait, err := BeginQuery(t.Context(), s.DB, other, 2*time.Second, 60); err != nil || wait != 0 {
		t.Errorf("after two seconds: wait %v, %v", wait, err)
	}
	mustBegin(t, s, TitleQuery{d.ID, "http://y.test/", "ice"}) // another instance has its own turn
}

// What is said of a host goes with the host, and what only a document asked for goes with the document.
func TestDocumentsAreErased(t *testing.T) {
	fill := func(t *testing.T) (*store.Store, maps.Document, maps.Document) {
		s := storetest.Open(t)
		a, b := mapstest.Document(t, s, "a", "http://canary.test/paper"), mapstest.Document(t, s, "b", "b.pdf")
		for i, q := range []TitleQuery{{a.ID, "http://x.test/", "only of a"}, {b.ID, "http://x.test/", "of b"}, {b.ID, "http://s.canary.test/", "to it"}} {
			mustBegin(t, s, q)
			hits := []FoundPage{{fmt.Sprintf("http://canary.test/%d", i), "canary", ""}, {"http://ice.test/", "Ice", ""}}
			storetest.OK(t, EndQuery(t.Context(), s.DB, q, hits, false))
		}
		for _, d := range []maps.Document{a, b} {
			storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, d.ID, []trainingdata.Positive{{URL: "http://canary.test/0", Snippet: "canary"}, {URL: "http://ice.test/"}}))
		}
		return s, a, b
	}
	t.Run("host", func(t *testing.T) {
		s, _, b := fill(t)
		for _, want := range []int{7, 0} { // a document, two positive pages, three hits and a query; then nothing
			if plan, err := erasing.PlanFor(t.Context(), s.DB, wings.Erasing, "canary.test"); err != nil || plan.Found != want || plan.Empty() != (want == 0) {
				t.Errorf("%+v, %v; want %d", plan, err, want)
			}
			storetest.Must(erasing.Host(t.Context(), s, wings.Erasing, "canary.test"))(t)
		}
		storetest.Grep(t, s, "canary")
		if all, err := maps.Documents(t.Context(), s.DB); err != nil || len(all) != 1 || all[0].ID != b.ID {
			t.Errorf("%+v, %v", all, err)
		}
		if all, err := trainingdata.Positives(t.Context(), s.DB, b.ID); err != nil || len(all) != 1 || all[0].URL != "http://ice.test/" {
			t.Errorf("%+v, %v", all, err)
		}
		if state, hits, err := QueryAnswer(t.Context(), s.DB, TitleQuery{Provider: "http://x.test/", Text: "of b"}); state != QueryAnswered || len(hits) != 1 || err != nil {
			t.Errorf("%s %+v, %v", state, hits, err)
		}
	})
	t.Run("document", func(t *testing.T) {
		s, a, _ := fill(t)
		m := storetest.Must(maps.Add(t.Context(), s.DB, maps.Map{Source: maps.FromDocument, Document: a.ID, Step: maps.StepTitles, State: maps.Waiting}))(t)
		storetest.OK(t, maps.Delete(t.Context(), s.DB, m.ID))
		storetest.Grep(t, s, "only of a")
		if n := storetest.Must(db.Single[int](t.Context(), s.Readers, "SELECT count(*) FROM title_queries"))(t); n != 2 {
			t.Errorf("%d queries are left", n)
		}
	})
	t.Run("all", func(t *testing.T) {
		s, _, _ := fill(t)
		storetest.OK(t, erasing.All(t.Context(), s))
		storetest.Grep(t, s, "canary")
		// An answer that arrives after the erasure is not kept.
		storetest.OK(t, EndQuery(t.Context(), s.DB, TitleQuery{1, "http://x.test/", "of b"}, []FoundPage{{URL: "http://canary.test/"}}, false))
		storetest.Grep(t, s, "canary")
	})
}

// TestTitleQueriesScanNoTable: what is run for each title takes as long with many stored answers as with few.
func TestTitleQueriesScanNoTable(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	d := mapstest.Document(t, s, "a", "a")
	q := TitleQuery{d.ID, "http://x.test/", "ice"}
	mustBegin(t, s, q)
	hits := []FoundPage{{"http://a.test/", "A", ""}}
	storetest.OK(t, EndQuery(t.Context(), s.DB, q, hits, false))
	if _, _, err := QueryAnswer(t.Context(), s.DB, q); err != nil {
		t.Fatal(err)
	}
	storetest.Must(RequestsSent(t.Context(), s.DB, d.ID))(t)
	storetest.OK(t, trainingdata.PutPositives(t.Context(), s.DB, d.ID, []trainingdata.Positive{{URL: "http://a.test/"}}))
	storetest.Must(trainingdata.Positives(t.Context(), s.DB, d.ID))(t)
	storetest.OK(t, trainingdata.LeaveOut(t.Context(), s.DB, d.ID, "http://a.test/", true))
	if len(all) < 8 {
		t.Errorf("only %d statements ran", len(all))
	}
	plain := storetest.Must(sql.Open("sqlite", db.DSN(s.Path(), "rw", "")))(t)
	defer plain.Close()
	plans.NoFullScans(t, plain, all)
}
