package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/lab/webtest"
	"nightjar/model"
	"nightjar/model/measure"
)

func TestHowSureItIs(t *testing.T) {
	s := seed(t)
	s.StoreBundle(t, s.Model, s.Assessed(t, webtest.HandReport()))
	d := s.Page(t, s.ModelPart("sure"))
	sure := d.Find("#model-sure")
	if first := d.Find("main h2").First(); webtest.Text(first) != "How sure it is" {
		t.Errorf("the first section is %q", webtest.Text(first))
	}
	if got := webtest.Text(sure.Find(".verdict")); got != "It tells useful pages well." {
		t.Errorf("verdict %q", got)
	}
	for id, want := range map[string]string{
		"sure-links-plot":  "The judge 0.43 (0.38–0.47) Likeness 0.31 (0.26–0.35) Chance 0.12 (0.07–0.16)",
		"sure-useful-plot": "The judge 0.93 (0.88–0.97) LSI cosine 0.83 (0.78–0.87)",
		"sure-hops-plot":   "The model 72 % (67–76 %) Most common state 48 %",
		"sure-trust-plot":  "The judge 0.071 (0.021–0.111) Base rate 0.205 (0.155–0.245)",
		"sure-night-plot":  "link-value 0.95 (0.95–0.95) In order 0.15 (0.15–0.15) Random order 0.55 (0.55–0.55)",
	} {
		plot := sure.Find("#" + id + "-title").Parent()
		var told []string
		plot.Find(".measure text").Each(func(_ int, e *goquery.Selection) { told = append(told, webtest.Text(e)) })
		if got := strings.Join(told, " "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
		if plot.AttrOr("role", "") != "img" || !strings.Contains(webtest.Text(plot.Find("desc")), told[1]) {
			t.Errorf("%s: a screen reader hears %q", id, webtest.Text(plot.Find("desc")))
		}
	}
	if got := webtest.Text(sure.Find("#sure-useful-plot-title").Parent().Find(".mark-name")); got != "guessing" {
		t.Errorf("one half is marked %q", got)
	}
	if got := cells(sure.Find("section[aria-labelledby=sure-hops] tbody tr").Eq(1)); got != "T2|2 5 %|31 74 %|9 21 %|0 0 %" {
		t.Errorf("a row of the confusion table is %q", got)
	}
	if got := webtest.Text(sure.Find("section[aria-labelledby=sure-chosen]")); !strings.Contains(got, "Judge: ") || !strings.Contains(got, "The judge tells more on the session itself.") {
		t.Errorf("the choice says %q", got)
	}
	if n := sure.Find("svg.reliability .band").Length(); n != 3 {
		t.Errorf("%d bands", n)
	}
	night := sure.Find("section[aria-labelledby=sure-night]")
	if got := webtest.Text(night); !strings.Contains(got, "let link-value crawl your pages") || !strings.Contains(got, "To 3 other useful pages, no link leads") {
		t.Errorf("the test crawls say %q", got)
	}
	if n := night.Find("svg.plot.row-of .line").Length(); n != 3 {
		t.Errorf("%d lines of recall", n)
	}
	if got := webtest.Text(night.Find("#recall-desc")); got != "Useful pages found after half of the hidden pages: link-value 100 %, in order 0 %, random 50 %." {
		t.Errorf("a screen reader hears %q", got)
	}
	if got := cells(night.Find("tbody tr").Eq(1)); got != "50 %|6|0|3.0" {
		t.Errorf("a row of the table of recall is %q", got)
	}
	tables := sure.Find("details.more > .split table")
	if n := tables.Eq(0).Find("tbody tr").Length(); n != 12 {
		t.Errorf("%d measures in the table", n)
	}
	if got := cells(tables.Eq(1).Find("tbody tr").Eq(1)); got != "10 % to 50 %|30 %|36 %|22" {
		t.Errorf("a band in the table is %q", got)
	}
}

// cells are the texts of a table's row.
func cells(row *goquery.Selection) string {
	var all []string
	row.Children().Each(func(_ int, c *goquery.Selection) { all = append(all, webtest.Text(c)) })
	return strings.Join(all, "|")
}

func TestVersions(t *testing.T) {
	s := seed(t)
	s.Exec(t, `UPDATE models SET facts = json_set(facts, '$.verdict', 'it is sure', '$.changes', json_array('14 pages, 6 more than before', 'now useful: x'),
		'$.numbers', json_array(json_object('what', 'pages', 'was', 8, 'is', 14), json_object('what', 'Brier', 'was', 0.25, 'is', 0.125)))`)
	row := s.Page(t, s.ModelPart("versions")).Find("[aria-label=Versions] > table > tbody > tr")
	if got := webtest.Text(row.Find("li").First()) + " " + webtest.Text(row.Find("li").Last()); got != "14 pages, 6 more than before. Now useful: x." {
		t.Errorf("what changed: %q", got)
	}
	if got := cells(row.Find("details tbody tr").First()) + " " + cells(row.Find("details tbody tr").Last()); got != "pages|8|14 Brier|0.250|0.125" {
		t.Errorf("in numbers: %q", got)
	}
	if got := webtest.Text(row.Find("td.wide").First()); got != "It is sure." {
		t.Errorf("verdict %q", got)
	}
}

func TestVerdictOn(t *testing.T) {
	at := func(v, low, high float64) measure.Figure { return measure.Figure{Value: v, Low: low, High: high, N: 1} }
	for _, c := range []struct {
		a, b measure.Figure
		want string
	}{
		{at(.5, .4, .6), at(.2, .1, .3), "It is clearly better than luck."},
		{at(.5, .4, .6), at(.4, .3, .5), "It is better than luck, but this may be chance: the intervals overlap."},
		{at(.5, .4, .6), at(.5, .4, .6), "It is no better than luck."},
		{at(.4, .3, .5), at(.5, .4, .6), "It is worse than luck, but this may be chance: the intervals overlap."},
		{at(.2, .1, .3), at(.5, .4, .6), "It is clearly worse than luck."},
	} {
		if got := verdictOn("It", c.a, "luck", c.b); got != c.want {
			t.Errorf("%+v against %+v: %s", c.a, c.b, got)
		}
	}
}

func TestSays(t *testing.T) {
	r := webtest.HandReport()
	for _, c := range []struct{ got, want string }{
		{linkSays(r), "Of the links of a page, the first that leads nearer to a useful page is typically at place 2.3 when the judge reads their texts, at 3.2 by their likeness to useful pages, at 8.3 by chance. The judge is clearly better than likeness."},
		{usefulSays(r), "Given a useful page and another one, the judge puts the useful one first 93 % of the time, the LSI cosine 83 %."},
		{hopSays(r), "Of 88 pages, the model gives 72 % the right number of links to a useful page; giving all of them T2 would be right for 48 %. The model is clearly better than that."},
		{trustSays(r), "The probabilities of the judge are off by 2.8 percentage points on average. The judge is clearly better than giving every page the share of useful pages."},
	} {
		if webtest.Loosened(c.got) != c.want {
			t.Errorf("says %q\nwant %q", c.got, c.want)
		}
	}
	r.LinkMRR = r.ChanceMRR
	if got := linkSays(r); !strings.HasSuffix(got, "It is not clearly better than chance.") {
		t.Errorf("as good as chance: %q", got)
	}
}

func TestTellingWords(t *testing.T) {
	b := &model.Bundle{Transition: [][]float64{{1, 0}, {0, 1}}}
	b.Features.Terms = []string{"bird", "harbour", "nil", "turbin"}
	b.Features.Written = []string{"bird", "harbour", "nil", "turbines"}
	b.Judge.Weights = []float32{-1.5, 0.25, 0, 2}
	b.Soft.Weights = []float32{0, 1, -1, 0.5, 0, 0, 3, -3}
	v := wordsOf(b)
	if want := []weighed{{"turbines", "+2.00"}, {"harbour", "+0.25"}}; !slices.Equal(v.For, want) {
		t.Errorf("for: %v", v.For)
	}
	if want := []weighed{{"bird", "−1.50"}}; !slices.Equal(v.Against, want) {
		t.Errorf("against: %v", v.Against)
	}
	if len(v.States) != 2 || !slices.Equal(v.States[0].Words, []weighed{{"turbines", "+3.00"}}) || !slices.Equal(v.States[1].Words, []weighed{{"bird", "+1.00"}, {"harbour", "+0.50"}}) {
		t.Errorf("states: %+v", v.States)
	}
	if v := wordsOf(&model.Bundle{Transition: b.Transition}); len(v.For)+len(v.Against)+len(v.States) != 0 {
		t.Errorf("a model without features says %+v", v)
	}
}

// TestModelPageIsNotMarkup shows hostile words in every place of the page that a learned text can reach.
func TestModelPageIsNotMarkup(t *testing.T) {
	effort.Long(t)
	s := seed(t)
	show := func(evil string) []string {
		r := webtest.HandReport()
		r.Verdict, r.Choice.Why = "x"+evil, "x"+evil
		b := s.Assessed(t, r)
		for i := range b.Pages {
			b.Pages[i].Title = evil
		}
		for i := range b.Clusters {
			b.Clusters[i].LogOdds = []model.Word{{Word: evil}}
			b.Clusters[i].MutualInformation = b.Clusters[i].LogOdds
		}
		for i := range b.Features.Written {
			b.Features.Written[i] = evil
		}
		b.Judge.How = "x" + evil
		b.Gamma.How, b.NoWays = "x"+evil, "x"+evil
		s.StoreBundle(t, s.Model, b)
		s.Exec(t, `UPDATE models SET facts = json_set(facts, '$.verdict', ?1, '$.changes', json_array(?1, ?1), '$.numbers', json_array(json_object('what', ?1, 'was', 1, 'is', 2)))`, "x"+evil)
		var all []string
		for _, part := range modelParts {
			w := s.Get(strings.TrimSuffix(s.ModelPart(part.key), "/"))
			if w.Code != 200 {
				t.Fatalf("%q: %d", evil, w.Code)
			}
			all = append(all, webtest.Elements(t, part.name, w.Body.String())...)
		}
		return all
	}
	plain := show("plain")
	for _, evil := range hostile.Joined(t, 15) {
		if got := show(evil); !slices.Equal(got, plain) {
			t.Errorf("with %.60q the page has %d elements, not %d", evil, len(got), len(plain))
		}
	}
}
