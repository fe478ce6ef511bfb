package pages

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
)

// rows writes reasons as "name weight".
func rows(all []whyRow) string {
	var said []string
	for _, r := range all {
		said = append(said, r.Name+" "+r.Weight)
	}
	return strings.Join(said, ", ")
}

// compared is a choice among many whose reasons are relative.
func compared() *crawler.Choice {
	return &crawler.Choice{How: crawler.ByBest, Waiting: 300, Sample: 200, Lower: 200, Compared: 200}
}

func TestWhyApart(t *testing.T) {
	many := []strategy.Reason{{Name: "big", Value: 9}}
	for i := range 12 {
		many = append(many, strategy.Reason{Name: fmt.Sprint("r", i), Value: float64(i-6) / 10})
	}
	for _, c := range []struct {
		reasons      []strategy.Reason
		with, contra string
		numbers      int
		total        string
	}{
		{[]strategy.Reason{{Name: "a", Value: -1}, {Name: "b", Value: 2}, {Name: "c", Value: .5}}, "b +2.00, c +0.50", "a −1.00", 3, "+1.50"},
		{[]strategy.Reason{{Name: "a"}, {Name: " ", Value: -.001}}, "", "unnamed 0.00", 2, "0.00"},
		{[]strategy.Reason{{Name: "a", Value: -800}}, "", "a −800.00", 1, "−800.00"},
		{many, "big +9.00, r11 +0.50, r10 +0.40, r9 +0.30, r8 +0.20", "r0 −0.60, r1 −0.50, r2 −0.40", 13, "+8.40"},
	} {
		v := whyStep(finds.Step{Why: c.reasons, Chosen: compared()}, "link-value")
		if rows(v.For) != c.with || rows(v.Against) != c.contra || len(v.Numbers) != c.numbers || v.Total != c.total || v.Parts != nil {
			t.Errorf("%v: %+v", c.reasons, v)
		}
	}
	if v := whyStep(finds.Step{}, "link-value"); v != nil {
		t.Errorf("nothing to say: %+v", v)
	}
}

// TestWhyBars: the longest bar is as long as there is room for, and the others are as their weights.
func TestWhyBars(t *testing.T) {
	v := whyStep(finds.Step{Why: []strategy.Reason{{Name: "a", Value: 1}, {Name: "b", Value: -4}, {Name: "c", Value: 2}}, Chosen: compared()}, "")
	got := map[string]string{}
	for _, r := range append(v.For, v.Against...) {
		got[r.Name] = r.W
	}
	if fmt.Sprint(got) != "map[a:25.0 b:100.0 c:50.0]" {
		t.Errorf("bars %v", got)
	}
}

// TestWhyOfBefore: reasons that were not compared with those of other links speak neither for nor against the link.
func TestWhyOfBefore(t *testing.T) {
	reasons := []strategy.Reason{{Name: "a", Value: -3}, {Name: "b", Value: 2}}
	v := whyStep(finds.Step{Why: reasons}, "link-value")
	if len(v.For)+len(v.Against) != 0 || v.Says != "" || fmt.Sprint(v.Parts) != "[a b]" || !strings.Contains(v.Sum, frame.Percent(1/(1+math.Exp(1)))) {
		t.Errorf("%+v", v)
	}
	v = whyStep(finds.Step{Why: reasons, Signs: []float64{0}}, "crf")
	if !strings.Contains(v.Sum, "worth: 0.27, where a useful page is worth 1") {
		t.Errorf("%+v", v)
	}
}

func TestHowChosen(t *testing.T) {
	best := ": " + strategy.BestOf("hmm")
	for want, c := range map[string]crawler.Choice{
		"It is a start page.":                                      {How: crawler.ByStart, Waiting: 4},
		"It was the only link that waited.":                        {How: crawler.ByBest, Waiting: 1},
		"It was the best of 1\u202f234 waiting links" + best + ".": {How: crawler.ByBest, Waiting: 1234},
		"Of 20 waiting links it was the best whose host could be contacted then" + best + ". 1 host with a better link was left alone for a moment.": {How: crawler.ByReady, Waiting: 20, Preferred: 1},
		"The crawl explored: of 20 waiting links it took the best one of a host that it had hardly seen. 3 other hosts had a better link.":           {How: crawler.ByExplorer, Waiting: 20, Preferred: 3},
		"It was the best of the new links on a page that was read in an earlier night.":                                                              {How: crawler.ByNews, Waiting: 2},
		"It was read in an earlier night. New links may be on it.":                                                                                   {How: crawler.ByLook, Waiting: 2},
		"It was being fetched when the crawl was interrupted, so it came first when the crawl went on.":                                              {How: crawler.ByRetry, Waiting: 2},
	} {
		if got := howChosen(&c, "hmm"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := howChosen(&crawler.Choice{How: crawler.ByBest, Waiting: 2}, "a strategy of before"); got != "It was the best of 2 waiting links." {
		t.Errorf("%q", got)
	}
	if got := cameBefore(&crawler.Choice{Sample: 200, Lower: 150, Level: 20}); got != "It came before 150 of 200 other links looked at, and level with 20." {
		t.Errorf("%q", got)
	}
}

// TestWhyIsShown: the reasons of each link of a trail, those of the last one above the fold; nothing where there are none.
func TestWhyIsShown(t *testing.T) {
	s := seed(t)
	find := fmt.Sprint("/finds/", s.Count(t, `SELECT finds.id FROM finds JOIN fetches ON fetches.id = fetch_id ORDER BY depth DESC LIMIT 1`))
	if n := s.Page(t, find).Find(".why").Length(); n != 0 {
		t.Errorf("%d explanations without reasons", n)
	}
	s.Exec(t, `UPDATE fetches SET why = '[{"name":"its text says “ice”","value":1.25},{"name":"<b>the page</b>","value":-0.5}]',
		chosen = '{"how":"best","waiting":77,"sample":76,"lower":76,"compared":76,"worth":0.5,"typical":-0.25}' WHERE parent_id IS NOT NULL`)
	d := s.Page(t, find)
	steps := d.Find(".way li").Length()
	if n := d.Find(".read .why").Length(); n != steps-2 {
		t.Errorf("%d explanations of earlier links on a trail of %d pages", n, steps)
	}
	last := d.Find(".find-about > .why")
	if last.Length() != 1 || !strings.HasPrefix(webtest.Text(last.Find(".chosen")), "It was the best of 77 waiting links") {
		t.Errorf("chosen %q", webtest.Text(last.Find(".chosen")))
	}
	if got := webtest.Text(last.Find("dd.for")) + " | " + webtest.Text(last.Find("dd.against")); got != "its text says “ice” | <b>the page</b>" {
		t.Errorf("for and against: %q", got)
	}
	if _, open := last.Find("details.numbers").Attr("open"); open || last.Find("details.numbers").Length() != 1 {
		t.Error("the numbers are not folded away")
	}
	if n := last.Find("svg").Length(); n != 2 || last.Find(`svg[aria-hidden="true"]`).Length() != n {
		t.Errorf("%d bars", n)
	}
	s.Exec(t, `UPDATE fetches SET chosen = ''`)
	if d := s.Page(t, find); d.Find(".apart, .weight").Length() != 0 || d.Find(".find-about > .why .parts li").Length() != 2 {
		t.Error("reasons of before are shown as for and against")
	}
}
