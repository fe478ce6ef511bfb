package calibration

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestJudgedFinds: the finds of the crawls asked for, without those of refused sites and those only asked about; of marks
// those that say something, of the topic, from the newest crawl on.
func TestJudgedFinds(t *testing.T) {
	s, one := crawlstest.Open(t, crawls.Options{})
	storetest.Change(t, s, "UPDATE crawls SET status = 'ended'")
	two := storetest.Must(crawls.Create(t.Context(), s.DB, crawls.Crawl{TopicID: one.TopicID, ModelID: 1, Strategy: "test"}))(t)
	crawls := []int64{one.ID, two}
	for i, mark := range []string{store.MarkNone, store.MarkUseful, store.MarkLater, store.MarkNotUseful, store.MarkOffTopic, store.MarkNone, store.MarkNone} {
		c := crawls[i%2]
		storetest.Change(t, s, `INSERT INTO fetches (crawl_id, n, url, final_url, host, at, outcome) VALUES (?, ?, ?3, ?3, 'ice.test', 0, 'ok')`, c, i, fmt.Sprint("http://ice.test/", i))
		storetest.Must(s.Writer.Exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, mark, refused, asked)
			VALUES (?, ?, (SELECT max(id) FROM fetches), ?, '', '', 0, 0, ?, ?, ?, ?)`,
			one.TopicID, c, fmt.Sprint("http://ice.test/", i), float64(i)/10, mark, i == 5, i == 6))(t)
	}
	told := func(all []JudgedFind, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, f := range all {
			if f.TopicID != one.TopicID {
				t.Errorf("%+v", f)
			}
			list = append(list, fmt.Sprintf("%d %.1f %s", f.CrawlID-crawls[0], f.Useful, f.Mark))
		}
		slices.Sort(list)
		return fmt.Sprint(list)
	}
	if got, want := told(JudgedFinds(t.Context(), s.DB, []int64{crawls[0]})), "[0 0.0 none 0 0.2 later 0 0.4 off-topic]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := told(JudgedFinds(t.Context(), s.DB, []int64{crawls[1], crawls[0]})),
		"[0 0.0 none 0 0.2 later 0 0.4 off-topic 1 0.1 useful 1 0.3 not-useful]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	marked, err := JudgedMarks(t.Context(), s.DB, one.TopicID)
	if got, want := told(marked, err), "[0 0.4 off-topic 1 0.1 useful 1 0.3 not-useful]"; got != want || marked[0].CrawlID != crawls[1] {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if none, err := JudgedMarks(t.Context(), s.DB, one.TopicID+1); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

// find is a find of mustNight: its number, the judge's probability, and its mark.
type find struct {
	n    int
	p    float64
	mark string
}

// mustNight stores a crawl that has ended, with finds.
func mustNight(t *testing.T, s *store.Store, topicID int64, finds ...find) (id int64) {
	t.Helper()
	storetest.OK(t, s.Writer.QueryRow(`INSERT INTO crawls (topic_id, model_id, strategy, options, status, fetched, created_at)
		VALUES (?, 1, 'link-value', '{}', 'ended', 100, 7) RETURNING id`, topicID).Scan(&id))
	for _, f := range finds {
		url := fmt.Sprintf("http://a.test/%d/%d", id, f.n)
		at := storetest.Fetched(t, s, id, f.n, url, url, "")
		storetest.Change(t, s, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, mark)
			VALUES (?, ?, ?, ?, '', '', 1, 1, ?, ?)`, topicID, id, at, url, f.p, f.mark)
	}
	return id
}

// TestYields: marks on other finds of the topic count; those put off, and those without a probability, do not.
func TestYields(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{})
	var open, marked []find
	for i := range 10 {
		open = append(open, find{i + 1, .5, store.MarkNone})
	}
	crawl := mustNight(t, s, c.TopicID, open...)
	yield := func() Yield {
		t.Helper()
		all, err := Yields(t.Context(), s.DB, []int64{crawl, 99})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[crawl]
	}
	plain := yield()
	if plain.Finds != 10 || plain.Open != 10 || plain.Unjudged != 0 || math.Abs(plain.Expected-5) > 1e-9 {
		t.Errorf("%+v", plain)
	}
	mustNight(t, s, c.TopicID, find{1, .5, store.MarkLater}, find{2, 0, store.MarkUseful})
	if same := yield(); same != plain {
		t.Errorf("%+v and %+v", plain, same)
	}
	for i := range 2 {
		marked = append(marked, find{i + 1, .9, store.MarkOffTopic}, find{i + 11, .9, store.MarkNotUseful})
	}
	mustNight(t, s, c.TopicID, marked...)
	if off := yield(); off.Expected >= plain.Expected || off.Finds != 10 || off.Open != 10 {
		t.Errorf("%+v and %+v", plain, off)
	}
	storetest.Change(t, s, `UPDATE finds SET useful = 0 WHERE id = (SELECT min(id) FROM finds WHERE crawl_id = ?)`, crawl)
	if got := yield(); got.Unjudged != 1 {
		t.Errorf("%+v", got)
	}
}
