package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
	"nightjar/model/measure"
)

// TestUnsure shows models that were not measured, or that there was too little to measure by.
func TestUnsure(t *testing.T) {
	s := seed(t)
	charts := func(d *goquery.Document) int { return d.Find("#model-sure svg, #model-sure table").Length() }

	s.StoreBundle(t, s.Model, s.Assessed(t, nil))
	d := s.Page(t, s.ModelPart("sure"))
	if got := webtest.Text(d.Find("#model-sure")); charts(d) != 0 || !strings.Contains(got, "was not measured") {
		t.Errorf("without a report: %q", got)
	}

	s.Training[s.Topic] = trainer.Status{Running: true, Stage: "assessing", Done: 3, Total: 10}
	d = s.Page(t, s.ModelPart("sure"))
	if got := webtest.Text(d.Find("#model-sure")); charts(d) != 0 || !strings.Contains(got, "Measuring how sure it is…") || d.Find("#model-sure progress").AttrOr("value", "") != "30" {
		t.Errorf("while it is measured: %q", got)
	}
	if got := d.Find("#model-sure").AttrOr("data-live", ""); got != fmt.Sprint("training:", s.Topic) {
		t.Errorf("it is kept up to date by %q", got)
	}

	s.Training[s.Topic] = trainer.Status{}
	little := &model.Report{Verdict: "there is too little data to tell: 2 useful pages", Choice: model.Choice{Relevance: model.RelevantByCosine, Why: "nothing was measured"}}
	s.StoreBundle(t, s.Model, s.Assessed(t, little))
	d = s.Page(t, s.ModelPart("sure"))
	if got := webtest.Text(d.Find("#model-sure .verdict")); charts(d) != 0 || got != "There is too little data to tell: 2 useful pages." {
		t.Errorf("with too little data: %q", got)
	}
	if got := webtest.Text(d.Find("#sure-chosen")); got != "How it picks finds not measured" {
		t.Errorf("the choice is headed %q", got)
	}

	s.StoreBundle(t, s.Model, s.Assessed(t, model.Unmeasured("the results contradict each other")))
	const want = "This could not be measured: the results contradict each other."
	for _, path := range []string{s.ModelPath(), s.ModelPart("sure")} {
		if got := webtest.Text(s.Page(t, path).Find("main")); !strings.Contains(got, want) {
			t.Errorf("%s of a model whose report was wrong: %q", path, got)
		}
	}
}

// TestFewUsefulPages shows no figure of four useful pages, whatever they are.
func TestFewUsefulPages(t *testing.T) {
	s := seed(t)
	r := webtest.HandReport()
	r.Reliability = []model.Band{{Low: 0, High: 0.1, Said: 0.02, Useful: 0.04, N: 100}}
	s.StoreBundle(t, s.Model, s.Assessed(t, r))
	sure := s.Page(t, s.ModelPart("sure")).Find("#model-sure")
	if n := sure.Find("svg, table").Length(); n != 0 || strings.Contains(webtest.Text(sure), "link-value") {
		t.Errorf("%d charts, and it says %q", n, webtest.Text(sure))
	}
}

// TestWithoutRehearsal shows a report without test crawls.
func TestWithoutRehearsal(t *testing.T) {
	s := seed(t)
	r := webtest.HandReport()
	r.Rehearsal = nil
	s.StoreBundle(t, s.Model, s.Assessed(t, r))
	sure := s.Page(t, s.ModelPart("sure")).Find("#model-sure")
	if sure.Find("#sure-night").Length() != 0 || sure.Find("#sure-links-plot-title").Length() != 1 {
		t.Errorf("it says %q", webtest.Text(sure))
	}
}

// TestNightSays tells what was left out, and nothing more than five useful pages allow.
func TestNightSays(t *testing.T) {
	r := webtest.HandRehearsal()
	r.Older, r.Capped = 200, 500
	v := nightOf(r)
	if want := "To 3 other useful pages, no link leads from the pages where you began. Only your newest 40 pages were tried, so that it does not take long. Each crawl ended after 500 pages. "; webtest.Loosened(v.Limits) != want {
		t.Errorf("limits %q, want %q", v.Limits, want)
	}
	if !strings.HasSuffix(webtest.Loosened(v.Says), "6 useful pages are too few to be sure: the next mark may change these lines.") {
		t.Errorf("of six useful pages: %q", v.Says)
	}
	r.Folds = r.Folds[:2]
	if v = nightOf(r); v.Curves != nil || !strings.Contains(v.Says, "too little to tell") || strings.Contains(webtest.Loosened(v.Limits), "no link leads") {
		t.Errorf("of four useful pages: %+v", v)
	}
	if v := nightOf(nil); v != nil {
		t.Errorf("without a rehearsal: %+v", v)
	}
}

// TestPartlyMeasured leaves out of a report what could not be measured: no chart may be empty or of zeros.
func TestPartlyMeasured(t *testing.T) {
	s := seed(t)
	r := webtest.HandReport()
	r.LinkMRR, r.AnchorMRR, r.ChanceMRR = measure.Figure{}, measure.Figure{}, measure.Figure{}
	r.HopAgreement, r.HopConfusion, r.HopBaseline = measure.Figure{}, nil, 0
	r.AUC, r.Brier, r.BrierBase, r.Rehearsal = model.AUC{}, measure.Figure{}, measure.Figure{}, &model.Rehearsal{Strategy: "crf", Why: "the session is too small"}
	r.Reliability = r.Reliability[:1]
	r.Reliability[0].Useful = 0.1
	s.StoreBundle(t, s.Model, s.Assessed(t, r))
	sure := s.Page(t, s.ModelPart("sure")).Find("#model-sure")
	if n := sure.Find("svg, table").Length(); n != 0 {
		t.Errorf("%d charts of nothing", n)
	}
	if n := strings.Count(webtest.Text(sure), unmeasured); n != 4 {
		t.Errorf("%d of 4 questions say that they were not answered", n)
	}
}

// TestLateReport looks again at a model whose report came after it was first shown.
func TestLateReport(t *testing.T) {
	s := seed(t)
	bundle := func() *model.Bundle {
		s.Page(t, s.ModelPath())
		b, _, err := s.Bundles.Bundle(t.Context(), s.Model)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if bundle() == bundle() {
		t.Error("a model without a report was not read again")
	}
	s.StoreBundle(t, s.Model, s.Assessed(t, webtest.HandReport()))
	if bundle() != bundle() {
		t.Error("a model with a report was read again")
	}
}
