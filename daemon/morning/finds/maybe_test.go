package finds

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// maybeCrawl stores a crawl of topic 1 that reads pages with the given chances of being useful, and ends it. A page is named by its
// chance in percent.
func (v *viewed) maybeCrawl(id int64, chances ...int) {
	v.t.Helper()
	v.maybeCrawlOf(crawls.Options{}, id, chances...)
}

func (v *viewed) maybeCrawlOf(o crawls.Options, id int64, chances ...int) {
	v.t.Helper()
	options := storetest.Must(json.Marshal(o))(v.t)
	v.exec(`INSERT INTO crawls (id, topic_id, model_id, night, strategy, options, status, created_at) VALUES (?1, 1, 1, '', 'hmm', ?2, 'running', ?1)`, id, string(options))
	for i, chance := range chances {
		text := []byte(fmt.Sprint("page ", id, i))
		c := storetest.Must(store.Packed(text))(v.t)
		v.exec(store.InsertContent, c.Hash[:], c.Gzip)
		v.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, useful, title, content_hash, text_hash)
			VALUES (?1, ?2, ?3, ?4, ?4, 'a.test', 'ok', ?2, ?5, ?6, ?7, ?1)`,
			id*1000+int64(i), id, i+1, fmt.Sprint("http://a.test/", chance), float64(chance)/100, fmt.Sprint(chance), c.Hash[:])
	}
	storetest.OK(v.t, crawls.End(v.t.Context(), v.DB, id, "done"))
}

func (v *viewed) maybes() string { return v.titles(Filter{State: store.StateMaybe, Limit: 200}) }

// counted checks the counts of Maybe and of the finds.
func (v *viewed) counted(doing string, maybe, all int) {
	v.t.Helper()
	counts := storetest.Must(Counts(v.t.Context(), v.DB, Filter{}))(v.t)
	if counts[store.StateMaybe] != maybe || counts["all"] != all {
		v.t.Errorf("%s: %v; want %d under Maybe of %d finds", doing, counts, maybe, all)
	}
}

// TestMaybe: when a crawl ends, what it read below the threshold and the person does not know is listed best first.
func TestMaybe(t *testing.T) {
	v := newViewed(t)
	v.crawl(1, 1, "", 10, "90")
	v.exec(`INSERT INTO pages (url) VALUES ('http://a.test/44')`)
	v.maybeCrawl(2, 20, 40, 0, 44, 90, 30)
	if got := v.maybes(); got != "40 30 20" {
		t.Errorf("%q are listed; want neither the visited page nor the one found before", got)
	}
	v.counted("after the crawl", 3, 1)
	v.maybeCrawl(3, 40, 10)
	if got := v.maybes(); got != "40 10 30 20" {
		t.Errorf("%q are listed after a page was read again", got)
	}
	v.maybeCrawlOf(crawls.Options{ForMap: true}, 4, 41)
	v.counted("after the crawl for a map", 4, 1)
	if got := v.titles(Filter{State: store.StateMaybe, Within: storetest.Must(With(t.Context(), v.DB, 1, "/30"))(t)}); got != "30" {
		t.Errorf("%q match", got)
	}
	if n := storetest.Count(t, v.Store, `SELECT count(*) FROM fetches WHERE title IN ('20', '30', '40', '10') AND content_hash IS NULL`); n != 0 {
		t.Errorf("the texts of %d pages are gone", n)
	}
}

// TestMarkMaybe: a mark makes a page under Maybe a find, and undoing it puts the page back, in both ways of undoing.
func TestMarkMaybe(t *testing.T) {
	v := newViewed(t)
	v.maybeCrawl(1, 20, 40)
	find := storetest.Must(List(t.Context(), v.DB, Filter{State: store.StateMaybe}))(t)[0]
	if states := storetest.Must(States(t.Context(), v.DB, []int64{find.ID}))(t); len(states) != 1 {
		t.Fatal("the page cannot be marked")
	}
	for _, mark := range []string{store.MarkUseful, store.MarkNotUseful, store.MarkLater, store.MarkOffTopic} {
		acted := storetest.Must(marks.PutAll(t.Context(), v.DB, []int64{find.ID}, mark))(t)
		if got := v.titles(Filter{State: mark}); got != "40" || v.maybes() != "20" {
			t.Errorf("%s: %q has the mark, %q is under Maybe", mark, got, v.maybes())
		}
		if teaches := len(acted.Topics) == 1; teaches != (mark != store.MarkLater) {
			t.Errorf("%s teaches %v", mark, acted.Topics)
		}
		v.counted(mark, 1, 1)
		if one := storetest.Must(ByID(t.Context(), v.DB, find.ID))(t); one.Mark != mark {
			t.Errorf("%+v is marked %s", one, mark)
		}
		if last := storetest.Must(LastAction(t.Context(), v.DB, find.FoundAt))(t); last.ID != acted.Action {
			t.Errorf("%s: the last action is %+v", mark, last)
		}
		storetest.Must(marks.Undo(t.Context(), v.DB, acted.Action))(t)
		v.counted("undone", 2, 0)
		storetest.Must(marks.PutAll(t.Context(), v.DB, []int64{find.ID}, mark))(t)
		storetest.Must(marks.PutAll(t.Context(), v.DB, []int64{find.ID}, store.MarkNone))(t)
		v.counted("mark removed", 2, 0)
		if got := v.maybes(); got != "40 20" {
			t.Errorf("%q is under Maybe after %s", got, mark)
		}
	}
	storetest.Must(marks.PutAll(t.Context(), v.DB, []int64{find.ID}, store.MarkUseful))(t)
	if examples := storetest.Must(trainingdata.MarkedFinds(t.Context(), v.DB, 1, trainingdata.AllMarks))(t); len(examples) != 1 {
		t.Errorf("a training learns from %v", examples)
	}
	storetest.Must(marks.Refuse(t.Context(), v.DB, "a.test"))(t)
	v.counted("site refused", 0, 0)
}

// TestOldMaybe: the pages of old crawls are dropped with their texts, unless the person ever marked them; few are kept of a crawl.
func TestOldMaybe(t *testing.T) {
	v := newViewed(t)
	v.maybeCrawl(1, 81, 82)
	id := storetest.Must(List(t.Context(), v.DB, Filter{State: store.StateMaybe}))(t)[0].ID
	storetest.OK(t, marks.Put(t.Context(), v.DB, id, store.MarkUseful))
	storetest.OK(t, marks.Put(t.Context(), v.DB, id, store.MarkNone))
	const maybeOfCrawl = 100
	many := make([]int, maybeOfCrawl+5)
	for i := range many {
		many[i] = i + 100
	}
	v.maybeCrawl(2, many...)
	v.counted("a large crawl", maybeOfCrawl+2, 0)
	v.exec(`DELETE FROM link_queue`) // the links of all pages were read
	v.maybeCrawl(3, 61)
	v.counted("three crawls", maybeOfCrawl+3, 0)
	v.maybeCrawlOf(crawls.Options{ForMap: true}, 4)
	v.counted("a crawl for a map", maybeOfCrawl+3, 0)
	v.maybeCrawl(5, 62)
	v.counted("four crawls", maybeOfCrawl+3, 0)
	if n := storetest.Count(t, v.Store, `SELECT count(*) FROM fetches WHERE title = '81' AND content_hash IS NULL`); n != 1 {
		t.Error("the text of a page that is no longer listed is kept")
	}
	var wrong []string
	for text, args := range map[string][]any{
		"SELECT count(*) FROM finds f WHERE " + store.Maybe:                nil,
		allFinds + " WHERE " + store.Maybe + findOrder + " LIMIT 40":       nil,
		"SELECT f.id FROM finds f WHERE f.id = 1 AND " + store.ListedFinds: nil,
	} {
		wrong = append(wrong, plans.FullScans(t, v.Readers, text, args...)...)
	}
	if slices.Sort(wrong); len(wrong) > 0 {
		t.Errorf("whole tables are read: %q", wrong)
	}
}
