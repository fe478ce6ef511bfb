package crawler_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
)

// comparing is a pupil whose links are worth the number in their note, and that tells what it was asked to compare.
type comparing struct {
	*scout
	asked []string
}

func (c *comparing) Explain(link strategy.Waiting, others []strategy.Waiting) (strategy.Explanation, bool) {
	worth := func(w strategy.Waiting) float64 { return float64(c.Priority(w.URL, w.Note)[0]) }
	c.asked = append(c.asked, fmt.Sprint(link.URL, " of ", len(others)))
	if len(others) == 0 {
		return strategy.Explanation{}, false
	}
	e := strategy.Explanation{Others: len(others)}
	for _, o := range others {
		e.Typical += worth(o) / float64(len(others))
	}
	e.Reasons = []strategy.Reason{{Name: "its worth", Value: worth(link) - e.Typical}}
	return e, true
}

func runComparing(t *testing.T, explain bool) (fetches []*crawler.Fetch, asked []string) {
	t.Helper()
	s := &comparing{scout: &scout{pupil: newPupil(1)}}
	_, err := crawler.Run(t.Context(), mustClient(t, twoKinds()), s, crawler.Options{Starts: []string{start}, Explain: explain,
		OnFetch: func(f *crawler.Fetch) { fetches = append(fetches, f) }})
	if err != nil {
		t.Fatal(err)
	}
	return fetches, s.asked
}

// TestChoice: with one host that is always ready, every link is the best of those that wait, none of which comes before it;
// the reasons are those of the moment when the link was taken.
func TestChoice(t *testing.T) {
	fetches, asked := runComparing(t, true)
	for i, f := range fetches {
		c := f.Choice
		if c == nil {
			t.Fatalf("%s: how it was chosen is not known", f.URL)
		}
		if f.Depth == 0 {
			if c.How != crawler.ByStart || c.Compared != 0 {
				t.Errorf("start page: %+v", c)
			}
			continue
		}
		if c.How != crawler.ByBest || c.Waiting != len(fetches)-i || c.Sample != c.Waiting-1 || c.Lower+c.Level != c.Sample {
			t.Errorf("%d: %+v", i, c)
		}
		if c.Sample == 0 {
			continue
		}
		sum := 0.0
		for _, r := range f.Judgement.Why {
			sum += r.Value
		}
		if c.Compared != c.Sample || sum < -1e-9 || math.Abs(c.Typical+sum-c.Worth) > 1e-9 {
			t.Errorf("%d: %+v with reasons %v", i, c, f.Judgement.Why)
		}
	}
	again, _ := runComparing(t, true)
	for i := range fetches {
		if !reflect.DeepEqual(fetches[i].Choice, again[i].Choice) {
			t.Errorf("%d: %+v, then %+v", i, fetches[i].Choice, again[i].Choice)
		}
	}
	if len(asked) != len(fetches)-1 {
		t.Errorf("asked %d times for %d links", len(asked), len(fetches)-1)
	}
}

// TestNoChoice: without the option nothing is compared, and the crawl goes the same way.
func TestNoChoice(t *testing.T) {
	with, _ := runComparing(t, true)
	without, asked := runComparing(t, false)
	if len(asked) != 0 || len(with) != len(without) {
		t.Fatalf("asked %v; %d and %d fetches", asked, len(with), len(without))
	}
	for i, f := range without {
		if f.Choice != nil || f.URL != with[i].URL {
			t.Errorf("%d: %s, %+v; with the option %s", i, f.URL, f.Choice, with[i].URL)
		}
	}
}

// TestChoiceOfExplorer: a link that came first because the crawl explores is not called the best of all, unless it is.
func TestChoiceOfExplorer(t *testing.T) {
	w := twoKinds()
	w.pages["start.test/"] += `<a href="http://other.test/a/9">a</a><a href="http://other.test/b/9">b</a>`
	w.pages["other.test/a/9"], w.pages["other.test/b/9"] = "a page", "another page"
	s := &comparing{scout: &scout{pupil: newPupil(1000), explore: 2}}
	s.worth["a"], s.worth["b"] = 5, 1
	how := map[crawler.How]int{}
	_, err := crawler.Run(t.Context(), mustClient(t, w), s, crawler.Options{Starts: []string{start}, Explain: true, OnFetch: func(f *crawler.Fetch) {
		how[f.Choice.How]++
		if c := f.Choice; (c.How == crawler.ByExplorer) != (c.Preferred > 0) {
			t.Errorf("%s: %+v", f.URL, c)
		}
	}})
	if err != nil || how[crawler.ByExplorer] == 0 || how[crawler.ByBest] == 0 {
		t.Errorf("%v, %v", how, err)
	}
}

// TestChoiceOverTurns: links that a turn leaves in flight are explained in the next one.
func TestChoiceOverTurns(t *testing.T) {
	j := &choices{}
	s := &comparing{scout: &scout{pupil: newPupil(1)}}
	o := crawler.Options{Starts: []string{start}, Explain: true, Journal: j}
	c, err := crawler.New(mustClient(t, twoKinds()), s, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 { // four turns of two pages
		if _, err := c.Run(t.Context(), crawler.Budget{Pages: 2}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if len(j.all) < 6 {
		t.Fatalf("%d fetches", len(j.all))
	}
	for _, f := range j.all {
		if f.Choice == nil || f.Depth > 0 && f.Choice.Waiting > 1 && f.Choice.Compared == 0 {
			t.Errorf("%s: %+v", f.URL, f.Choice)
		}
	}
}

// choices is a journal that keeps the fetches.
type choices struct{ all []*crawler.Fetch }

func (j *choices) Commit(_ context.Context, b *crawler.Batch) error {
	j.all = append(j.all, b.Fetches...)
	return nil
}
