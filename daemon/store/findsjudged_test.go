package store

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestJudgedFinds: the finds of the crawls asked for, without those of refused sites and those only asked about; of marks
// those that say something, of the topic, from the newest crawl on.
func TestJudgedFinds(t *testing.T) {
	s := open(t)
	_, one := linking(t, s, 41)
	crawls := []Crawl{linkCrawl(t, s, one.TopicID, CrawlOptions{})}
	must(s.Writer.Exec("UPDATE crawls SET status = 'ended'"))(t)
	crawls = append(crawls, linkCrawl(t, s, one.TopicID, CrawlOptions{}))
	for i, mark := range []string{MarkNone, MarkUseful, MarkLater, MarkNotUseful, MarkOffTopic, MarkNone, MarkNone} {
		c := crawls[i%2].ID
		must(s.Writer.Exec(`INSERT INTO fetches (crawl_id, n, url, final_url, host, at, outcome) VALUES (?, ?, ?3, ?3, 'ice.test', 0, 'ok')`, c, i, fmt.Sprint("http://ice.test/", i)))(t)
		must(s.Writer.Exec(`INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, mark, refused, asked)
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
			list = append(list, fmt.Sprintf("%d %.1f %s", f.CrawlID-crawls[0].ID, f.Useful, f.Mark))
		}
		slices.Sort(list)
		return fmt.Sprint(list)
	}
	if got, want := told(s.JudgedFinds(t.Context(), []int64{crawls[0].ID})), "[0 0.0 none 0 0.2 later 0 0.4 off-topic]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := told(s.JudgedFinds(t.Context(), []int64{crawls[1].ID, crawls[0].ID})),
		"[0 0.0 none 0 0.2 later 0 0.4 off-topic 1 0.1 useful 1 0.3 not-useful]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	marked, err := s.JudgedMarks(t.Context(), one.TopicID)
	if got, want := told(marked, err), "[0 0.4 off-topic 1 0.1 useful 1 0.3 not-useful]"; got != want || marked[0].CrawlID != crawls[1].ID {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if none, err := s.JudgedMarks(t.Context(), one.TopicID+1); err != nil || len(none) != 0 {
		t.Errorf("%v, %v", none, err)
	}
}

// TestYields: marks on other finds of the topic count; those put off, and those without a probability, do not.
func TestYields(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{})
	var open, marked []nightFind
	for i := range 10 {
		open = append(open, nightFind{i + 1, .5, MarkNone})
	}
	crawl := mustNight(t, s, c.TopicID, 100, "", `{}`, open...)
	yield := func() Yield {
		t.Helper()
		all, err := s.Yields(t.Context(), []int64{crawl, 99})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[crawl]
	}
	plain := yield()
	if plain.Finds != 10 || plain.Open != 10 || plain.Unjudged != 0 || math.Abs(plain.Expected-5) > 1e-9 {
		t.Errorf("%+v", plain)
	}
	mustNight(t, s, c.TopicID, 100, "", `{}`, nightFind{1, .5, MarkLater}, nightFind{2, 0, MarkUseful})
	if same := yield(); same != plain {
		t.Errorf("%+v and %+v", plain, same)
	}
	for i := range 2 {
		marked = append(marked, nightFind{i + 1, .9, MarkOffTopic}, nightFind{i + 11, .9, MarkNotUseful})
	}
	mustNight(t, s, c.TopicID, 100, "", `{}`, marked...)
	if off := yield(); off.Expected >= plain.Expected || off.Finds != 10 || off.Open != 10 {
		t.Errorf("%+v and %+v", plain, off)
	}
	s.mustExec(t, `UPDATE finds SET useful = 0 WHERE id = (SELECT min(id) FROM finds WHERE crawl_id = ?)`, crawl)
	if got := yield(); got.Unjudged != 1 {
		t.Errorf("%+v", got)
	}
}
