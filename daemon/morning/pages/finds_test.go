package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/finds"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/ways"
)

// TestTrailWithoutEvidence: finds from before evidence was kept, or whose model is gone or of another version, are shown
// by what is known of them.
func TestTrailWithoutEvidence(t *testing.T) {
	s := seed(t)
	finds := s.Count(t, `SELECT count(*) FROM finds`)
	for _, change := range []string{
		`UPDATE fetches SET evidence = '[]', useful = 0`, `UPDATE finds SET useful = 0`,
		`UPDATE models SET bundle = x'4e4a'`, `UPDATE models SET bundle = x''`,
	} {
		s.Exec(t, change)
		s.Store.Erasing()() // so that models are read again
		d := s.Page(t, "/")
		if d.Find("article.find").Length() != finds {
			t.Fatalf("after %s: %d of %d finds shown", change, d.Find("article.find").Length(), finds)
		}
		about := s.Page(t, d.Find("details.trail").First().AttrOr("data-details", ""))
		if got := webtest.Text(about.Find(".reading").First()); !strings.HasPrefix(got, "Looked ") {
			t.Errorf("after %s: %q", change, got)
		}
	}
	if got := webtest.Text(s.Page(t, "/").Find(".find .similarity").First()); !strings.HasSuffix(got, "% similar") {
		t.Errorf("without a judge: %q", got)
	}
}

