package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/strategy"
)

// rows writes a chart's rows as "name weight".
func rows(v *whyView) string {
	var all []string
	for _, r := range v.Rows {
		all = append(all, r.Name+" "+r.Weight)
	}
	return strings.Join(all, ", ")
}

func TestWhy(t *testing.T) {
	many := []strategy.Reason{{Name: "big", Value: 9}}
	for i := range 12 {
		many = append(many, strategy.Reason{Name: fmt.Sprint("r", i), Value: float64(i-6) / 10})
	}
	for _, c := range []struct {
		reasons              []strategy.Reason
		rows, weight, likely string
	}{
		{[]strategy.Reason{{Name: "a", Value: -1}, {Name: "b", Value: 2}, {Name: "c", Value: .5}}, "b +2.00, c +0.50, a −1.00", "+1.50", "82 %"},
		{[]strategy.Reason{{Name: "a"}, {Name: " ", Value: -.001}}, "a 0.00, unnamed 0.00", "0.00", "50 %"},
		{[]strategy.Reason{{Name: "a", Value: -800}}, "a −800.00", "−800.00", percent(0)},
		{many, "big +9.00, r11 +0.50, r10 +0.40, r9 +0.30, r3 −0.30, r2 −0.40, r1 −0.50, r0 −0.60, 5 smaller reasons 0.00", "+8.40", percent(1 / (1 + math.Exp(-8.4)))},
		{many[:9], "big +9.00, r7 +0.10, r6 0.00, r5 −0.10, r4 −0.20, r3 −0.30, r2 −0.40, r1 −0.50, r0 −0.60", "+7.00", percent(1 / (1 + math.Exp(-7.0)))},
	} {
		v := why(c.reasons, true)
		if rows(v) != c.rows || v.Weight != c.weight || v.Likely != c.likely {
			t.Errorf("%v:\n%s, %s, %s\nwant\n%s, %s, %s", c.reasons, rows(v), v.Weight, v.Likely, c.rows, c.weight, c.likely)
		}
	}
	if v := why(many, false); rows(v) != "big +9.00, r11 +0.50, r1 −0.50, r0 −0.60, 9 smaller reasons 0.00" || v.Weight != "+8.40" {
		t.Errorf("of an earlier link: %s, %s", rows(v), v.Weight)
	}
	if v := why(nil, true); v != nil {
		t.Errorf("nothing to say: %+v", v)
	}
}

// TestWhyBars: bars begin or end in the middle, the longest reaches a side, and their lengths are as the weights.
func TestWhyBars(t *testing.T) {
	for _, r := range why([]strategy.Reason{{Name: "a", Value: 1}, {Name: "b", Value: -4}, {Name: "c", Value: 2}}, true).Rows {
		want := map[string][2]string{"a": {"50", "12.5"}, "b": {"0.0", "50.0"}, "c": {"50", "25.0"}}[r.Name]
		if r.X != want[0] || r.W != want[1] || r.For != (r.Name != "b") {
			t.Errorf("%s: %+v, want from %s, %s wide", r.Name, r, want[0], want[1])
		}
	}
}

// TestWhyIsShown: the reasons of each link of a trail, the last one's at once; nothing where there are none.
func TestWhyIsShown(t *testing.T) {
	s := seed(t)
	if n := s.page(t, "/").Find(".why").Length(); n != 0 {
		t.Errorf("%d charts without reasons", n)
	}
	s.exec(t, `UPDATE fetches SET why = '[{"name":"words of the link","value":1.25},{"name":"<b>the page</b>","value":-0.5}]' WHERE parent_id IS NOT NULL`)
	d := s.page(t, "/")
	d.Find("article.find").Each(func(_ int, card *goquery.Selection) {
		steps := card.Find(".trail > ol > li")
		charts := steps.Find("details.why")
		if charts.Length() != steps.Length()-1 || steps.First().Find(".why").Length() != 0 {
			t.Errorf("%d charts on a trail of %d pages", charts.Length(), steps.Length())
		}
		if open := charts.FilterFunction(func(_ int, c *goquery.Selection) bool { _, is := c.Attr("open"); return is }); open.Length() != 1 ||
			steps.Last().Find("details.why[open]").Length() != 1 {
			t.Errorf("%d charts are open", open.Length())
		}
		last := steps.Last()
		if got := text(last.Find("summary")); got != "Why this link was followed 68 % likely to lead to useful pages" {
			t.Errorf("summary %q", got)
		}
		var told []string
		last.Find(".why tbody tr, .why tfoot tr").Each(func(_ int, row *goquery.Selection) {
			told = append(told, text(row.Find("th[scope=row]"))+" "+text(row.Find("td.n")))
		})
		if got := strings.Join(told, ", "); got != "words of the link +1.25, <b>the page</b> −0.50, Total +0.75" {
			t.Errorf("rows %q", got)
		}
		if n := last.Find("svg").Length(); n != 2 || last.Find(`svg[aria-hidden="true"]`).Length() != n {
			t.Errorf("%d bars", n)
		}
	})
}

// TestCrawlLearned: a crawl's page says when its strategy learned last and from how much, if it did.
func TestCrawlLearned(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.crawl, 10)
	if got := text(s.page(t, path).Find(".told")); strings.Contains(got, "Learned") {
		t.Errorf("nothing was learned: %q", got)
	}
	s.exec(t, `UPDATE crawls SET learned_at = ?, learned_pages = 950`, s.now.UnixMilli())
	if got := text(s.page(t, path).Find(".told")); !strings.Contains(got, "Last learned") || !strings.Contains(got, "from 950 pages of this crawl") {
		t.Errorf("told %q", got)
	}
}
