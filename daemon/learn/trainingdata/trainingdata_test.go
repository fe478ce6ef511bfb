package trainingdata_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func TestMark(t *testing.T) {
	s := storetest.Open(t)
	find := dbtest.Find(t, s.DB)
	for _, mark := range []string{store.MarkNone, store.MarkUseful, store.MarkUseful, store.MarkNotUseful, store.MarkNone, store.MarkNotUseful} {
		storetest.OK(t, marks.Put(t.Context(), s.DB, find, mark))
		all, err := trainingdata.MarkedFinds(t.Context(), s.DB, 1, trainingdata.AllMarks)
		if err != nil || (len(all) == 0) != (mark == store.MarkNone) || len(all) > 1 {
			t.Fatalf("marked %s: %+v, %v", mark, all, err)
		}
		if len(all) == 0 {
			continue
		}
		got := all[0]
		if got.ID != find || got.Useful != (mark == store.MarkUseful) || len(got.Trail) != 1 || string(got.Trail[0].HTML) != "<p>found" {
			t.Errorf("marked %s: %+v", mark, got)
		}
	}
	var history int
	if err := s.Readers.QueryRow("SELECT count(*) FROM feedback").Scan(&history); err != nil || history != 4 {
		t.Errorf("%d marks in the history, %v; want each change once: 4", history, err)
	}
	if err := marks.Put(t.Context(), s.DB, find, "great"); err == nil {
		t.Error("an unknown mark was taken")
	}
	if err := marks.Put(t.Context(), s.DB, 999, store.MarkUseful); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a find that is not there: %v", err)
	}
}

