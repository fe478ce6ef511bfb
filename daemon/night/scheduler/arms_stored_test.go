package scheduler

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model/arms"
)

// TestArmCrawls: what strategies brought is read from picks, finds and marks; strategies that changed places are compared as
// the same pair.
func TestArmCrawls(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Second: "learner", SecondShare: 20})
	var want arms.Night
	want.Share = 20
	found := 0
	for n := 1; n <= 40; n++ {
		pick, second := (n+1)/2, n%2 == 0
		url := fmt.Sprint("http://a.test/", n)
		id := storetest.Fetched(t, s, c.ID, n, url, url, "")
		if n > 36 { // before the strategies took turns
			continue
		}
		signed := pick
		k := 0
		if second {
			signed, k = -pick, 1
		}
		storetest.Change(t, s, `UPDATE fetches SET pick = ?, cost = 1 WHERE id = ?`, signed, id)
		want.Picks[k]++
		if n%3 == 0 {
			found++
			f := arms.Find{Pick: pick, Second: second, Worth: float64(n) / 50}
			want.Finds = append(want.Finds, f)
			storetest.Change(t, s, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful) VALUES (?, ?, ?, ?, '', '', 1, 1, ?)`,
				c.TopicID, c.ID, id, url, f.Worth)
		}
	}
	got, err := ArmCrawls(t.Context(), s.DB, c.TopicID)
	if err != nil || len(got) != 1 || found < 5 || !reflect.DeepEqual(got[0].Night, want) {
		t.Fatalf("%+v, want %+v (%v)", got, want, err)
	}
	views, err := finds.List(t.Context(), s.DB, finds.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range views {
		if err := marks.Put(t.Context(), s.DB, v.ID, []string{store.MarkUseful, store.MarkNotUseful, store.MarkOffTopic}[i%3]); err != nil {
			t.Fatal(err)
		}
	}
	one, err := ArmCrawlByID(t.Context(), s.DB, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range one.Night.Finds {
		sum += f.Worth
	}
	if marked := storetest.Must(db.Single[int](t.Context(), s.Readers, "SELECT count(*) FROM finds WHERE mark = 'useful'"))(t); sum != float64(marked) {
		t.Errorf("worth %g, marked %d", sum, marked)
	}
	turned := one
	turned.First, turned.Second = one.Second, one.First
	v, w := CompareArms([]ArmCrawl{one, turned}, "test", "learner"), CompareArms([]ArmCrawl{one, turned}, "learner", "test")
	if v.Nights != 2 || v.Arms[0] != v.Arms[1] || math.Abs(v.Ratio.Value-1) > 1e-6 || w.Arms != v.Arms {
		t.Errorf("the same night with both in either place: %+v, %+v", v, w)
	}
	if v := CompareArms([]ArmCrawl{one}, "test", "other"); v.Nights != 0 {
		t.Errorf("another pair: %+v", v)
	}
}

// TestTopicStrategy: the last choice of a topic's strategy holds; undoing that of the nights brings the one before back and
// keeps them from changing it; a choice of the person is not undone so.
func TestTopicStrategy(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{})
	hold := func(want TopicStrategy) {
		t.Helper()
		got, err := StrategyOf(t.Context(), s.DB, c.TopicID)
		if want.At = got.At; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v (%v)", got, want, err)
		}
	}
	hold(TopicStrategy{})
	v := arms.Verdict{Nights: 3, Enough: true, Ratio: arms.Interval{Value: 2, Low: 1.2, High: arms.Unbounded}, Winner: arms.B}
	for _, step := range []struct {
		choose *TopicStrategy // nil: undo
		want   TopicStrategy
	}{
		{nil, TopicStrategy{}},
		{&TopicStrategy{ChosenBy: ByNights, Strategy: "hmm", Second: "link-value", Verdict: &v}, TopicStrategy{ChosenBy: ByNights, Strategy: "hmm", Second: "link-value", Verdict: &v}},
		{nil, TopicStrategy{ChosenBy: ByYou, Fixed: true}},
		{nil, TopicStrategy{ChosenBy: ByYou, Fixed: true}},
		{&TopicStrategy{ChosenBy: ByYou, Strategy: "crf"}, TopicStrategy{ChosenBy: ByYou, Strategy: "crf"}},
		{&TopicStrategy{ChosenBy: ByNights, Strategy: "hmm", Second: "crf"}, TopicStrategy{ChosenBy: ByNights, Strategy: "hmm", Second: "crf"}},
		{nil, TopicStrategy{ChosenBy: ByYou, Strategy: "crf", Fixed: true}},
	} {
		var err error
		if step.choose == nil {
			err = UndoStrategy(t.Context(), s.DB, c.TopicID)
		} else {
			err = ChooseStrategy(t.Context(), s.DB, c.TopicID, *step.choose)
		}
		if err != nil {
			t.Fatal(err)
		}
		hold(step.want)
	}
}
