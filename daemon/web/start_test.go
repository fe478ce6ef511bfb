package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
)

// steps lists which of the three steps are done (d), next (n) or later (-).
func (f *fixture) steps(t *testing.T, path string) (marks string) {
	t.Helper()
	d := f.Page(t, path)
	for _, id := range []string{"#step-load", "#step-connect", "#step-session"} {
		switch step := d.Find(id); {
		case step.Length() != 1:
			marks += "?"
		case step.HasClass("done"):
			marks += "d"
		case step.HasClass("now"):
			marks += "n"
		default:
			marks += "-"
		}
	}
	return marks
}

// TestStartSteps: the steps tick themselves, at "/" and at "/start", and "/" turns into Finds with the first model.
func TestStartSteps(t *testing.T) {
	f := newFixture(t)
	want := func(marks string) {
		t.Helper()
		for _, path := range []string{"/", "/start"} {
			if got := f.steps(t, path); got != marks {
				t.Errorf("%s shows %s, want %s", path, got, marks)
			}
		}
	}
	want("n--")
	d := f.Page(t, "/")
	if got := d.Find("#extension-path").AttrOr("value", ""); got != f.Extension {
		t.Errorf("the path is %q, want %q", got, f.Extension)
	}
	if d.Find("svg.shot").Length() != 2 || d.Find("#step-load, #step-connect, #step-session").Filter("[data-live]").Length() != 3 {
		t.Error("a picture is missing, or a step that ticks itself")
	}
	if at := f.MustPost(t, "/settings/pairing/open", url.Values{"back": {"/"}}); at != "/#pairing" {
		t.Errorf("pairing leads to %s", at)
	}
	if at := f.MustPost(t, "/settings/pairing/open", url.Values{"back": {"//evil.example"}}); at != "/settings#pairing" {
		t.Errorf("a foreign page: %s", at)
	}
	want("n--")
	if f.Page(t, "/").Find("[data-pair], #connect").Length() != 0 || f.Page(t, "/").Find("#step-connect[data-awake]").Length() != 1 {
		t.Error("a page lets browsers ask before there is an extension, or does not wait for one")
	}
	f.Pairing = ingest.PairingStatus{Called: true}
	want("dn-")
	if f.Page(t, "/").Find("#pairing[data-pair] #connect").Length() != 1 {
		t.Error("the page does not let a browser ask")
	}
	for shown, offers := range map[string]int{"yes": 1, "no": -1} {
		f.Offers = 0
		if w := f.Post("/settings/pairing/page", url.Values{"shown": {shown}}); w.Code != 204 || f.Offers != offers {
			t.Errorf("shown %s: %d, %d offers", shown, w.Code, f.Offers)
		}
	}
	for _, status := range []ingest.PairingStatus{{Called: true, Held: true}, {Called: true, Open: true, Until: f.Clock}} {
		f.Pairing = status
		if f.Page(t, "/").Find("[data-pair]").Length() != 0 {
			t.Errorf("the page lets a browser ask in %+v", status)
		}
	}
	f.Pairing.Called = false
	f.Pairing.Pending = &ingest.Pending{Name: "Chromium", Digits: "123456", Origin: "o"}
	want("dn-")
	form := f.Page(t, "/start").Find("#step-connect form[action$=approve]")
	if form.Find("input[name=digits]").AttrOr("value", "") != "123456" {
		t.Error("the digits cannot be approved on the page")
	}
	if at := f.MustPost(t, "/settings/pairing/approve", url.Values{"digits": {"123456"}, "back": {"/start"}}); at != "/start?done=approved" {
		t.Errorf("approving leads to %s", at)
	}
	f.Pairing = ingest.PairingStatus{}
	f.Exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c', 'Chromium', 'chrome-extension://x', x'00', 1)`)
	want("ddn")
	if f.Page(t, "/").Find("[data-pair], [data-awake]").Length() != 0 {
		t.Error("a page with a connected browser lets others ask")
	}
	f.Exec(t, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1)`)
	f.Exec(t, `INSERT INTO sessions (uuid, topic_id, client, status, started_at) VALUES ('u', 1, 'c', 'recording', 1)`)
	want("ddd")
	f.Training[1] = trainer.Status{Running: true, Stage: "judge", Done: 1, Total: 2}
	if got := webtest.Text(f.Page(t, "/").Find("#step-session progress")); got != "50 %" {
		t.Errorf("learning is shown as %q", got)
	}
	delete(f.Training, 1)
	for _, path := range []string{"/", "/start"} {
		if words := webtest.Text(f.Page(t, path).Find("main")); strings.Contains(words, "by itself") || strings.Contains(words, "by themselves") {
			t.Errorf("%s promises what is off", path)
		}
	}
	f.Exec(t, `INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (1, 1, x'00', '{}', 1)`)
	d = f.Page(t, "/")
	if webtest.Text(d.Find("h1")) != "Finds" || d.Find("#start-next[data-goto]").Length() != 1 {
		t.Error("the page does not go on to Finds")
	}
	if f.Page(t, "/start").Find("#start-next[data-goto]").Length() != 0 {
		t.Error("/start goes away by itself")
	}
}

// TestDismiss: a closed notice stays away until there is another one.
func TestDismiss(t *testing.T) {
	s := seed(t)
	s.Training[s.Topic] = trainer.Status{Problem: "no pages"}
	button := s.Page(t, "/sessions").Find(".banner button[name=notice]")
	if button.Length() != 1 {
		t.Fatal("the notice cannot be closed")
	}
	s.MustPost(t, "/notices/dismiss", url.Values{"notice": {button.AttrOr("value", "")}})
	if n := s.Page(t, "/sessions").Find(".banner").Length(); n != 0 {
		t.Errorf("%d notices after it was closed", n)
	}
	s.Training[s.Topic] = trainer.Status{Problem: "no words"}
	if n := s.Page(t, "/sessions").Find(".banner").Length(); n != 1 {
		t.Errorf("%d notices of another problem", n)
	}
	for range 2 * maxDismissed {
		s.MustPost(t, "/notices/dismiss", url.Values{"notice": {noticeKey(strconv.Itoa(s.Count(t, `SELECT abs(random() % 1000000)`)))}})
	}
	if keys, err := s.dismissed(t.Context()); err != nil || len(keys) > maxDismissed {
		t.Errorf("%d are remembered, %v", len(keys), err)
	}
}
