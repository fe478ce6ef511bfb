package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/feature"
	"nightjar/daemon/lab/webtest"
	"nightjar/model/crf"
	"nightjar/model/measure"
	"nightjar/model/ways"
)

// wayPage shows the seeded model with these ways.
func (s *fixture) wayPage(t *testing.T, w *ways.Ways, none, query string) *goquery.Document {
	t.Helper()
	b := s.Assessed(t, webtest.HandReport())
	b.Ways, b.NoWays = w, none
	s.StoreBundle(t, s.Model, b)
	return s.Page(t, s.ModelPart("ways")+query)
}

func TestWays(t *testing.T) {
	s := seed(t)
	d := s.wayPage(t, webtest.HandWays(), "", "")
	after := d.Find("#ways").NextAll()
	if got := webtest.Text(after.First()); !strings.HasPrefix(got, "Learned from 8 ways you walked to a useful page, 12 ways you turned back from "+
		"and 3 shortest ways in the session's web graph that you did not walk. Each page of a way has a label: a milestone that you named") {
		t.Errorf("it says %q", got)
	}
	boxes := d.Find(".label-boxes li")
	if n := boxes.Length(); n != 5 || !boxes.Last().HasClass("goal") {
		t.Errorf("%d boxes", n)
	}
	if n := strings.Count(webtest.Text(boxes), "→"); n != 5 {
		t.Errorf("%d arrows", n)
	}
	if got := webtest.Text(boxes.Eq(3)); got != "faculty worth 0.34→ goal +3.50" || !boxes.Eq(3).HasClass("heat-7") {
		t.Errorf("faculty is shown as %q", got)
	}
	caption := webtest.Text(boxes.Closest("figure").Find("figcaption"))
	if !strings.Contains(caption, "what ways through its pages really brought") || !strings.HasSuffix(caption, "Only the strongest 5 of 6 steps with a weight above 0 are shown.") {
		t.Errorf("caption %q", caption)
	}
	if got := d.Find(`.toc a[aria-current]`).Length(); got != 1 {
		t.Errorf("%d entries in the table of contents", got)
	}
}

