package web

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
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

// TestTonight: the best start pages are proposed, count only once they are saved, and the night is switched on with them.
func TestTonight(t *testing.T) {
	s := seed(t)
	s.Exec(t, `UPDATE starts SET ticked = 0`)
	s.Exec(t, `DELETE FROM finds`)
	for _, more := range []string{"http://a.test/", "http://b.test/", "http://c.test/"} {
		s.Exec(t, `INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (?, ?, 'proposed', 0, 1)`, s.Topic, more)
	}
	id := strconv.FormatInt(s.Topic, 10)
	for _, path := range []string{"/", "/tonight"} {
		d := s.Page(t, path)
		card := d.Find("form#tonight")
		if n := card.Find(".ticks input[checked]").Length(); n != 3 {
			t.Errorf("%s proposes %d pages", path, n)
		}
		if card.Find("details .ticks input").Length() == 0 || card.Find("details input[checked]").Length() > 0 {
			t.Errorf("%s does not fold the rest away", path)
		}
		if first := webtest.Text(card.Find(".ticks li").First()); !strings.Contains(first, "led to") {
			t.Errorf("the best page of %s is %q", path, first)
		}
	}
	if n := s.Count(t, `SELECT sum(ticked) FROM starts`); n != 0 {
		t.Fatalf("%d pages are ticked before the person did so", n)
	}
	var urls []string
	for _, box := range s.Page(t, "/tonight").Find(".ticks input[checked]").EachIter() {
		urls = append(urls, box.AttrOr("value", ""))
	}
	form := url.Values{"topic": {id}, "visited-asked": {id}, "night_start": {"02:00"}, "night_end": {"04:00"}, "pages": {"55"}, "night": {"on"}}
	if w := s.Post("/tonight", form); w.Code != 422 || !strings.Contains(w.Body.String(), "Tick at least one page") {
		t.Errorf("a night that begins nowhere: %d", w.Code)
	}
	form["start-"+id] = append(urls, "http://never.proposed.test/")
	for name, value := range map[string]string{"pages": "many", "night_start": "25:00", "night_end": "02:00"} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		bad.Set(name, value)
		if w := s.Post("/tonight", bad); w.Code != 422 || webtest.Tree(t, w).Find("[aria-invalid=true]").Length() == 0 {
			t.Errorf("%s %q: %d", name, value, w.Code)
		}
	}
	if now, err := s.Store.Settings(t.Context()); err != nil || now.Night.Enabled || now.Budget.Pages == 55 || s.Count(t, `SELECT sum(ticked) FROM starts`) != 0 {
		t.Fatalf("something wrong was saved: %+v, %v", now, err)
	}
	if at := s.MustPost(t, "/tonight", form); at != "/tonight?done=night-on" {
		t.Errorf("it leads to %s", at)
	}
	now, err := s.Store.Settings(t.Context())
	if err != nil || !now.Night.Enabled || now.Night.Start != "02:00" || now.Night.End != "04:00" || now.Budget.Pages != 55 {
		t.Errorf("saved %+v, %v", now.Night, err)
	}
	if n := s.Count(t, `SELECT sum(ticked) FROM starts`); n != 3 {
		t.Errorf("%d pages are ticked", n)
	}
	form.Set("night", "off")
	if at := s.MustPost(t, "/tonight", form); at != "/tonight?done=night-off" {
		t.Errorf("it leads to %s", at)
	}
}

// TestNightOff: Finds and Crawls say that the night is off, and switch it on when that makes sense.
func TestNightOff(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/", "/crawls"} {
		if got := webtest.Text(s.Page(t, path).Find("#night-off button")); got != "Switch the night on" {
			t.Errorf("%s: the switch is %q", path, got)
		}
	}
	if at := s.MustPost(t, "/tonight/switch", url.Values{"night": {"on"}, "back": {"/crawls"}}); at != "/crawls?done=night-on" {
		t.Errorf("it leads to %s", at)
	}
	for _, path := range []string{"/", "/crawls"} {
		if s.Page(t, path).Find("#night-off").Length() != 0 {
			t.Errorf("%s says that the night is off", path)
		}
	}
	s.MustPost(t, "/tonight/switch", url.Values{"night": {"off"}})
	s.Exec(t, `UPDATE starts SET ticked = 0`)
	if got := s.Page(t, "/").Find("#night-off a.button").AttrOr("href", ""); got != "/tonight" {
		t.Errorf("without start pages it leads to %q", got)
	}
	s.MustPost(t, "/tonight/switch", url.Values{"night": {"on"}})
	if now, err := s.Store.Settings(t.Context()); err != nil || now.Night.Enabled {
		t.Errorf("a night that begins nowhere is on, %v", err)
	}
}