// TestMarkedTrail checks which pages and links the trail of a marked find has, and where it tells of deleted pages.
func TestMarkedTrail(t *testing.T) {
	s := storetest.Open(t)
	find := dbtest.Find(t, s.DB)
	storetest.OK(t, marks.Put(t.Context(), s.DB, find, store.MarkUseful))
	for i, name := range []string{"start", "old", "list"} {
		storetest.Must(s.Writer.Exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, anchor, parent_id, content_hash)
			VALUES (?1, 1, ?1, ?2, ?3, 'ice.test', 'ok', 0, ?4, ?5, (SELECT content_hash FROM fetches WHERE id = 1))`, 10+i, "http://ice.test/to-"+name, "http://ice.test/"+name,
			strings.Repeat("to "+name, min(i, 1)), []any{nil, 10, 11}[i]))(t)
	}
	storetest.Must(s.Writer.Exec("UPDATE fetches SET parent_id = 12, anchor = 'to found' WHERE id = 1"))(t)
	trail := func() string {
		all := storetest.Must(trainingdata.MarkedFinds(t.Context(), s.DB, 1, trainingdata.AllMarks))(t)
		var text []string
		for _, step := range all[0].Trail {
			text = append(text, fmt.Sprintf("%s %s %q %v", strings.TrimPrefix(step.Requested, "http://ice.test/"),
				strings.TrimPrefix(step.URL, "http://ice.test/"), step.Anchor, step.Gap))
		}
		return strings.Join(text, "; ")
	}
	if got, want := trail(), `to-start start "" false; to-old old "to old" false; to-list list "to list" false; found found "to found" false`; got != want {
		t.Errorf("trail %s\nwant  %s", got, want)
	}
	storetest.Must(s.Writer.Exec("UPDATE fetches SET content_hash = NULL WHERE id IN (1, 11)"))(t)
	if got, want := trail(), `to-start start "" true; to-list list "to list" true`; got != want {
		t.Errorf("trail with deleted pages %s\nwant  %s", got, want)
	}
}

func TestCombinedMarks(t *testing.T) {
	s := storetest.Open(t)
	find := dbtest.Find(t, s.DB) // of topic 1
	curling := storetest.Must(topics.Create(t.Context(), s.DB, "Curling"))(t)
	ice := storetest.Must(topics.Combine(t.Context(), s.DB, "Ice", []int64{1, curling.ID}))(t)
	storetest.OK(t, marks.Put(t.Context(), s.DB, find, store.MarkUseful))
	if all, err := trainingdata.MarkedFinds(t.Context(), s.DB, ice.ID, trainingdata.AllMarks); err != nil || len(all) != 1 || !all[0].Useful {
		t.Errorf("marked finds %+v, %v; want the member's", all, err)
	}
	last, err := trainingdata.LastFeedback(t.Context(), s.DB, ice.ID)
	if err != nil || last == 0 {
		t.Errorf("last mark %d, %v", last, err)
	}
	if last, err := trainingdata.LastFeedback(t.Context(), s.DB, curling.ID); err != nil || last != 0 {
		t.Errorf("last mark of the other member %d, %v", last, err)
	}
}

// TestMarksThatTeach: what a training learns of each mark, and when it is due.
func TestMarksThatTeach(t *testing.T) {
	s := storetest.Open(t)
	find := dbtest.Find(t, s.DB)
	last := func() int64 {
		id := storetest.Must(trainingdata.LastFeedback(t.Context(), s.DB, 1))(t)
		return id
	}
	for _, c := range []struct {
		mark       string
		teaches    bool
		background int
		gone       bool
	}{
		{store.MarkLater, false, 0, true}, {store.MarkNone, false, 0, true}, {store.MarkUseful, true, 0, false}, {store.MarkLater, true, 0, true},
		{store.MarkOffTopic, true, 1, true}, {store.MarkNone, true, 0, true},
	} {
		before := last()
		storetest.OK(t, marks.Put(t.Context(), s.DB, find, c.mark))
		if (last() != before) != c.teaches {
			t.Errorf("%s: a training is due: %v", c.mark, last() != before)
		}
		own, err := trainingdata.Background(t.Context(), s.DB, 1, trainingdata.AllMarks)
		if err != nil || len(own) != c.background+1 && len(own) != c.background {
			t.Errorf("%s: background %v, %v", c.mark, own, err)
		}
		marked := slices.ContainsFunc(own, func(p trainingdata.BackgroundPage) bool { return p.Session == "" && p.Crawl == 0 })
		if marked != (c.background == 1) {
			t.Errorf("%s: in the background: %v", c.mark, marked)
		}
		news, err := crawls.MarksSince(t.Context(), s.DB, 1, 0)
		if err != nil || news[len(news)-1].Mark.Gone != c.gone {
			t.Errorf("%s: a crawl is told %+v, %v", c.mark, news[len(news)-1], err)
		}
	}
	storetest.Must(s.Writer.Exec("INSERT INTO topics (id, name, created_at) VALUES (2, 'Curling', 0)"))(t)
	for mark, want := range map[string]int{store.MarkOffTopic: 0, store.MarkNotUseful: 1} {
		storetest.OK(t, marks.Put(t.Context(), s.DB, find, mark))
		if other, err := trainingdata.Background(t.Context(), s.DB, 2, trainingdata.AllMarks); err != nil || len(other) != want {
			t.Errorf("%s: another topic's background is %v, %v", mark, other, err)
		}
	}
}

// TestStopped: what a stopped training would have learned from is stored as it was.
func TestStopped(t *testing.T) {
	s := storetest.Open(t)
	hockey := storetest.Must(topics.Create(t.Context(), s.DB, "Hockey"))(t)
	if _, err := trainingdata.Stopped(t.Context(), s.DB, hockey.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("nothing was stopped: %v", err)
	}
	for _, want := range []trainingdata.Known{{Sessions: []string{"a"}, Feedback: 3}, {Sessions: []string{}, Milestones: "names"}} {
		storetest.OK(t, trainingdata.SaveStopped(t.Context(), s.DB, hockey.ID, want))
		if got, err := trainingdata.Stopped(t.Context(), s.DB, hockey.ID); err != nil || !got.Equal(want) || got.Equal(trainingdata.Known{}) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
}
