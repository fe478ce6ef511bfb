package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/lab/webtest/served"
	"nightjar/model"
	"nightjar/model/measure"
)

// TestTeach goes through a round: a restart in between, an answer taken back, and the training after the last one.
func TestTeach(t *testing.T) {
	s := seed(t)
	s.Exec(t, `INSERT INTO contents (hash, gzip) VALUES (x'07', ?)`, protocol.Pack([]byte("<title>Tides</title><p>The barrage turns the tide into power.")))
	s.Exec(t, `UPDATE fetches SET credit = 1, content_hash = x'07' WHERE outcome = 'ok'`)
	path := "/teach/" + strconv.FormatInt(s.Topic, 10)
	if s.Page(t, path).Find("#teach button.primary").Length() != 1 {
		t.Fatal("there is no way to begin")
	}
	s.MustPost(t, path+"/start", nil)
	d := s.Page(t, path)
	total, _ := strconv.Atoi(d.Find("progress").AttrOr("max", ""))
	if total < 2 || d.Find("article.question").Length() != 1 || webtest.Text(d.Find(".passage")) == "" {
		t.Fatalf("%d questions: %s", total, webtest.Text(d.Find("#teach")))
	}
	first := d.Find("input[name=page]").AttrOr("value", "")
	w := s.PostPart(path+"/answer", url.Values{"page": {first}, "answer": {"useful"}})
	if w.Code != http.StatusOK || webtest.Tree(t, w).Find("header").Length() != 0 || webtest.Tree(t, w).Find("#teach progress").AttrOr("value", "") != "1" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	demo := s.Demo
	s = &fixture{served.At(t, s.Store.Path(), wingsOf)} // a restart
	s.Demo = demo
	if got := s.Page(t, path).Find("progress").AttrOr("value", ""); got != "1" {
		t.Errorf("after a restart %s are answered", got)
	}
	s.MustPost(t, path+"/undo", nil)
	if got := s.Page(t, path).Find("input[name=page]").AttrOr("value", ""); got != first {
		t.Errorf("after undoing it asks about %s, want %s", got, first)
	}
	if n := s.Count(t, `SELECT count(*) FROM finds WHERE mark <> 'none'`); n != 0 {
		t.Errorf("%d pages are still marked", n)
	}
	answers := []string{"useful", "not-useful", "skip"}
	for i := range total {
		page := s.Page(t, path).Find("input[name=page]").AttrOr("value", "")
		s.MustPost(t, path+"/answer", url.Values{"page": {page}, "answer": {answers[i%3]}})
		if (len(s.Submitted) > 0) != (i == total-1) {
			t.Fatalf("after %d of %d answers: trained %v", i+1, total, s.Submitted)
		}
	}
	if got := webtest.Text(s.Page(t, path).Find("#teach .question")); !strings.Contains(got, "Thank you") {
		t.Errorf("at the end: %q", got)
	}
	for form, want := range map[string]int{"page=x&answer=useful": 422, "page=" + first + "&answer=great": 422, "page=99999&answer=useful": 303} {
		q, _ := url.ParseQuery(form)
		if got := s.Post(path+"/answer", q).Code; got != want {
			t.Errorf("%s: %d, want %d", form, got, want)
		}
	}
	if code := s.Get("/teach/999").Code; code != http.StatusNotFound {
		t.Errorf("no topic: %d", code)
	}
}

// TestGains: what is said of a difference, by intervals computed by hand.
func TestGains(t *testing.T) {
	report := func(auc, low, high float64) *model.Report {
		f := measure.Figure{Value: auc, Low: low, High: high, N: 50}
		return &model.Report{AUC: model.AUC{Judge: f}, Brier: f}
	}
	for _, c := range []struct {
		was, is    *model.Report
		low, high  float64
		auc, brier string
	}{
		{report(.7, .6, .8), report(.75, .65, .85), .05 - .1414, .05 + .1414, "no difference that is beyond chance", "no difference that is beyond chance"},
		{report(.5, .47, .54), report(.8, .77, .84), .3 - .05, .3 + .05, "better, beyond chance", "worse, beyond chance"},
		{report(.8, .77, .84), report(.5, .47, .54), -.3 - .05, -.3 + .05, "worse, beyond chance", "better, beyond chance"},
	} {
		got := gains(c.was, c.is)
		if len(got) != 2 || got[0].Verdict != c.auc || got[1].Verdict != c.brier {
			t.Errorf("%+v, want %s and %s", got, c.auc, c.brier)
			continue
		}
		if d := got[0]; d.Low < c.low-.001 || d.Low > c.low+.001 || d.High < c.high-.001 || d.High > c.high+.001 {
			t.Errorf("from %.3f to %.3f, want %.3f to %.3f", d.Low, d.High, c.low, c.high)
		}
	}
}
