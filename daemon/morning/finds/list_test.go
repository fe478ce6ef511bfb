package finds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// viewed is a store with a topic, a model and whatever a test adds.
type viewed struct {
	*store.Store
	t *testing.T
}

func newViewed(t *testing.T) *viewed {
	t.Helper()
	s := storetest.Must(store.Open(t.Context(), storetest.Path(t)))(t)
	t.Cleanup(func() { s.Close() })
	v := &viewed{s, t}
	dbtest.Topics(t, v.DB)
	return v
}

func (v *viewed) exec(text string, args ...any) {
	v.t.Helper()
	dbtest.Exec(v.t, v.DB, text, args...)
}

// crawl is dbtest.Crawl.
func (v *viewed) crawl(id, topic int64, night string, at int64, names ...string) {
	v.t.Helper()
	dbtest.Crawl(v.t, v.DB, id, topic, night, at, names...)
}

func (v *viewed) titles(f Filter) string {
	v.t.Helper()
	all, err := List(v.t.Context(), v.DB, f)
	if err != nil {
		v.t.Fatal(err)
	}
	var names []string
	for _, one := range all {
		names = append(names, one.Title)
	}
	return strings.Join(names, " ")
}

// Within a run the likeliest useful find comes first; of equally likely ones, and of those from before there was a
// judge, the most similar.
func TestOrderOfFinds(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "old", "older")
	v.crawl(2, 1, "", 20, "similar", "likely", "likeliest", "alike")
	for name, useful := range map[string]float64{"likely": .7, "likeliest": .8, "similar": .1, "alike": .7} {
		v.exec(`UPDATE finds SET useful = ? WHERE title = ?`, useful, name)
	}
	if got := v.titles(Filter{}); got != "likeliest likely alike similar old older" {
		t.Errorf("order %q", got)
	}
	if one, err := ByID(t.Context(), v.DB, 5); err != nil || one.Title != "likeliest" || one.Useful != .8 {
		t.Errorf("%+v, %v", one, err)
	}
}

func TestFreshFinds(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "hand")
	if got := v.titles(Filter{State: "new"}); got != "hand" {
		t.Errorf("before the first night: %q", got)
	}
	v.crawl(2, 1, "2026-11-20", 20, "first", "second")
	v.crawl(3, 2, "2026-11-20", 21, "bread")
	if got := v.titles(Filter{State: "new"}); got != "bread first second hand" {
		t.Errorf("after the first night, with nothing seen: %q", got)
	}
	v.Now = func() time.Time { return time.UnixMilli(1000) }
	if n, err := See(t.Context(), v.DB, []int64{1, 99}); err != nil || n != 1 {
		t.Errorf("%d finds seen, %v; want 1", n, err)
	}
	if n, err := See(t.Context(), v.DB, []int64{1}); err != nil || n != 0 {
		t.Errorf("%d finds seen again, %v; want 0", n, err)
	}
	v.crawl(4, 1, "", 30, "noon")
	if got := v.titles(Filter{State: "new", Topic: 1}); got != "noon first second" {
		t.Errorf("after a run by hand: %q", got)
	}
	v.crawl(5, 1, "2026-11-21", 40)
	if got := v.titles(Filter{State: "new"}); got != "noon bread first second" {
		t.Errorf("a night that found nothing for hockey: %q; what nobody saw stays new", got)
	}
	for at, want := range map[int64]string{1000: "noon first second hand", 1001: "noon first second"} {
		if got := v.titles(Filter{State: "new", Topic: 1, Since: time.UnixMilli(at)}); got != want {
			t.Errorf("on a page opened at %d: %q, want %q", at, got, want)
		}
	}
	if got := v.titles(Filter{State: "open", Topic: 1}); got != "noon first second hand" {
		t.Errorf("not reviewed: %q", got)
	}
	v.crawl(6, 1, "2026-11-22", 50, "third", "fourth", "fifth")
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'useful', 1 FROM finds WHERE title = 'third'`)
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'not-useful', 1 FROM finds WHERE title = 'fifth'`)
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'none', 2 FROM finds WHERE title = 'fifth'`)
	v.exec(`INSERT INTO pages (url) VALUES ('http://a.test/fourth')`)
	if got := v.titles(Filter{State: "new", Topic: 1}); got != "fifth noon first second" {
		t.Errorf("neither marked nor visited: %q", got)
	}
	o, err := overview.Read(t.Context(), v.DB)
	if err != nil || o.NewFinds != 5 {
		t.Errorf("%d new finds, %v", o.NewFinds, err)
	}
	counts, err := Counts(t.Context(), v.DB, Filter{Topic: 1})
	if want := "map[all:7 later:0 maybe:0 new:4 not-useful:0 off-topic:0 open:5 useful:1]"; err != nil || fmt.Sprint(counts) != want {
		t.Errorf("%v, %v; want %s", counts, err, want)
	}
}

func TestFindText(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "100%sure", "100sure", "a_b", "aXb", `back\slash`, `quote'"`)
	for text, want := range map[string]string{"%": "100%sure", "_": "a_b", `\`: `back\slash`, `'`: `quote'"`, "A_B": "a_b", "snippet": "100%sure 100sure a_b aXb back\\slash quote'\"", "none": ""} {
		if got := v.titles(Filter{Text: text}); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
		ids, err := With(t.Context(), v.DB, 0, text)
		if got := v.titles(Filter{Within: ids}); got != want || ids == nil || err != nil {
			t.Errorf("%q finds %v, which are %q, %v; want %q", text, ids, got, err, want)
		}
		by, err := Counts(t.Context(), v.DB, Filter{Text: text})
		within, err2 := Counts(t.Context(), v.DB, Filter{Within: ids})
		if !maps.Equal(by, within) || err != nil || err2 != nil {
			t.Errorf("%q: %v by the text, %v by the finds with it, %v %v", text, by, within, err, err2)
		}
	}
}

func TestTrail(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "start", "middle", "end")
	v.exec(`UPDATE fetches SET parent_id = id - 1, anchor = 'to ' || title WHERE id > 100`)
	v.exec(`UPDATE fetches SET states = '[0.25,0.75]', cluster = 3 WHERE title = 'middle'`)
	trail, err := Trail(t.Context(), v.DB, 102)
	if err != nil || len(trail) != 3 {
		t.Fatalf("%v, %v", trail, err)
	}
	if trail[0].Title != "start" || trail[0].Anchor != "" || trail[2].Anchor != "to end" || trail[1].Cluster != 3 || !slices.Equal(trail[1].States, []float64{0.25, 0.75}) {
		t.Errorf("%+v", trail)
	}
	v.exec(`UPDATE fetches SET parent_id = 102 WHERE id = 100`) // a loop, which nothing should ever write
	if trail, err = Trail(t.Context(), v.DB, 102); err != nil || len(trail) > 201 {
		t.Errorf("a loop: %d steps, %v", len(trail), err)
	}
}

func TestViewsOfNothing(t *testing.T) {
	v := newViewed(t)
	if _, err := ByID(t.Context(), v.DB, 1); err != db.ErrNotFound {
		t.Errorf("find: %v", err)
	}
}
