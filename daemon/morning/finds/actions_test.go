package finds

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// reference is what finds and actions are by definition: each find has the mark of its last action that was not undone.
type reference struct {
	finds   map[int64]*refFind
	actions []refAction
	undone  map[int64]bool
}

type refFind struct {
	host          string
	topic         int64
	seen, visited bool
}

// refAction is an action as a whole: which finds it gave which mark, or what it did with a site.
type refAction struct {
	id    int64
	kind  string
	site  string
	finds []int64
}

func (r *reference) mark(find int64) string {
	for _, a := range slices.Backward(r.actions) {
		if !r.undone[a.id] && slices.Contains(a.finds, find) {
			return a.kind
		}
	}
	return store.MarkNone
}

func (r *reference) refuses(site string) bool {
	for _, a := range slices.Backward(r.actions) {
		if !r.undone[a.id] && a.site == site {
			return a.kind == store.ActionRefuse
		}
	}
	return false
}

func (r *reference) list(id int64) string {
	f := r.finds[id]
	for host := f.host; host != ""; _, host, _ = strings.Cut(host, ".") {
		if r.refuses(host) {
			return "refused"
		}
	}
	switch mark := r.mark(id); {
	case mark != store.MarkNone:
		return mark
	case f.visited:
		return "visited"
	case f.seen:
		return "seen"
	}
	return "new"
}

func actAtRandom(t *testing.T, rng *rand.Rand) {
	v := newViewed(t)
	hosts := []string{"a.test", "b.a.test", "c.test"}
	ref := &reference{finds: map[int64]*refFind{}, undone: map[int64]bool{}}
	for topic := range int64(2) {
		v.crawl(topic+1, topic+1, "", 10)
		for i := range 6 {
			host := hosts[rng.IntN(len(hosts))]
			fetch := topic*100 + int64(i) + 1
			v.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at) VALUES (?, ?, ?, ?, ?, ?, 'ok', 1)`, fetch, topic+1, i+1,
				fmt.Sprintf("http://%s/%d", host, fetch), fmt.Sprintf("http://%s/%d", host, fetch), host)
			v.exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful) VALUES (?, ?, ?, ?, ?, '', 0, 1, ?)`,
				topic+1, topic+1, fetch, fmt.Sprintf("http://%s/%d", host, fetch), fmt.Sprint(fetch), rng.Float64())
			ref.finds[int64(len(ref.finds)+1)] = &refFind{host: host, topic: topic + 1}
		}
	}
	ids := slices.Sorted(maps.Keys(ref.finds))
	some := func() []int64 {
		var list []int64
		for range 1 + rng.IntN(5) {
			list = append(list, ids[rng.IntN(len(ids))])
		}
		return list
	}
	for step := range 60 {
		v.doSomething(t, rng, ref, some)
		v.agrees(t, ref)
		if t.Failed() {
			t.Fatalf("after step %d: %+v, undone %v", step, ref.actions, ref.undone)
		}
	}
}

