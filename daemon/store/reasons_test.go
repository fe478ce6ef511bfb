package store

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
)

func TestReasons(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "one", "two", "three")
	if ids, err := v.FindsWithoutReason(t.Context(), 0, 2); err != nil || !reflect.DeepEqual(ids, []int64{3, 2}) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := v.FindsWithoutReason(t.Context(), 2, 9); err != nil || !reflect.DeepEqual(ids, []int64{1}) {
		t.Errorf("%v, %v", ids, err)
	}
	full := FindReason{Words: []string{"tidal range", `<b>"&`}, Passage: "a\u202e\n<script>", Like: &LikePage{"http://x.test/a", "X", time.UnixMilli(7000).UTC()}}
	for id, r := range map[int64]FindReason{1: full, 2: {}, 99: full} {
		ok(t, v.PutReason(t.Context(), id, r))
	}
	if ids, err := v.FindsWithReason(t.Context(), 0, 9); err != nil || !reflect.DeepEqual(ids, []int64{2, 1}) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := v.FindsWithReason(t.Context(), 2, 9); err != nil || !reflect.DeepEqual(ids, []int64{1}) {
		t.Errorf("%v, %v", ids, err)
	}
	for id, want := range map[int64]*FindReason{1: &full, 2: {Words: []string{}}, 3: nil} {
		if f, err := v.FindView(t.Context(), id); err != nil || !reflect.DeepEqual(f.Reason, want) {
			t.Errorf("find %d: %+v, %v; want %+v", id, f.Reason, err, want)
		}
	}
	all, err := v.FindViews(t.Context(), FindFilter{})
	if err != nil || len(all) != 3 || !reflect.DeepEqual(all[0].Reason, &full) || all[2].Reason != nil {
		t.Errorf("%+v, %v", all, err)
	}
	full.Like = nil
	full.Words = []string{"other"}
	ok(t, v.PutReason(t.Context(), 1, full))
	if f, _ := v.FindView(t.Context(), 1); !reflect.DeepEqual(f.Reason, &full) {
		t.Errorf("replaced: %+v", f.Reason)
	}
	v.exec(`DELETE FROM finds WHERE id = 1`)
	if n := v.rows(`SELECT count(*) FROM reasons`); n != 1 {
		t.Errorf("%d reasons after a find was deleted", n)
	}
}

// rows counts.
func (v *viewed) rows(text string, args ...any) (n int) {
	v.t.Helper()
	if err := v.Readers.QueryRow(text, args...).Scan(&n); err != nil {
		v.t.Fatal(err)
	}
	return n
}

// What a reason says of a marked page is erased with that page.
func TestReasonsForgetErasedPages(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "one", "two")
	for id, url := range map[int64]string{1: "http://www.erased.test/", 2: "http://kept.test/erased.test"} {
		ok(t, v.PutReason(t.Context(), id, FindReason{Words: []string{"w"}, Like: &LikePage{URL: url, Title: "Title", MarkedAt: time.UnixMilli(5)}}))
	}
	must(Keep.EraseHost(t.Context(), v.Store, "erased.test"))(t)
	if n := v.rows(`SELECT count(*) FROM reasons WHERE like_url = '' AND like_title = '' AND like_at = 0 AND find_id = 1`); n != 1 {
		t.Error("the erased page is still named")
	}
	if f, err := v.FindView(t.Context(), 2); err != nil || f.Reason.Like == nil {
		t.Errorf("another page was forgotten, too: %+v, %v", f.Reason, err)
	}
	v.exec(`INSERT INTO pages (id, url) VALUES (5, 'http://kept.test/erased.test')`)
	err := v.Commit(t.Context(), func(w *db.Work) { RefreshPage(w, 5) }) // nothing visits it
	if f, _ := v.FindView(t.Context(), 2); err != nil || f.Reason.Like != nil {
		t.Errorf("a deleted page is still named: %+v, %v", f.Reason.Like, err)
	}
}

func TestMarkedAt(t *testing.T) {
	v := newViewed(t)
	v.exec(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at) VALUES (1, 'u', 1, 'c', 'submitted', 0)`)
	v.exec(`INSERT INTO pages (id, url) VALUES (1, 'http://x.test/')`)
	v.exec(`INSERT INTO visits (load, session_id, page_id, how, seq) VALUES ('l', 1, 1, 'typed', 1)`)
	v.exec(`INSERT INTO events (id, session_id, client, seq, at, type, page, body) VALUES ('e', 1, 'c', 2, 5000, 'useful', 'l', '{}'), ('f', 1, 'c', 3, 9000, 'back', 'l', '{}')`)
	v.crawl(1, 1, "", 10, "one")
	v.exec(`INSERT INTO feedback (find_id, mark, at) VALUES (1, 'useful', 7000), (1, 'none', 8000)`)
	for _, c := range []struct {
		topic int64
		url   string
		want  int64
	}{{1, "http://x.test/", 5000}, {2, "http://x.test/", 0}, {1, "http://a.test/one", 7000}, {1, "http://y.test/", 0}} {
		at, err := v.MarkedAt(t.Context(), c.topic, c.url)
		if want := time.UnixMilli(c.want).UTC(); err != nil || c.want == 0 != at.IsZero() || c.want != 0 && !at.Equal(want) {
			t.Errorf("%d %s: %v, %v; want %v", c.topic, c.url, at, err, want)
		}
	}
}

// No statement about reasons reads a whole table.
func TestReasonsScanNoTable(t *testing.T) {
	s, all := record(t)
	v := &viewed{s, t}
	v.exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1)`)
	v.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1)`)
	v.crawl(1, 1, "", 10, "one")
	clear(all)
	ok(t, v.PutReason(t.Context(), 1, FindReason{Words: []string{"w"}, Like: &LikePage{URL: "u"}}))
	one := []FindView{{ID: 1}}
	if _, err := v.MarkedAt(t.Context(), 1, "u"); err != nil || v.withReasons(t.Context(), one) != nil || one[0].Reason == nil {
		t.Fatal(err, one)
	}
	ok(t, v.Commit(t.Context(), func(w *db.Work) { forgetLiked(w, "u") }))
	for text, args := range maps.Clone(all) {
		if strings.HasPrefix(text, "PRAGMA") {
			continue
		}
		for _, step := range fullScans(t, s.Readers, text, args...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}
