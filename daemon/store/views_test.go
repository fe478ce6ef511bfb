package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
)

// viewed is a store with a topic, a model and whatever a test adds.
type viewed struct {
	*Store
	t *testing.T
}

func newViewed(t *testing.T) *viewed {
	t.Helper()
	s := must(Open(t.Context(), empty(t)))(t)
	t.Cleanup(func() { s.Close() })
	v := &viewed{s, t}
	v.exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1), (2, 'Baking', 1)`)
	v.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'01', '{}', 1), (2, 2, 1, x'01', '{}', 1)`)
	return v
}

func (v *viewed) exec(text string, args ...any) {
	v.t.Helper()
	if _, err := v.Writer.Exec(text, args...); err != nil {
		v.t.Fatalf("%s: %v", text, err)
	}
}

// crawl adds a crawl of a night ("" for by hand) with finds of the given names.
func (v *viewed) crawl(id, topic int64, night string, at int64, names ...string) {
	v.t.Helper()
	v.exec(`INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, created_at) VALUES (?, ?, ?, ?, 'hmm', '{}', 'ended', ?)`,
		id, topic, topic, night, at)
	for i, name := range names {
		fetch := id*100 + int64(i)
		v.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, similarity, relevant, title)
			VALUES (?, ?, ?, ?, ?, 'a.test', 'ok', ?, 0.5, 1, ?)`, fetch, id, i+1, "http://a.test/"+name, "http://a.test/"+name, at, name)
		v.exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES (?, ?, ?, ?, ?, 'snippet', ?, ?)`,
			topic, id, fetch, "http://a.test/"+name, name, 1-float64(i)/10, at)
	}
}

func (v *viewed) titles(f FindFilter) string {
	v.t.Helper()
	all, err := v.FindViews(v.t.Context(), f)
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
	if got := v.titles(FindFilter{}); got != "likeliest likely alike similar old older" {
		t.Errorf("order %q", got)
	}
	if one, err := v.FindView(t.Context(), 5); err != nil || one.Title != "likeliest" || one.Useful != .8 {
		t.Errorf("%+v, %v", one, err)
	}
}

func TestFreshFinds(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "hand")
	if got := v.titles(FindFilter{State: "new"}); got != "hand" {
		t.Errorf("before the first night: %q", got)
	}
	v.crawl(2, 1, "2026-11-20", 20, "first", "second")
	v.crawl(3, 2, "2026-11-20", 21, "bread")
	if got := v.titles(FindFilter{State: "new"}); got != "bread first second hand" {
		t.Errorf("after the first night, with nothing seen: %q", got)
	}
	v.Now = func() time.Time { return time.UnixMilli(1000) }
	if n, err := v.See(t.Context(), []int64{1, 99}); err != nil || n != 1 {
		t.Errorf("%d finds seen, %v; want 1", n, err)
	}
	if n, err := v.See(t.Context(), []int64{1}); err != nil || n != 0 {
		t.Errorf("%d finds seen again, %v; want 0", n, err)
	}
	v.crawl(4, 1, "", 30, "noon")
	if got := v.titles(FindFilter{State: "new", Topic: 1}); got != "noon first second" {
		t.Errorf("after a run by hand: %q", got)
	}
	v.crawl(5, 1, "2026-11-21", 40)
	if got := v.titles(FindFilter{State: "new"}); got != "noon bread first second" {
		t.Errorf("a night that found nothing for hockey: %q; what nobody saw stays new", got)
	}
	for at, want := range map[int64]string{1000: "noon first second hand", 1001: "noon first second"} {
		if got := v.titles(FindFilter{State: "new", Topic: 1, Since: time.UnixMilli(at)}); got != want {
			t.Errorf("on a page opened at %d: %q, want %q", at, got, want)
		}
	}
	if got := v.titles(FindFilter{State: "open", Topic: 1}); got != "noon first second hand" {
		t.Errorf("not reviewed: %q", got)
	}
	v.crawl(6, 1, "2026-11-22", 50, "third", "fourth", "fifth")
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'useful', 1 FROM finds WHERE title = 'third'`)
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'not-useful', 1 FROM finds WHERE title = 'fifth'`)
	v.exec(`INSERT INTO feedback (find_id, mark, at) SELECT id, 'none', 2 FROM finds WHERE title = 'fifth'`)
	v.exec(`INSERT INTO pages (url) VALUES ('http://a.test/fourth')`)
	if got := v.titles(FindFilter{State: "new", Topic: 1}); got != "fifth noon first second" {
		t.Errorf("neither marked nor visited: %q", got)
	}
	o, err := v.Overview(t.Context())
	if err != nil || o.NewFinds != 5 {
		t.Errorf("%d new finds, %v", o.NewFinds, err)
	}
	counts, err := v.FindCounts(t.Context(), FindFilter{Topic: 1})
	if want := "map[all:7 later:0 maybe:0 new:4 not-useful:0 off-topic:0 open:5 useful:1]"; err != nil || fmt.Sprint(counts) != want {
		t.Errorf("%v, %v; want %s", counts, err, want)
	}
}