// doSomething does one random thing in the store and in the reference.
func (v *viewed) doSomething(t *testing.T, rng *rand.Rand, ref *reference, some func() []int64) {
	t.Helper()
	ctx := t.Context()
	kinds := []string{store.MarkUseful, store.MarkNotUseful, store.MarkLater, store.MarkOffTopic, store.MarkNone}
	var acted store.Acted
	var err error
	switch n := rng.IntN(20); {
	case n < 8:
		list, kind := some(), kinds[rng.IntN(len(kinds))]
		want := slices.DeleteFunc(db.Distinct(list), func(id int64) bool { return ref.mark(id) == kind })
		acted, err = marks.PutAll(ctx, v.DB, append(list, 999), kind)
		if !slices.Equal(acted.Finds, want) {
			t.Errorf("marked %v, want %v", acted.Finds, want)
		}
		if acted.Action != 0 {
			ref.actions = append(ref.actions, refAction{id: acted.Action, kind: kind, finds: want})
		}
	case n < 11:
		site := []string{"a.test", "b.a.test", "c.test", "test"}[rng.IntN(4)]
		kind := store.ActionRefuse
		if rng.IntN(2) == 0 {
			kind = store.ActionAllow
			acted, err = marks.Allow(ctx, v.DB, site)
		} else {
			acted, err = marks.Refuse(ctx, v.DB, site)
		}
		if changes := ref.refuses(site) != (kind == store.ActionRefuse); changes != (acted.Action != 0) {
			t.Errorf("%s %s: %+v, want a change: %v", kind, site, acted, changes)
		}
		if acted.Action != 0 {
			ref.actions = append(ref.actions, refAction{id: acted.Action, kind: kind, site: site})
		}
	case n < 16 && len(ref.actions) > 0:
		a := ref.actions[rng.IntN(len(ref.actions))]
		if rng.IntN(2) == 0 {
			a = ref.actions[len(ref.actions)-1]
		}
		before := map[int64]string{}
		for id := range ref.finds {
			before[id] = ref.mark(id)
		}
		ref.undone[a.id] = true
		var want []int64
		for _, id := range slices.Sorted(maps.Keys(before)) {
			if before[id] != ref.mark(id) {
				want = append(want, id)
			}
		}
		acted, err = marks.Undo(ctx, v.DB, a.id)
		if a.site == "" && !slices.Equal(acted.Finds, want) {
			t.Errorf("undoing changed %v, want %v", acted.Finds, want)
		}
	case n < 18:
		list := some()
		_, err = See(ctx, v.DB, list)
		for _, id := range list {
			ref.finds[id].seen = true
		}
	case n < 19:
		id := some()[0]
		ref.finds[id].visited = true
		v.exec(`INSERT OR IGNORE INTO pages (url) SELECT url FROM finds WHERE id = ?`, id)
	default:
		if err = v.Close(); err == nil {
			v.Store, err = store.Open(ctx, v.Path())
			t.Cleanup(func() { v.Store.Close() })
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// agrees compares every list and every count with the reference.
func (v *viewed) agrees(t *testing.T, ref *reference) {
	t.Helper()
	for topic := range int64(3) {
		counts := map[string]int{"new": 0, "open": 0, store.MarkLater: 0, store.MarkUseful: 0, store.MarkNotUseful: 0, store.MarkOffTopic: 0, store.StateMaybe: 0, "all": 0}
		want := map[string][]int64{}
		for _, id := range slices.Sorted(maps.Keys(ref.finds)) {
			list := ref.list(id)
			if list == "refused" || topic != 0 && ref.finds[id].topic != topic {
				continue
			}
			states := []string{"all", list}
			if list == "new" || list == "seen" {
				states = append(states, "open")
			}
			for _, state := range states {
				want[state] = append(want[state], id)
				if _, ok := counts[state]; ok {
					counts[state]++
				}
			}
		}
		got, err := Counts(t.Context(), v.DB, Filter{Topic: topic})
		scanned, also := Counts(t.Context(), v.DB, Filter{Topic: topic, Text: "http"})
		if err != nil || also != nil || !maps.Equal(got, counts) || !maps.Equal(scanned, counts) {
			t.Errorf("topic %d: counts %v, scanned %v, want %v; %v %v", topic, got, scanned, counts, err, also)
		}
		for _, state := range []string{"new", "open", store.MarkLater, store.MarkUseful, store.MarkNotUseful, store.MarkOffTopic, ""} {
			all, err := List(t.Context(), v.DB, Filter{Topic: topic, State: state})
			var ids []int64
			for _, f := range all {
				ids = append(ids, f.ID)
			}
			slices.Sort(ids)
			if name := map[bool]string{true: "all", false: state}[state == ""]; err != nil || !slices.Equal(ids, want[name]) {
				t.Errorf("topic %d, %q: %v, want %v; %v", topic, state, ids, want[name], err)
			}
		}
	}
}

// TestPagesOfAList: following From from page to page gives the list, and Until goes the same way back.
func TestPagesOfAList(t *testing.T) {
	v := newViewed(t)
	for crawl := range int64(3) {
		v.crawl(crawl+1, 1, "", 10, fmt.Sprint("a", crawl), fmt.Sprint("b", crawl), fmt.Sprint("c", crawl), fmt.Sprint("d", crawl))
	}
	whole := strings.Fields(v.titles(Filter{}))
	var walked []string
	from := int64(0)
	for {
		all := storetest.Must(List(t.Context(), v.DB, Filter{From: from, Limit: 5}))(t)
		if len(all) == 0 {
			break
		}
		for _, f := range all {
			walked = append(walked, f.Title)
		}
		from = all[len(all)-1].ID
	}
	if !slices.Equal(walked, whole) || len(whole) != 12 {
		t.Errorf("walked %v, want %v", walked, whole)
	}
	if got := v.titles(Filter{Until: from, Limit: 4}); got != strings.Join(whole[7:11], " ") {
		t.Errorf("before the last: %q", got)
	}
}

// TestListsOfFindsScanNoTable: lists, counts and marks read by an index, however many finds there are.
func TestListsOfFindsScanNoTable(t *testing.T) {
	s, all := record(t)
	find := dbtest.Find(t, s.DB)
	ctx := t.Context()
	clear(all)
	for _, f := range []Filter{{}, {State: "new"}, {State: "new", Since: time.Now()}, {State: "open", From: find}, {State: store.MarkLater, Until: find, Topic: 1}} {
		storetest.Must(List(ctx, s.DB, f))(t)
		storetest.Must(Counts(ctx, s.DB, f))(t)
	}
	acted := storetest.Must(marks.PutAll(ctx, s.DB, []int64{find}, store.MarkUseful))(t)
	_, see := See(ctx, s.DB, []int64{find})
	_, last := LastAction(ctx, s.DB, time.Time{})
	_, states := States(ctx, s.DB, []int64{find})
	_, undo := marks.Undo(ctx, s.DB, acted.Action)
	storetest.OK(t, errors.Join(see, last, states, undo))
	plain := storetest.Must(sql.Open("sqlite", db.DSN(s.Path(), "rw", "")))(t)
	defer plain.Close()
	maps.DeleteFunc(all, func(text string, _ []any) bool { return strings.Contains(text, "find_counts GROUP BY") }) // a row for each topic and list
	plans.NoFullScans(t, plain, all, "USING INDEX", "json_each")
}
