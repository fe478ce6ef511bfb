package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/model"
)

// TestHarvests: the rows and the table of fixed crawls: one crawler is ahead in each document, the other is not.
func TestHarvests(t *testing.T) {
	const pages = 1000
	var all []*document
	for d := range 6 {
		base := .3 + .05*float64(d)
		one := &document{starts: 10, harvest: map[string][]float64{}}
		for n := range pages {
			lead := 0.
			if n >= 300 {
				lead = .1 + .01*float64(d)
			}
			one.harvest[bayesCrawlers[0].name] = append(one.harvest[bayesCrawlers[0].name], base+lead)
			one.harvest[bayesCrawlers[1].name] = append(one.harvest[bayesCrawlers[1].name], base-.1*float64(d%2*2-1))
			one.harvest[breadth.name] = append(one.harvest[breadth.name], base)
		}
		all = append(all, one)
	}
	var s section
	s.harvests(all, pages)
	var got []string
	for _, r := range s.Rows {
		got = append(got, r.Verdict)
	}
	if want := []string{reached, reached, missed, missed}; !slices.Equal(got, want) {
		t.Errorf("verdicts %v, want %v: %+v", got, want, s.Rows)
	}
	if !strings.Contains(s.Rows[1].Ours, "after more than 300 pages") || s.Tables[0].Rows[10][1] != "0.550 ± 0.046" {
		t.Errorf("%q, %q", s.Rows[1].Ours, s.Tables[0].Rows[10])
	}
}

// TestLabelCounts: precision 3/4, recall 3/6, F1 by its definition, and all states.
func TestLabelCounts(t *testing.T) {
	c := counts{goals: 6, said: 4, agreed: 3, pages: 20, right: 15}
	near(t, "precision", c.precision(), .75, 1e-12)
	near(t, "recall", c.recall(), .5, 1e-12)
	near(t, "F1", c.f1(), 2/(1/.75+1/.5), 1e-12)
	near(t, "states", c.states(), .75, 1e-12)
	near(t, "nothing said", counts{goals: 2}.f1(), 0, 0)
}

// TestTop: a word that many links to one page use comes first by occurrences, one that links to all pages use by target pages.
func TestTop(t *testing.T) {
	l := &linked{in: []map[int]map[string]int{{7: {"iron": 9, "metal": 1}}, {8: {"metal": 1, "zinc": 2}}, {9: {"metal": 1}, 7: {"metal": 1}}}}
	target, group := l.top([]int{0, 1, 2}, 2, 9, rand.New(rand.NewPCG(1, 1)))
	if fmt.Sprint(target, group) != "[metal iron] [iron metal]" {
		t.Errorf("%v, %v", target, group)
	}
}

// TestOnTopic: a word is on topic when the category's texts have it more often than by chance.
func TestOnTopic(t *testing.T) {
	l, in := &linked{all: 100, having: map[string][]int{}}, map[int]bool{}
	for i := range 100 {
		if i < 10 {
			in[i] = true
			l.having["metal"] = append(l.having["metal"], i)
		}
		l.having["form"] = append(l.having["form"], i)
	}
	near(t, "share", l.onTopic([]string{"metal", "form"}, in), .5, 1e-12)
	near(t, "no words", l.onTopic(nil, in), 0, 0)
}

// TestSample: pages of the largest categories with one label, one of each in turn.
func TestSample(t *testing.T) {
	l := &linked{labels: [][]string{{"a"}, {"a"}, {"a", "b"}, {"b"}, {"a"}}, pages: []int{0, 1, 2, 3, 4}}
	pages, of := l.sample(rand.New(rand.NewPCG(1, 1)))
	if len(pages) != 4 || slices.Contains(pages, 2) || fmt.Sprint(of) != "[0 1 0 0]" || pages[1] != 3 {
		t.Errorf("pages %v of categories %v", pages, of)
	}
}

// TestStandardFocused: links on a page like the useful ones come before those on another.
func TestStandardFocused(t *testing.T) {
	set := model.TrainingSet{Topic: "bees"}
	for i, text := range []string{"bees make honey in hives near clover", "bees and hives and honey and clover", "trains run on rails past stations", "stations have trains and rails and clocks", "clocks tick at stations and rails"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprintf("http://a.test/%d", i), Text: strings.Repeat(text+". ", 5), Target: i < 2})
	}
	set.Edges = [][2]int{{2, 0}, {3, 2}, {4, 1}}
	b, err := model.Train(t.Context(), set, model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	order, err := orderOf(t.Context(), standard, b)
	if err != nil {
		t.Fatal(err)
	}
	of := func(text string) int32 {
		j, err := order.Read(context.Background(), strategy.Visit{Page: &page.Page{Text: text, Links: []page.Link{{URL: "http://a.test/x"}}}})
		if err != nil || len(j.Priorities) != 1 {
			t.Fatalf("%v, %v", j, err)
		}
		return j.Priorities[0][0]
	}
	if like, other, none := of("honey of bees in hives"), of("trains at stations on rails"), of("zzz"); like <= other || other <= none || none != math.MinInt32 {
		t.Errorf("like the useful pages %d, other %d, unknown words %d", like, other, none)
	}
}