func TestReading(t *testing.T) {
	seen := []float64{.1, .2, .64, .06}
	for _, c := range []struct {
		step finds.Step
		hop  int
		want string
	}{
		{finds.Step{States: seen}, unknownHop, "Looked 2 links away, 64 %."},
		{finds.Step{States: seen, Evidence: seen}, 2, "Most likely 2 links away; at first sight too, 64 %."},
		{finds.Step{States: seen, Evidence: seen}, 3, "Most likely 3 links away or more; at first sight 2 links away, 64 %."},
		{finds.Step{States: seen, Evidence: seen}, 0, "Most likely a useful page itself; at first sight 2 links away, 64 %."},
		{finds.Step{States: []float64{.7, .3}}, unknownHop, "Looked like a useful page itself, 70 %."},
		{finds.Step{States: []float64{.3, .7}, Evidence: []float64{1, 2}}, 1, "Most likely 1 link away or more; at first sight too, 70 %."},
		{finds.Step{States: seen}, 1,
			"Most likely 1 link away; at first sight 2 links away, 64 %. None of its words were known, so this estimate comes from the page before."},
		{finds.Step{States: seen, Cluster: -1}, unknownHop,
			"Looked 2 links away, 64 %. None of its words were known, so this estimate comes from the page before."},
		{finds.Step{States: seen, Cluster: -1, Evidence: seen}, 2, "Most likely 2 links away; at first sight too, 64 %."},
		{finds.Step{Useful: .72, Similarity: .61}, unknownHop, "72 % likely useful."},
		{finds.Step{Similarity: .61}, unknownHop, "61 % similar to a page you marked."},
	} {
		if got := webtest.Loosened(reading(c.step, c.hop)); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// TestMilestoneOfAStep: what the labels of the ways are called on a trail.
func TestMilestoneOfAStep(t *testing.T) {
	for label, want := range map[string]string{
		"goal": "Most likely a useful page, 93 %.", "fail": "Most likely a page that leads nowhere, 93 %.",
		"faculty": "Most likely a page that you named “faculty”, 93 %.", "pre-faculty": "Most likely a page on the way to “faculty”, 93 %.",
		"pre-goal": "Most likely a page on the way to a useful one, 93 %.", "pre-fail": "Most likely a page on the way to one that leads nowhere, 93 %.",
	} {
		if got := webtest.Loosened(milestone(strategy.StepLabel{Label: label, Probability: .93})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestTrailWithLabels: a trail of crf says the label of each page, or how far it is when the labels are hops.
func TestTrailWithLabels(t *testing.T) {
	field := &crf.Model{Labels: 3, Steps: make([]float64, 9)}
	trail := []finds.Step{{URL: "https://a.test/", Cluster: -1, Useful: .1, Signs: []float64{-9, 0, -9}}, {URL: "https://a.test/1", Cluster: -1, Useful: .9, Signs: []float64{0, -9, -9}}}
	for want, w := range map[string]*ways.Ways{
		"Most likely a page that you named “faculty”, 100 %. 10 % likely useful.": {Labelling: ways.Milestones, Labels: []string{"goal", "faculty", "fail"}, Field: field},
		"10 % likely useful.": nil,
	} {
		lines, _ := explain(trail, &model.Bundle{Initial: []float64{.3, .3, .4}, Transition: [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Ways: w}, "crf")
		if webtest.Loosened(lines[0].Reading) != want {
			t.Errorf("got %q, want %q", lines[0].Reading, want)
		}
	}
	for i := range trail {
		trail[i].States = []float64{.2, .3, .5}
	}
	hops := &ways.Ways{Labelling: ways.Hops, Labels: []string{"T0", "T1", "T2"}, Field: field}
	lines, whole := explain(trail, &model.Bundle{Initial: []float64{.3, .3, .4}, Transition: [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Ways: hops}, "crf")
	if want := "Most likely 1 link away; at first sight 2 links away or more, 50 %."; !whole || webtest.Loosened(lines[0].Reading) != want {
		t.Errorf("got %q, want %q", lines[0].Reading, want)
	}
}

func TestMarking(t *testing.T) {
	s := seed(t)
	id := strconv.Itoa(s.Count(t, `SELECT min(id) FROM finds`))
	last := func() string {
		var mark string
		if err := s.DB.QueryRow(`SELECT mark FROM feedback WHERE find_id = ? ORDER BY id DESC LIMIT 1`, id).Scan(&mark); err != nil {
			t.Fatal(err)
		}
		return mark
	}
	to := s.MustPost(t, "/finds/"+id+"/mark", url.Values{"mark": {"useful"}, "back": {"state=open&q=a b"}})
	if to != "/?q=a+b&state=open#find-"+id || last() != "useful" {
		t.Errorf("went to %s, mark %s", to, last())
	}
	if s.Page(t, "/").Find("#find-"+id).Length() != 0 {
		t.Error("a marked find is still new")
	}
	d := s.Page(t, "/?state=useful")
	if got := webtest.Text(d.Find("#find-" + id + " .verdict")); got != "Marked Useful" {
		t.Errorf("verdict %q", got)
	}
	w := s.PostPart("/finds/"+id+"/mark", url.Values{"mark": {"none"}})
	if w.Code != http.StatusOK || webtest.Tree(t, w).Find("#actions-"+id+" form button").Length() != 5 || webtest.Tree(t, w).Find("header.top").Length() != 0 {
		t.Errorf("fragment: %d %s", w.Code, w.Body)
	}
	if last() != "none" {
		t.Errorf("undone: %s", last())
	}
	for path, form := range map[string]url.Values{"/finds/" + id + "/mark": {"mark": {"perfect"}}, "/finds/99999/mark": {"mark": {"useful"}}} {
		if code := s.Post(path, form).Code; code != http.StatusUnprocessableEntity && code != http.StatusNotFound {
			t.Errorf("%s %v: %d", path, form, code)
		}
	}
}

// TestReachedThroughALook: a find that a look at a visited page led to was reached from a page that the person visited.
func TestReachedThroughALook(t *testing.T) {
	s := seed(t)
	find := s.Count(t, `SELECT min(d.id) FROM finds d JOIN fetches f ON f.id = d.fetch_id WHERE f.parent_id IS NOT NULL`)
	s.Exec(t, `UPDATE fetches SET depth = 1 WHERE id = (SELECT fetch_id FROM finds WHERE id = ?)`, find)
	s.Exec(t, `UPDATE fetches SET depth = 0, parent_id = NULL WHERE id = (SELECT f.parent_id FROM finds d JOIN fetches f ON f.id = d.fetch_id WHERE d.id = ?)`, find)
	details := func() string {
		return webtest.Text(s.Page(t, "/finds/"+strconv.Itoa(find)).Find("main"))
	}
	if got := details(); strings.Count(got, "from a start page") == 0 || strings.Contains(got, "a page you visited") {
		t.Fatalf("before: %q", got)
	}
	s.Exec(t, `UPDATE fetches SET look = 1 WHERE id = (SELECT f.parent_id FROM finds d JOIN fetches f ON f.id = d.fetch_id WHERE d.id = ?)`, find)
	if got := details(); strings.Contains(got, "a page you visited") {
		t.Errorf("a look at a page that a crawl had read: %q", got)
	}
	s.Exec(t, `UPDATE fetches SET outcome = 'visited', final_url = (SELECT r.final_url FROM finds d JOIN fetches f ON f.id = d.fetch_id JOIN fetches r ON r.id = f.parent_id WHERE d.id = ?)
		WHERE id = (SELECT max(id) FROM fetches WHERE id NOT IN (SELECT fetch_id FROM finds) AND id NOT IN (SELECT parent_id FROM fetches WHERE parent_id IS NOT NULL))`, find)
	if got := details(); strings.Contains(got, "from a start page") || strings.Count(got, "from a page you visited") == 0 {
		t.Errorf("a look at a visited page: %q", got)
	}
}

// TestShownChange: a threshold that changed a lot is told beside the finds that it let through.
func TestShownChange(t *testing.T) {
	s := seed(t)
	says := "a page is a find now if it is at least 27 % likely useful"
	s.Exec(t, `UPDATE models SET facts = json_set(facts, '$.shown', ?)`, says)
	if got := webtest.Text(s.Page(t, "/?state=all").Find(".run .hint")); !strings.Contains(got, "New with this version of the model: A page is a find now if it is at least 27 % likely useful.") {
		t.Errorf("says %q", got)
	}
}