// TestFirst: what comes first is asked for the start pages that are ticked or proposed, once a minute, with what speaks for
// each link.
func TestFirst(t *testing.T) {
	s := seed(t)
	path := "/tonight/" + strconv.FormatInt(s.Topic, 10) + "/first"
	s.Preview = scheduler.Preview{Unread: []string{"http://new.test/"}, Links: []scheduler.PreviewLink{
		{URL: "http://a.test/x", Anchor: "Ice", From: "http://a.test/", Why: []strategy.Reason{
			{Name: "other signals together", Value: 3}, {Name: "“ice” in its text", Value: 2}, {Name: "its page", Value: -1}, {Name: "its address", Value: .01}}},
		{URL: "http://a.test/y", From: "http://a.test/"},
	}}
	d := s.Page(t, path)
	if got := webtest.Text(d.Find(".first li").First()); !strings.Contains(got, "for it: “ice” in its text; on http://a.test/") {
		t.Errorf("the first link says %q", got)
	}
	if got := webtest.Text(d.Find(".first")); !strings.Contains(got, "1 start page was not read before") || d.Find(".first li").Length() != 2 {
		t.Errorf("it says %q", got)
	}
	s.Page(t, path)
	if len(s.Previewed) != 1 || len(s.Previewed[0]) == 0 {
		t.Errorf("asked for %q", s.Previewed)
	}
	s.Clock = s.Clock.Add(2 * time.Minute)
	s.PreviewError = scheduler.ErrNoStart
	if got := webtest.Text(s.Page(t, path).Find(".first")); !strings.Contains(got, "Tick at least one start page first.") || len(s.Previewed) != 2 {
		t.Errorf("without start pages: %q", got)
	}
	s.PreviewError = errors.New("secret details")
	if got := webtest.Text(s.Page(t, path).Find(".first")); strings.Contains(got, "secret") || !strings.Contains(got, "not affected") {
		t.Errorf("after an error: %q", got)
	}
	if code := s.Get("/tonight/99/first").Code; code != 404 {
		t.Errorf("no such topic: %d", code)
	}
}

// TestDoctorPage shows what is broken first.
func TestDoctorPage(t *testing.T) {
	f := newFixture(t)
	f.report = doctor.Report{At: f.Clock, Checks: []doctor.Check{
		{ID: "a", Name: "A", State: doctor.Good, Says: "Fine."},
		{ID: "b", Name: "B", State: doctor.Note, Says: "Off.", Fix: "Switch it on.", Page: "/tonight"},
		{ID: "c", Name: "C", State: doctor.Broken, Says: "Gone.", More: []string{"one", "two"}, Fix: "Mend it."},
	}}
	d := f.Page(t, "/doctor")
	if f.limit >= 0 {
		t.Errorf("the check of the database has the limit %s", f.limit)
	}
	if got := webtest.Text(d.Find(".checks > li").First().Find("h2")); got != "C broken" {
		t.Errorf("first comes %q", got)
	}
	if webtest.Text(d.Find(".lead")) != "1 thing does not work. Each says how to mend it." || d.Find(".fix a[href='/tonight']").Length() != 1 {
		t.Errorf("it says %q", webtest.Text(d.Find("main")))
	}
	for _, path := range []string{"/settings", "/no-such-page"} {
		if w := f.Get(path); !strings.Contains(w.Body.String(), `href="/doctor"`) {
			t.Errorf("%s does not lead to the doctor", path)
		}
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

// TestTonightInParts: with many topics the card shows some of them, and saving it leaves the ticks of the others alone.
func TestTonightInParts(t *testing.T) {
	s := seed(t)
	for i := range 5 {
		id := 1000 + i
		s.Exec(t, `INSERT INTO topics (id, name, created_at) VALUES (?, ?, 1)`, id, "zz "+strconv.Itoa(i))
		s.Exec(t, `INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)`, id)
		s.Exec(t, `INSERT INTO starts (topic_id, url, source, ticked, created_at) VALUES (?, 'http://a.test/', 'added', ?, 1)`, id, i%2)
	}
	ids := func(path string) (all []string) {
		for _, in := range s.Page(t, path).Find("form#tonight input[name=topic]").EachIter() {
			all = append(all, in.AttrOr("value", ""))
		}
		return all
	}
	other := s.Page(t, "/tonight").Find("form#tonight a[href^='/tonight?topics=']").AttrOr("href", "")
	first, rest := ids("/tonight"), ids(other)
	if len(first) != 5 || len(rest) != 1 || strings.Contains(strings.Join(first, " "), rest[0]) {
		t.Fatalf("the parts are %q and, at %q, %q", first, other, rest)
	}
	const others = `SELECT count(*) FROM starts WHERE ticked = 1 AND topic_id <> CAST(? AS INTEGER)`
	before := s.Count(t, others, rest[0])
	s.MustPost(t, "/tonight", url.Values{"topic": rest, "night_start": {"02:00"}, "night_end": {"04:00"}, "pages": {"55"}, "night": {"on"}})
	if after := s.Count(t, others, rest[0]); after != before || before == 0 {
		t.Errorf("%d pages of other topics are ticked, were %d", after, before)
	}
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND topic_id = CAST(? AS INTEGER)`, rest[0]); n != 0 {
		t.Errorf("%d pages of the topic that was saved without ticks are ticked", n)
	}
}