func TestWayLabels(t *testing.T) {
	s := seed(t)
	var got []string
	s.wayPage(t, webtest.HandWays(), "", "").Find("section.label").Each(func(_ int, card *goquery.Selection) {
		got = append(got, webtest.Texts(card.Find("h3, h4, li, p"), " "))
	})
	want := []string{
		"goal useful pages · worth 0.93 The page " + feature.Words("w=homework") + " +2.50 The link to it " + feature.Words("a=teaching") + " +1.25",
		"faculty your milestone · worth 0.34 The page " + feature.Words("w=research") + " +1.75 " + feature.Words("w=professor") + " +1.50 The link to it " + feature.Words("u=~") + " +3.00 " + feature.Words("u=people") + " +0.50",
		"pre-faculty pages before faculty · worth 0.22 The page " + feature.Words("w=research") + " +0.12 The link to it " + feature.Words("u=people") + " +2.00",
		"department your milestone · worth 0.11 The page " + feature.Words("w=professor") + " +0.25 The link to it none",
		"fail pages where you turned back · worth 0.01 The page none The link to it none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("cards\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWaysSure(t *testing.T) {
	s := seed(t)
	d := s.wayPage(t, webtest.HandWays(), "", "")
	card := d.Find("section.ways-sure")
	if got := webtest.Text(card.Find("p").First()); got != "The ways were split into 4 parts; ways that end on one site stay together. For each part, a model learned from the other parts "+
		"and guessed the labels in this one, of 57 pages on 23 ways in all. 62 % of the labels were right." {
		t.Errorf("says %q", got)
	}
	if got := webtest.Texts(card.Find(".measure text"), " "); got != "goal: precision 81 % (75–86 %) goal: recall 73 % (67–78 %) goal: F1 77 % (71–82 %) all: accuracy 62 % (56–67 %)" {
		t.Errorf("figures %q", got)
	}
	if got := webtest.Text(card.Find("figcaption")); got != "Dots are values, lines their 95 % intervals. Precision is a share of 16 pages guessed to be useful, recall is a share of 15 useful pages and accuracy is a share of 57 pages." {
		t.Errorf("caption %q", got)
	}
	rows := card.Find("tbody tr")
	if got := cells(rows.First()) + " " + cells(rows.Last()); got != "goal: precision|81 %|75 %|86 %|16 all: accuracy|62 %|56 %|67 %|57" {
		t.Errorf("table %q", got)
	}
	w := webtest.HandWays()
	w.Report.HeldBy, w.Report.Precision = ways.HeldByTree, measure.Figure{}
	card = s.wayPage(t, w, "", "").Find("section.ways-sure")
	if got := webtest.Text(card.Find("p").First()); card.Find(".measure").Length() != 3 || !strings.Contains(got, "began with the same visit") {
		t.Errorf("%d figures, %q", card.Find(".measure").Length(), got)
	}
	w.Report = nil
	card = s.wayPage(t, w, "", "").Find("section.ways-sure")
	if got := webtest.Text(card.Find("p").First()); card.Find("svg, table").Length() != 0 || !strings.Contains(got, "was not measured") {
		t.Errorf("without a report: %q", got)
	}
}

func TestWayTable(t *testing.T) {
	s := seed(t)
	lines := func(d *goquery.Document) (all []string) {
		d.Find("table.ways > tbody > tr").Each(func(_ int, row *goquery.Selection) { all = append(all, cells(row)) })
		return all
	}
	want := []string{
		"You walked it to a useful page. 2 times|University department 90 % “people” → S. V. C. faculty 80 % “teaching” → CS 314 goal 97 %",
		"Trail of a find you marked Useful. 1 time, seen|CS 1 goal 99 %",
		"Shortest way, not walked. 1 time, seen|CS 3 goal 70 %",
		"You turned back. 1 time ✗ 1 of 3 wrong|University department 90 % “people” → Staff pre-faculty ✗ guessed faculty, 55 % Jobs fail 60 %",
		"Trail of a find you marked Not useful. 1.5 times, seen ✗ 1 of 1 wrong|http://uni.test/cs2 fail ✗ guessed goal, 51 %",
	}
	d := s.wayPage(t, webtest.HandWays(), "", "")
	if got := lines(d); !slices.Equal(got, want) {
		t.Errorf("ways\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := webtest.Text(d.Find("#ways-paths").Next()); !strings.HasSuffix(got, "unless it says “seen”.") {
		t.Errorf("says %q", got)
	}
	tabs := d.Find(`[aria-label="Ways shown"] a`)
	if got := webtest.Texts(tabs, ", "); got != "All 5, With a wrong label 2" || tabs.Filter("[aria-current]").Length() != 1 {
		t.Errorf("filter %q", got)
	}
	d = s.wayPage(t, webtest.HandWays(), "", strings.TrimSuffix(tabs.Last().AttrOr("href", ""), "#ways-paths"))
	if got := lines(d); !slices.Equal(got, want[3:]) {
		t.Errorf("wrong ones\n%s", strings.Join(got, "\n"))
	}
	if got := webtest.Text(d.Find(`[aria-label="Ways shown"] [aria-current]`)); got != "With a wrong label 2" {
		t.Errorf("the filter is %q", got)
	}
	w := webtest.HandWays()
	w.Shown = w.Shown[:1]
	if got := s.wayPage(t, w, "", "?ways=wrong").Find("table.ways").Length(); got != 0 {
		t.Errorf("%d tables of nothing", got)
	}
}

func TestSeenSays(t *testing.T) {
	for held, want := range []string{"The model had learned from these ways", "unless it says “seen”", "Each way was held back"} {
		if got := seenSays(held, 2); !strings.Contains(got, want) {
			t.Errorf("%d of 2: %q", held, got)
		}
	}
}

// TestManyWays folds the ways and labels after the first few.
func TestManyWays(t *testing.T) {
	s := seed(t)
	d := s.wayPage(t, manyWays(), "", "")
	rows := func(within string) int { return d.Find(within + " table.ways > tbody > tr").Length() }
	if rows("") != waysShown || rows("details") != waysShown-unfoldedWays || d.Find(".rows-parts a").Length() != (ways.MaxShown+waysShown-1)/waysShown {
		t.Errorf("%d ways, %d of them folded", rows(""), rows("details"))
	}
	if all, folded := d.Find("section.label").Length(), d.Find("details section.label").Length(); all != ways.MaxNames || folded != ways.MaxNames-unfoldedLabels {
		t.Errorf("%d labels, %d of them folded", all, folded)
	}
	if n := d.Find("section.label").First().Find("ul").First().Find("li").Length(); n != featuresOfLabel {
		t.Errorf("%d features of a label", n)
	}
}

// manyWays has as many labels and ways as there may be.
func manyWays() *ways.Ways {
	w := webtest.HandWays()
	w.Labels, w.Visits, w.Printed, w.Goal = nil, nil, nil, 0
	n := ways.MaxNames
	for i := range n {
		w.Labels = append(w.Labels, fmt.Sprintf("milestone %02d with a long name", i))
		w.Visits, w.Printed = append(w.Visits, float64(n-i)/float64(n)), append(w.Printed, .3)
	}
	w.Labels[0] = "goal"
	w.Field = &crf.Model{Labels: n, Pages: crf.Table{Start: []int32{0}}, Links: crf.Table{Start: []int32{0}}, Steps: make([]float64, n*n)}
	w.PageFeatures, w.LinkFeatures = nil, nil
	for f := range 15 {
		w.PageFeatures = append(w.PageFeatures, fmt.Sprintf("w=word%02d", f))
		for y := range n {
			w.Field.Pages.Label, w.Field.Pages.Weight = append(w.Field.Pages.Label, int32(y)), append(w.Field.Pages.Weight, float64(1+(f+y)%15)/4)
		}
		w.Field.Pages.Start = append(w.Field.Pages.Start, int32(len(w.Field.Pages.Label)))
	}
	for y := range n {
		w.Field.Steps[y*n+max(0, y-1-y%4)] = 1 + float64(y%5)/3
		w.Field.Steps[y*n+y] = float64(y%3) / 2
	}
	one := w.Shown[0]
	w.Shown = nil
	for range ways.MaxShown {
		w.Shown = append(w.Shown, one)
	}
	return w
}

// TestHopLabels shows hop labels, whose worth is reckoned as printed.
func TestHopLabels(t *testing.T) {
	s := seed(t)
	w := webtest.HandWays()
	w.Labelling, w.Labels, w.Reward = ways.Hops, []string{"T0", "T1", "T2", "T3", "T4"}, ways.Printed
	d := s.wayPage(t, w, "", "")
	if got := webtest.Text(d.Find("#ways").Next()); !strings.Contains(got, "how many links it is away from a useful page") || !strings.Contains(got, "Milestones would say more") {
		t.Errorf("says %q", got)
	}
	if got := webtest.Text(d.Find("section.label h3").First()); got != "T0 useful pages · worth 0.83" {
		t.Errorf("the first label is %q", got)
	}
	if got := webtest.Text(d.Find("section.label h3").Eq(3)); got != "T3 3 links away · worth 0.28" {
		t.Errorf("the fourth label is %q", got)
	}
	if got := webtest.Text(d.Find(".label-boxes").Closest("figure").Find("figcaption")); !strings.Contains(got, "what the model expects of the pages that follow") {
		t.Errorf("caption %q", got)
	}
}

func TestWayNumbers(t *testing.T) {
	s := seed(t)
	d := s.wayPage(t, webtest.HandWays(), "", "")
	fold := d.Find("#ways ~ details").Last()
	if got := webtest.Texts(fold.Find("dt, dd"), " "); got != "Ways 11 to a useful page, 12 elsewhere Pages on them 57 Labels 5 Features 3 of pages, 3 of links Weights 13 Milestones on no way library and map "+
		"γ, discount of a link 0.50 c₂, of the penalty c₂‖w‖² 0.050 F, at the end 12.3 after 31 iterations Relevant by the labels alone P(goal) ≥ 40 %" {
		t.Errorf("numbers %q", got)
	}
	first := func(region string) string { return cells(fold.Find("[aria-label='" + region + "'] tbody tr").First()) }
	for region, want := range map[string]string{"Worth of the labels": "goal|0.930|0.830", "Strongest steps": "faculty|goal|+3.50", "Choices tried": "0.050|0.50|0.210|0.900"} {
		if got := first(region); got != want {
			t.Errorf("%s: %q, want %q", region, got, want)
		}
	}
}

// TestNoWays says what to do when nothing was learned from ways.
func TestNoWays(t *testing.T) {
	s := seed(t)
	for none, want := range map[string]string{
		"3 ways to a useful page are needed, this topic has 1: mark more": "3 ways to a useful page are needed, this topic has 1: mark more.",
		"": noWays,
	} {
		d := s.wayPage(t, nil, none, "")
		if got := webtest.Text(d.Find("#ways").Next()); got != want || d.Find(".label-boxes, table.ways").Length() != 0 {
			t.Errorf("with %q it says %q", none, got)
		}
	}
}

func TestStrongSteps(t *testing.T) {
	got := strongSteps(3, []float64{
		.5, 4, 1.5, // the loop is under a quarter of the largest weight
		-1, 0, -2, // none above 0
		.1, .2, .3, // the strongest of a label is shown, however weak
	})
	want := []labelStep{{0, 1, 4}, {0, 2, 1.5}, {2, 2, .3}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for labels, most := range map[int]int{3: 3, 12: 3, 13: 2, 18: 2, 19: 1, 40: 1} {
		steps := make([]float64, labels*labels)
		for i := range steps {
			steps[i] = 1
		}
		if n := len(strongSteps(labels, steps)); n != labels*most {
			t.Errorf("%d labels: %d steps, want %d from each", labels, n, most)
		}
	}
}
