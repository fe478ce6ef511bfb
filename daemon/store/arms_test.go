package store

import (
	"math"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/model/arms"
)

// mustTwo crawls some pages of the made-up web with two strategies.
func mustTwo(t *testing.T, pages int) (*Store, Crawl, []*crawler.Fetch) {
	t.Helper()
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{crawlURL(0)}, Second: "learner", SecondShare: 20})
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	var all []*crawler.Fetch
	mustRunCrawl(t, s, c.ID, crawler.Budget{}, crawlStrategy{}, crawlClient{server.URL}, crawler.Options{
		Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) { all = append(all, f) },
	})
	return s, c, all
}

// TestSecondIsKept: what both strategies know about links, what they learned and all picks come back as they were. A crawl that
// ended keeps only the picks.
func TestSecondIsKept(t *testing.T) {
	s, c, all := mustTwo(t, 60)
	r, err := s.ResumeCrawl(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]any{}
	var picks []strategy.PickCost
	for _, f := range all {
		for _, e := range f.Queued {
			last[e.URL] = e.Note
		}
		if f.Learned != nil {
			last["learned"] = f.Learned
		}
		if f.Pick != 0 {
			picks = append(picks, strategy.PickCost{N: f.Pick, Cost: f.Cost})
		}
	}
	if !reflect.DeepEqual(last["learned"], r.Learned) || len(r.Learned) == 0 || !slices.Equal(r.Picked, picks) || len(picks) < 40 {
		t.Errorf("learned %q, picked %v; want %q, %v", r.Learned, r.Picked, last["learned"], picks)
	}
	n := 0
	mustLinks(t, r, func(e any, url string) {
		n++
		if !reflect.DeepEqual(e, last[url]) {
			t.Errorf("%s: %+v, want %+v", url, e, last[url])
		}
	})
	if n < 10 {
		t.Errorf("%d links", n)
	}
	if err := s.EndCrawl(t.Context(), c.ID, "done"); err != nil {
		t.Fatal(err)
	}
	if n := mustCount(t, s, "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM frontier WHERE note IS NOT NULL)"); n != 0 {
		t.Errorf("%d things that the strategies knew are left", n)
	}
	if got := mustCount(t, s, "SELECT count(DISTINCT abs(pick)) FROM fetches WHERE pick <> 0"); got != len(picks) {
		t.Errorf("%d picks of %d", got, len(picks))
	}
}

func mustLinks(t *testing.T, r *crawler.Resume, each func(note any, url string)) {
	t.Helper()
	if err := r.Links(t.Context(), func(e frontier.Entry) { each(e.Note, e.URL) }); err != nil {
		t.Fatal(err)
	}
}

// TestErasedSiteLeavesNoNotes: erasing a site takes what two strategies keep about links with it, and what they learned.
func TestErasedSiteLeavesNoNotes(t *testing.T) {
	s, c, all := mustTwo(t, 40)
	host := all[len(all)-1].FinalURL
	host, _, _ = strings.Cut(strings.TrimPrefix(host, "http://"), "/")
	if _, err := Keep.EraseHost(t.Context(), s, host); err != nil {
		t.Fatal(err)
	}
	if n := mustCount(t, s, "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM frontier WHERE note IS NOT NULL)"); n != 0 {
		t.Errorf("%d things that the strategies knew are left", n)
	}
	if _, err := s.ResumeCrawl(t.Context(), c.ID); err != nil {
		t.Error(err)
	}
}

// TestArmCrawls: what strategies brought is read from picks, finds and marks; strategies that changed places are compared as
// the same pair.
func TestArmCrawls(t *testing.T) {
	s, c, all := mustTwo(t, 100)
	var want arms.Night
	want.Share = 20
	finds := 0
	for _, f := range all {
		if f.Pick == 0 {
			continue
		}
		k := 0
		if f.Pick < 0 {
			k = 1
		}
		want.Picks[k]++
		if f.Find() {
			finds++
			want.Finds = append(want.Finds, arms.Find{Pick: max(f.Pick, -f.Pick), Second: f.Pick < 0, Worth: f.Judgement.Useful})
		}
	}
	got, err := s.ArmCrawls(t.Context(), c.TopicID)
	if err != nil || len(got) != 1 || finds < 5 || !reflect.DeepEqual(got[0].Night, want) {
		t.Fatalf("%+v, want %+v (%v)", got, want, err)
	}
	views, err := s.FindViews(t.Context(), FindFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range views {
		if err := s.Mark(t.Context(), v.ID, []string{MarkUseful, MarkNotUseful, MarkOffTopic}[i%3]); err != nil {
			t.Fatal(err)
		}
	}
	one, err := s.ArmCrawl(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range one.Night.Finds {
		sum += f.Worth
	}
	if marked := mustCount(t, s, "SELECT count(*) FROM finds JOIN fetches ON fetches.id = fetch_id WHERE mark = 'useful' AND pick <> 0"); sum != float64(marked) {
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
	s, c := mustStoreWithCrawl(t, CrawlOptions{})
	hold := func(want TopicStrategy) {
		t.Helper()
		got, err := s.TopicStrategy(t.Context(), c.TopicID)
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
			err = s.UndoStrategy(t.Context(), c.TopicID)
		} else {
			err = s.ChooseStrategy(t.Context(), c.TopicID, *step.choose)
		}
		if err != nil {
			t.Fatal(err)
		}
		hold(step.want)
	}
}
