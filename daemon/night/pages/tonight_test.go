package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/scheduler"
)

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

// TestStartPagesThatAreRefused: an address that crawls would refuse is refused when it is entered, with the reason. A proposed one is
// not shown.
func TestStartPagesThatAreRefused(t *testing.T) {
	s := seed(t)
	form := "/topics/" + strconv.FormatInt(s.Topic, 10) + "/starts"
	stored := func() int {
		starts, err := startpages.All(t.Context(), s.Store.DB, s.Topic)
		if err != nil {
			t.Fatal(err)
		}
		return len(starts)
	}
	before := stored()
	for typed, says := range map[string]string{
		"http://" + webtest.Listen + "/":                  "own address",
		"http://[::1]/":                                   "private or special",
		"http://0x7f.1/":                                  "private or special",
		"http://2130706433/":                              "private or special",
		"http://192.168.178.1/":                           "private or special",
		"http://169.254.169.254/":                         "private or special",
		"http://localhost/":                               "local network",
		"http://fritz.box.lan/":                           "local network",
		"http://printer/":                                 "local network",
		"https://example.org:8443/":                       "neither 80 nor 443",
		"https://example.org/logout":                      "could change something",
		"https://user:pass@example.org/":                  "credentials",
		"https://example.org/?token=Zk3u9xQ8hT2mV5nB7cD1": "looks like a secret",
		"file:///etc/passwd":                              "should look like",
		"javascript:alert(1)":                             "should look like",
		"ftp://example.org/":                              "should look like",
	} {
		w := s.Post(form, url.Values{"url": {typed}})
		if w.Code == http.StatusSeeOther || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d, the answer lacks %q", typed, w.Code, says)
		}
	}
	if now := stored(); now != before {
		t.Errorf("there are %d start pages, not %d", now, before)
	}
	if err := startpages.Propose(t.Context(), s.Store.DB, s.Topic, []string{"http://10.0.0.1/", "http://example.org/shown"}, s.Store.Erasures()); err != nil {
		t.Fatal(err)
	}
	if page := webtest.Text(s.Page(t, "/tonight").Find("main")); !strings.Contains(page, "example.org") || strings.Contains(page, "10.0.0.1") {
		t.Errorf("the proposed start pages:\n%s", page)
	}
}

// TestRunFromTonight: the button on the card runs a topic with what is ticked on it.
func TestRunFromTonight(t *testing.T) {
	s := seed(t)
	s.Exec(t, `UPDATE starts SET ticked = 0`)
	id := strconv.FormatInt(s.Topic, 10)
	card := s.Page(t, "/tonight").Find("form#tonight")
	if buttons := card.Find("button[type=submit]"); buttons.First().AttrOr("name", "") != "night" || card.Find("button[name=run][value='"+id+"']").Length() != 1 {
		t.Errorf("buttons %q; Enter must save, and one button run the topic", webtest.Text(buttons))
	}
	form := url.Values{"topic": {id}, "night_start": {"02:00"}, "night_end": {"04:00"}, "pages": {"55"}, "run": {id}}
	if w := s.Post("/tonight", form); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Tick at least one page from which to crawl") || len(s.Ran) != 0 {
		t.Errorf("nothing is ticked: %d, ran %v", w.Code, s.Ran)
	}
	form["start-"+id] = []string{card.Find(".ticks input").First().AttrOr("value", "")}
	if to := s.MustPost(t, "/tonight", form); to != "/crawls/1" || len(s.Ran) != 1 || s.Ran[0] != s.Topic {
		t.Errorf("leads to %s, ran %v", to, s.Ran)
	}
	ticked, err := startpages.Ticked(t.Context(), s.Store.DB, s.Topic)
	if now, _ := s.Store.Settings(t.Context()); err != nil || len(ticked) != 1 || now.Night.Enabled || now.Budget.Pages != 55 {
		t.Errorf("ticked %v, %v; saved %+v", ticked, err, now.Budget)
	}
}
