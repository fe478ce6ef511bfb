package webtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/measure"
	"nightjar/model/ways"
	"nightjar/model/webgraph"
)

// ModelPath is the page of the demo's model.
func (d Demo) ModelPath() string { return "/model/" + strconv.FormatInt(d.Topic, 10) }

// ModelPart is a part of that page.
func (d Demo) ModelPart(part string) string { return d.ModelPath() + "/newest/" + part }

// CopyBundle copies the demo's model, for a test that changes it.
func (d Demo) CopyBundle(t testing.TB) *model.Bundle {
	t.Helper()
	encoded, err := d.Bundle.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// StoreBundle stores a bundle in place of that of a model.
func (s *Site) StoreBundle(t testing.TB, id int64, b *model.Bundle) {
	t.Helper()
	encoded, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE models SET bundle = ? WHERE id = ?`, encoded, id)
	s.Exec(t, `DELETE FROM model_pictures`)
	s.Store.Erasing()() // so that models are read again
}

// Assessed is the seeded model with a report written by hand and words that speak for and against.
func (d Demo) Assessed(t testing.TB, report *model.Report) *model.Bundle {
	t.Helper()
	b := d.CopyBundle(t)
	b.Report = report
	if report != nil {
		b.Choice = report.Choice
	}
	return b
}

// HandReport is a report whose figures have nothing in common, so that one that is shown in another's place is found.
func HandReport() *model.Report {
	f := func(v float64, n int) measure.Figure {
		return measure.Figure{Value: v, Low: v - 0.05, High: v + 0.04, N: n}
	}
	return &model.Report{
		Folds:   5,
		LinkMRR: f(0.43, 61), AnchorMRR: f(0.31, 61), ChanceMRR: f(0.12, 61),
		HopConfusion: [][]int{{12, 3, 1, 0}, {4, 20, 6, 0}, {0, 9, 31, 2}, {0, 0, 0, 0}},
		HopAgreement: f(0.72, 88), HopBaseline: 0.48,
		AUC:   model.AUC{Cosine: f(0.83, 47), Judge: f(0.93, 47)},
		Brier: f(0.071, 140), BrierBase: f(0.205, 140),
		Reliability: []model.Band{{Low: 0, High: 0.1, Said: 0.02, Useful: 0.01, N: 90}, {Low: 0.1, High: 0.5, Said: 0.3, Useful: 0.36, N: 22}, {Low: 0.5, High: 1, Said: 0.85, Useful: 0.79, N: 28}},
		Choice:      model.Choice{Relevance: model.RelevantByJudge, Measured: true, Why: "the judge tells more on the session itself"},
		Verdict:     "it tells useful pages well",
		Rehearsal:   HandRehearsal(),
	}
}

// HandRehearsal has three parts of ten pages with two useful ones each: first for the strategy, last in the order of links.
func HandRehearsal() *model.Rehearsal {
	course := func(at ...int) model.Course { return model.Course{Fetched: 12, New: 10, At: at, NewAt: at} }
	r := &model.Rehearsal{Strategy: "link-value", Pages: 40}
	for range 3 {
		r.Folds = append(r.Folds, model.HeldBack{
			Pages: 12, Useful: 3, Reachable: 10, Wanted: 2,
			Strategy: course(1, 2), BreadthFirst: course(9, 10), Random: []model.Course{course(4, 6), course(5, 7)},
		})
	}
	return r
}

// HandWays are ways through a university, to courses. Their numbers have nothing in common.
func HandWays() *ways.Ways {
	table := func(rows ...[]float64) crf.Table {
		t := crf.Table{Start: []int32{0}}
		for _, row := range rows {
			for label, weight := range row {
				if weight != 0 {
					t.Label, t.Weight = append(t.Label, int32(label)), append(t.Weight, weight)
				}
			}
			t.Start = append(t.Start, int32(len(t.Label)))
		}
		return t
	}
	f := func(v float64, n int) measure.Figure {
		return measure.Figure{Value: v, Low: v - .06, High: v + .05, N: n}
	}
	step := func(path, title, anchor string, is, guess int, p float64) ways.ShownStep {
		return ways.ShownStep{URL: "http://uni.test/" + path, Title: title, Anchor: anchor, True: is, Predicted: guess, Probability: p}
	}
	return &ways.Ways{
		Labelling: ways.Milestones, Labels: []string{"goal", "department", "faculty", "fail", "pre-faculty"}, Goal: 0,
		PageFeatures: []string{"w=homework", "w=professor", "w=research"}, LinkFeatures: []string{"a=teaching", "u=people", "u=~"},
		Field: &crf.Model{Labels: 5,
			Pages: table([]float64{2.5, -1, 0, 0, 0}, []float64{0, .25, 1.5, 0, 0}, []float64{-.5, 0, 1.75, 0, .125}),
			Links: table([]float64{1.25, 0, 0, -.75, 0}, []float64{0, 0, .5, 0, 2}, []float64{0, 0, 3, 0, 0}),
			Steps: []float64{0, 0, 0, 0, 0, 0, 0, 1.5, -.25, 2.25, 3.5, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 2.75, .125, 1}},
		Gamma: .5, C2: .05, Visits: []float64{.93, .11, .34, .01, .22}, Printed: []float64{.83, .29, .3, .28, .27}, Reward: ways.Visits, Threshold: .4,
		Facts: ways.Facts{Paths: map[ways.Kind]int{ways.Marked: 8, ways.Left: 12, ways.Graph: 3}, Positive: 11, Negative: 12, Pages: 57, Weights: 13,
			Unused: []string{"library", "map"}, Objective: 12.345, Iterations: 31, Folds: []ways.Fold{{C2: .05, Gamma: .5, Loss: .21, Rank: f(.9, 40)}, {C2: 2, Gamma: .5, Loss: .4}}},
		Report: &ways.Report{Folds: 4, HeldBy: ways.HeldBySite, Pages: 57, Paths: 23, Precision: f(.81, 16), Recall: f(.73, 15), F1: f(.77, 15), Accuracy: f(.62, 57)},
		Shown: []ways.Shown{
			{Kind: ways.Marked, Positive: true, Count: 2, Held: true, Steps: []ways.ShownStep{
				step("", "University", "", 1, 1, .9), step("~svc", "S. V. C.", "people", 2, 2, .8), step("cs314", "CS 314", "teaching", 0, 0, .97)}},
			{Kind: ways.Left, Count: 1, Held: true, Steps: []ways.ShownStep{
				step("", "University", "", 1, 1, .9), step("staff", "Staff", "people", 4, 2, .55), step("jobs", "Jobs", "", 3, 3, .6)}},
			{Kind: ways.Find, Positive: true, Count: 1, Steps: []ways.ShownStep{step("cs1", "CS 1", "", 0, 0, .99)}},
			{Kind: ways.Find, Count: 1.5, Steps: []ways.ShownStep{step("cs2", "", "", 3, 0, .51)}},
			{Kind: ways.Graph, Positive: true, Count: 1, Steps: []ways.ShownStep{step("cs3", "CS 3", "", 0, 0, .7)}},
		},
	}
}

// hostileWays are ways with a text in every place that a stranger or a milestone can fill.
func hostileWays(evil string) *ways.Ways {
	w := HandWays()
	for i := range w.Labels {
		w.Labels[i] = fmt.Sprint("x", evil, i)
	}
	w.PageFeatures, w.LinkFeatures = []string{"H=" + evil, "t=" + evil, "w=" + evil}, []string{"a=" + evil, "b=" + evil, "u=" + evil}
	w.Facts.Unused = []string{"x" + evil}
	for i := range w.Shown {
		for j := range w.Shown[i].Steps {
			step := &w.Shown[i].Steps[j]
			step.Title, step.Anchor, step.URL = "x"+evil, "x"+evil, "http://h.example/?"+Addressed(evil)
		}
	}
	return w
}

// SpoilModel puts a text into every place of the model that holds text of pages.
func (s *Site) SpoilModel(t testing.TB, d Demo, evil string) {
	t.Helper()
	b := d.CopyBundle(t)
	b.Pages, b.Vectors = b.Pages[:6], b.Vectors[:6]
	b.Edges = slices.DeleteFunc(b.Edges, func(e [2]int) bool { return e[0] >= 6 || e[1] >= 6 })
	b.Lessons.Pages = b.Lessons.Pages[:6]
	b.Lessons.Links = slices.DeleteFunc(b.Lessons.Links, func(l model.LinkLesson) bool { return l.From >= 6 || l.To >= 6 })
	for i := range b.Lessons.Links {
		b.Lessons.Links[i].Link = webgraph.Link{URL: evil, Anchor: evil, Around: evil, Heading: evil, Path: evil}
	}
	b.Facts.Pages, b.Facts.Edges = len(b.Pages), len(b.Edges)
	for i := range b.Pages {
		b.Pages[i].Title = evil
	}
	for i := range b.Clusters {
		b.Clusters[i].LogOdds = []model.Word{{Word: evil, Score: 1}}
		b.Clusters[i].MutualInformation = b.Clusters[i].LogOdds
	}
	b.Gamma.How = "x" + evil
	b.Ways = hostileWays(evil)
	s.StoreBundle(t, d.Model, b)
}

// Addressed is a text as an address may have it: what cannot be parsed as an address is not linked.
func Addressed(evil string) string { return strings.ReplaceAll(frame.Printable(evil), "#", "%23") }