func TestFindText(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "100%sure", "100sure", "a_b", "aXb", `back\slash`, `quote'"`)
	for text, want := range map[string]string{"%": "100%sure", "_": "a_b", `\`: `back\slash`, `'`: `quote'"`, "A_B": "a_b", "snippet": "100%sure 100sure a_b aXb back\\slash quote'\"", "none": ""} {
		if got := v.titles(FindFilter{Text: text}); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
		ids, err := v.FindsWith(t.Context(), 0, text)
		if got := v.titles(FindFilter{Within: ids}); got != want || ids == nil || err != nil {
			t.Errorf("%q finds %v, which are %q, %v; want %q", text, ids, got, err, want)
		}
		by, err := v.FindCounts(t.Context(), FindFilter{Text: text})
		within, err2 := v.FindCounts(t.Context(), FindFilter{Within: ids})
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
	trail, err := v.TrailView(t.Context(), 102)
	if err != nil || len(trail) != 3 {
		t.Fatalf("%v, %v", trail, err)
	}
	if trail[0].Title != "start" || trail[0].Anchor != "" || trail[2].Anchor != "to end" || trail[1].Cluster != 3 || !slices.Equal(trail[1].States, []float64{0.25, 0.75}) {
		t.Errorf("%+v", trail)
	}
	v.exec(`UPDATE fetches SET parent_id = 102 WHERE id = 100`) // a loop, which nothing should ever write
	if trail, err = v.TrailView(t.Context(), 102); err != nil || len(trail) > 201 {
		t.Errorf("a loop: %d steps, %v", len(trail), err)
	}
}

// TestCurve compares the running sums with a plain loop.
func TestCurve(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10)
	outcomes := []string{"ok", "status", "robots", "ok", "canceled", "network"}
	var want []CurvePoint
	var last CurvePoint
	const fetches = 250
	for n := 1; n <= fetches; n++ {
		outcome, similarity, relevant := outcomes[n%len(outcomes)], float64(n%7)/8, n%5 == 0 && outcomes[n%len(outcomes)] == "ok"
		v.exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, similarity, relevant) VALUES (1, ?, ?, '', 'a.test', ?, 1, ?, ?)`,
			n, fmt.Sprint(n), outcome, similarity, relevant)
		if outcome == "robots" || outcome == "canceled" {
			continue
		}
		last.Fetched++
		if relevant {
			last.Relevant++
		}
		if outcome == "ok" {
			last.Pages++
			last.Similarity += similarity
		}
		want = append(want, last)
	}
	for _, points := range []int{1, 7, 100, 1000} {
		got := must(v.CrawlCurve(t.Context(), 1, points))(t)
		if len(got) == 0 || len(got) > points+2 || got[len(got)-1] != last {
			t.Errorf("%d points: %d, the last %+v; want %+v", points, len(got), got[len(got)-1], last)
		}
		for _, p := range got {
			if p != want[p.Fetched-1] {
				t.Errorf("%+v, want %+v", p, want[p.Fetched-1])
			}
		}
	}
	if got, err := v.CrawlCurve(t.Context(), 2, 10); err != nil || len(got) != 0 {
		t.Errorf("a crawl that fetched nothing: %v, %v", got, err)
	}
	hosts, err := v.CrawlHosts(t.Context(), 1)
	if err != nil || len(hosts) != 1 {
		t.Errorf("hosts %+v, %v; want one", hosts, err)
	}
	for _, h := range hosts {
		pages := 0
		for _, o := range h.Outcomes {
			pages += o.Count
		}
		if pages != fetches || len(h.Outcomes) != 5 || h.Outcomes[0].Outcome != "ok" {
			t.Errorf("outcomes %+v, want five of %d pages, ok first", h.Outcomes, fetches)
		}
	}
}

func TestViewsOfNothing(t *testing.T) {
	v := newViewed(t)
	if _, err := v.FindView(t.Context(), 1); err != db.ErrNotFound {
		t.Errorf("find: %v", err)
	}
	if _, err := v.CrawlView(t.Context(), 1); err != db.ErrNotFound {
		t.Errorf("crawl: %v", err)
	}
	if c := (CrawlView{}); c.Harvest() != 0 || !c.Live() {
		t.Errorf("an empty crawl: %v", c.Harvest())
	}
	v.crawl(1, 1, "", time.Now().UnixMilli(), "x")
	if c, err := v.CrawlView(t.Context(), 1); err != nil || c.Topic != "Hockey" || c.Finds != 1 || c.Live() {
		t.Errorf("%+v, %v", c, err)
	}
}
