package reason_test

import (
	"reflect"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/store/storetest"
)

func TestReasons(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10, "one", "two", "three")
	if ids, err := reason.Without(t.Context(), s.DB, 0, 2); err != nil || !reflect.DeepEqual(ids, []int64{3, 2}) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := reason.Without(t.Context(), s.DB, 2, 9); err != nil || !reflect.DeepEqual(ids, []int64{1}) {
		t.Errorf("%v, %v", ids, err)
	}
	full := finds.Reason{Words: []string{"tidal range", `<b>"&`}, Passage: "a\u202e\n<script>", Like: &finds.LikePage{URL: "http://x.test/a", Title: "X", MarkedAt: time.UnixMilli(7000).UTC()}}
	for id, r := range map[int64]finds.Reason{1: full, 2: {}, 99: full} {
		storetest.OK(t, reason.Put(t.Context(), s.DB, id, r))
	}
	if ids, err := reason.With(t.Context(), s.DB, 0, 9); err != nil || !reflect.DeepEqual(ids, []int64{2, 1}) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := reason.With(t.Context(), s.DB, 2, 9); err != nil || !reflect.DeepEqual(ids, []int64{1}) {
		t.Errorf("%v, %v", ids, err)
	}
	for id, want := range map[int64]*finds.Reason{1: &full, 2: {Words: []string{}}, 3: nil} {
		if f, err := finds.ByID(t.Context(), s.DB, id); err != nil || !reflect.DeepEqual(f.Reason, want) {
			t.Errorf("find %d: %+v, %v; want %+v", id, f.Reason, err, want)
		}
	}
	all, err := finds.List(t.Context(), s.DB, finds.Filter{})
	if err != nil || len(all) != 3 || !reflect.DeepEqual(all[0].Reason, &full) || all[2].Reason != nil {
		t.Errorf("%+v, %v", all, err)
	}
	full.Like = nil
	full.Words = []string{"other"}
	storetest.OK(t, reason.Put(t.Context(), s.DB, 1, full))
	if f, _ := finds.ByID(t.Context(), s.DB, 1); !reflect.DeepEqual(f.Reason, &full) {
		t.Errorf("replaced: %+v", f.Reason)
	}
	storetest.Change(t, s, `DELETE FROM finds WHERE id = 1`)
	if n := storetest.Count(t, s, `SELECT count(*) FROM reasons`); n != 1 {
		t.Errorf("%d reasons after a find was deleted", n)
	}
}

// What a reason says of a marked page is erased with that page.
func TestReasonsForgetErasedPages(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10, "one", "two")
	for id, url := range map[int64]string{1: "http://www.erased.test/", 2: "http://kept.test/erased.test"} {
		storetest.OK(t, reason.Put(t.Context(), s.DB, id, finds.Reason{Words: []string{"w"}, Like: &finds.LikePage{URL: url, Title: "Title", MarkedAt: time.UnixMilli(5)}}))
	}
	storetest.Must(erasing.Host(t.Context(), s, wings.Erasing, "erased.test"))(t)
	if n := storetest.Count(t, s, `SELECT count(*) FROM reasons WHERE like_url = '' AND like_title = '' AND like_at = 0 AND find_id = 1`); n != 1 {
		t.Error("the erased page is still named")
	}
	if f, err := finds.ByID(t.Context(), s.DB, 2); err != nil || f.Reason.Like == nil {
		t.Errorf("another page was forgotten, too: %+v, %v", f.Reason, err)
	}
	storetest.Change(t, s, `INSERT INTO pages (id, url) VALUES (5, 'http://kept.test/erased.test')`)
	err := s.Commit(t.Context(), func(w *db.Work) { sessions.RefreshPage(w, 5) }) // nothing visits it
	if f, _ := finds.ByID(t.Context(), s.DB, 2); err != nil || f.Reason.Like != nil {
		t.Errorf("a deleted page is still named: %+v, %v", f.Reason.Like, err)
	}
}

// A reason that was worked out while a site was erased, by a model that had learned from its pages, is not stored.
func TestReasonsOfErasedModels(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10, "one")
	storetest.Change(t, s, sessions.EmptyModel+`id = 1`)
	storetest.OK(t, reason.Put(t.Context(), s.DB, 1, finds.Reason{Words: []string{"w"}, Like: &finds.LikePage{URL: "http://erased.test/"}}))
	if n := storetest.Count(t, s, `SELECT count(*) FROM reasons`); n != 0 {
		t.Error("the erased page is named")
	}
}

func TestMarkedAt(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	storetest.Change(t, s, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (1, 'u', 1, 'c', 'submitted', 0)`)
	storetest.Change(t, s, `INSERT INTO pages (id, url) VALUES (1, 'http://x.test/')`)
	storetest.Change(t, s, `INSERT INTO visits (load, session_id, page_id, how, seq) VALUES ('l', 1, 1, 'typed', 1)`)
	storetest.Change(t, s, `INSERT INTO events (id, session_id, client, seq, at, type, page, body) VALUES ('e', 1, 'c', 2, 5000, 'useful', 'l', '{}'), ('f', 1, 'c', 3, 9000, 'back', 'l', '{}')`)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10, "one")
	storetest.Change(t, s, `INSERT INTO feedback (find_id, mark, at) VALUES (1, 'useful', 7000), (1, 'none', 8000)`)
	for _, c := range []struct {
		topic int64
		url   string
		want  int64
	}{{1, "http://x.test/", 5000}, {2, "http://x.test/", 0}, {1, "http://a.test/one", 7000}, {1, "http://y.test/", 0}} {
		at, err := reason.MarkedAt(t.Context(), s.DB, c.topic, c.url)
		if want := time.UnixMilli(c.want).UTC(); err != nil || c.want == 0 != at.IsZero() || c.want != 0 && !at.Equal(want) {
			t.Errorf("%d %s: %v, %v; want %v", c.topic, c.url, at, err, want)
		}
	}
}

// TestReasonsScanNoTable: no statement about reasons reads a whole table.
func TestReasonsScanNoTable(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10, "one")
	clear(all)
	storetest.OK(t, reason.Put(t.Context(), s.DB, 1, finds.Reason{Words: []string{"w"}, Like: &finds.LikePage{URL: "u"}}))
	storetest.Must(reason.MarkedAt(t.Context(), s.DB, 1, "u"))(t)
	plans.NoFullScans(t, s.Readers, all)
}
