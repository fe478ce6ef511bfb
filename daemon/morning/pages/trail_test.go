package pages

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/model"
)

// TestCourse: the labels of a trail stand in one line, runs of equal ones once, and each step names its own with its
// probability. What the pages say is far more than what the steps between labels say.
func TestCourse(t *testing.T) {
	s := seed(t)
	var find, fetch int64
	if err := s.DB.QueryRow(`SELECT finds.id, fetch_id FROM finds JOIN fetches ON fetches.id = fetch_id ORDER BY depth DESC, finds.id LIMIT 1`).Scan(&find, &fetch); err != nil {
		t.Fatal(err)
	}
	trail, err := finds.Trail(t.Context(), s.Store.DB, fetch)
	if err != nil || len(trail) < 4 {
		t.Fatalf("a trail of %d pages, %v", len(trail), err)
	}
	b := s.Assessed(t, nil)
	b.Ways = webtest.HandWays()
	s.StoreBundle(t, s.Model, b)
	s.Exec(t, `UPDATE fetches SET evidence = '[]', states = '[]'`) // as strategy crf leaves them
	card := func() *goquery.Selection {
		return s.Page(t, fmt.Sprint("/finds/", find)).Find(fmt.Sprint("#find-", find))
	}
	if n := card().Find(".course").Length(); n != 0 {
		t.Errorf("%d lines of labels without any", n)
	}
	said := make([]int, len(trail)) // number of the label that each page speaks for: department, then pre-faculty, faculty, goal
	for i := range said {
		said[i] = 4
	}
	said[0], said[len(said)-2], said[len(said)-1] = 1, 2, 0
	for i, label := range said {
		signs := strings.Split(strings.Repeat("-60 ", 5), " ")[:5]
		signs[label] = "0"
		s.Exec(t, `UPDATE fetches SET signs = ? WHERE id = ?`, "["+strings.Join(signs, ",")+"]", trail[i].FetchID)
	}
	c := card()
	if got, want := webtest.Text(c.Find(".course")), "By way of department → pre-faculty → faculty → goal"; got != want {
		t.Errorf("labels %q, want %q", got, want)
	}
	c.Find(".read > ol > li .reading").Each(func(i int, p *goquery.Selection) {
		want := map[int]string{0: "a useful page, 100 %", 1: "a page that you named “department”, 100 %",
			2: "a page that you named “faculty”, 100 %", 4: "a page on the way to “faculty”, 100 %"}[said[i]]
		if got := webtest.Text(p); !strings.HasPrefix(got, "Most likely "+want) {
			t.Errorf("step %d says %q, want %q", i, got, want)
		}
	})
	w := *b.Ways
	w.Labelling, w.Labels = "hops", []string{"T0", "T1", "T2", "T3", "T4"}
	b.Ways = &w
	s.StoreBundle(t, s.Model, b)
	if n := card().Find(".course").Length(); n != 0 {
		t.Error("hops are told as milestones")
	}
}

func TestCourseOfLabels(t *testing.T) {
	var lines []trailLine
	for _, label := range []string{"", "a", "a", "b", "", "b", "a"} {
		lines = append(lines, trailLine{Label: label})
	}
	if got := course(lines); !slices.Equal(got, []string{"a", "b", "a"}) {
		t.Errorf("%q", got)
	}
	if got := course(lines[:1]); got != nil {
		t.Errorf("without labels: %q", got)
	}
}

// TestForeignSigns: signs of another model, or of none, are not explained.
func TestForeignSigns(t *testing.T) {
	b := &model.Bundle{Ways: webtest.HandWays()}
	for _, signs := range [][]float64{nil, {0}, {0, 0, 0, 0, math.NaN()}, make([]float64, 6)} {
		lines, whole := explain([]finds.Step{{URL: "http://a.test/", Cluster: -1, Signs: signs}}, b, "crf")
		if whole || lines[0].Label != "" {
			t.Errorf("%v: label %q", signs, lines[0].Label)
		}
	}
	if labels := strategy.Labels(b, [][]float64{{0, 0, 0, 0, 9}}); len(labels) != 1 || labels[0].Label != "pre-faculty" {
		t.Errorf("labels %v", labels)
	}
}

// TestWorthIsNoProbability: what a strategy with labels says of a link is its worth, a find being 1 and each link before it
// a part of that, and not how likely the link leads to a find.
func TestWorthIsNoProbability(t *testing.T) {
	reasons := []strategy.Reason{{Name: "a", Value: -2}}
	lines, _ := explain([]finds.Step{{URL: "http://a.test/", Signs: []float64{0}, Why: reasons}, {URL: "http://a.test/1", Why: reasons}}, nil, "crf")
	if got := lines[0].Why.Sum; !strings.HasSuffix(got, "worth: 0.12, where a useful page is worth 1.") {
		t.Errorf("with labels: %q", got)
	}
	if got := lines[1].Why.Sum; !strings.Contains(got, "leads to a useful page: 12\u00a0%") {
		t.Errorf("without labels: %q", got)
	}
}

// TestListedTrail: the trail of a find whose way began at a list of its site says so, and has only pages. So does the crawl's page.
func TestListedTrail(t *testing.T) {
	s := seed(t)
	var find, fetch, crawl int64
	if err := s.DB.QueryRow(`SELECT finds.id, fetch_id, finds.crawl_id FROM finds JOIN fetches ON fetches.id = fetch_id WHERE depth > 1 ORDER BY depth, finds.id LIMIT 1`).Scan(&find, &fetch, &crawl); err != nil {
		t.Fatal(err)
	}
	trail, err := finds.Trail(t.Context(), s.Store.DB, fetch)
	if err != nil || len(trail) < 3 {
		t.Fatalf("a trail of %d pages, %v", len(trail), err)
	}
	s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, depth, title, cluster, cost, links)
		SELECT crawl_id, 1000000, 'http://www.example.org/sitemap.xml', 'http://www.example.org/sitemap.xml', 'www.example.org', 'listed', at, 0, '', -1, 0, 3 FROM fetches WHERE id = ?`, trail[0].FetchID)
	s.Exec(t, `UPDATE fetches SET parent_id = (SELECT id FROM fetches WHERE n = 1000000) WHERE id = ?`, trail[1].FetchID)
	s.Exec(t, `UPDATE fetches SET depth = 1 WHERE id = ?`, trail[1].FetchID)
	page := s.Page(t, fmt.Sprint("/finds/", find))
	steps := page.Find(".way li")
	if got := webtest.Text(steps.First()); steps.Length() != len(trail)-1 || !strings.HasPrefix(got, "in a list of its site: ") {
		t.Errorf("%d steps, the first is %q", steps.Length(), got)
	}
	s.Exec(t, `UPDATE fetches SET reason = ? WHERE n = 1000000`, crawler.FeedReason)
	if got := webtest.Text(s.Page(t, fmt.Sprint("/finds/", find)).Find(".way li").First()); !strings.HasPrefix(got, "in a feed of its site: ") {
		t.Errorf("in a feed, the first step is %q", got)
	}
	if got, _ := page.Find(".way").Attr("aria-label"); got != "From a page that its site lists to the find" {
		t.Errorf("the trail is called %q", got)
	}
	if got := webtest.Text(page.Find(".find-about .head .hint").First()); got != fmt.Sprintf("%d links from a page that its site lists", len(trail)-2) {
		t.Errorf("the find says %q", got)
	}
	if got := webtest.Text(s.Page(t, fmt.Sprint("/crawls/", crawl)).Find(".facts")); !strings.Contains(got, "Lists of sites1 with 3 pages") {
		t.Errorf("the crawl says %q", got)
	}
}
