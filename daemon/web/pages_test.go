package web

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/ingest"
	"nightjar/daemon/recording"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
)

func text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

func TestEmptyPagesSayTheNextStep(t *testing.T) {
	s := seed(t)
	want := func(step, button string) {
		t.Helper()
		d := s.page(t, "/")
		if got := text(d.Find(".next [aria-current=step]")); got != step {
			t.Errorf("step %q, want %q", got, step)
		}
		if got := text(d.Find(".next .primary")); got != button {
			t.Errorf("button %q, want %q", got, button)
		}
	}
	s.exec(t, `DELETE FROM finds`)
	s.exec(t, `DELETE FROM fetches`)
	s.exec(t, `UPDATE crawls SET status = 'running', ended_at = NULL`)
	want("Let it run", "Watch it")
	s.exec(t, `DELETE FROM crawls`)
	want("Let it run", "Run now")
	s.exec(t, `UPDATE starts SET ticked = 0`)
	want("Tick start pages", "Choose start pages")
	s.exec(t, `DELETE FROM models`)
	want("Submit it", "See your sessions")
	s.exec(t, `DELETE FROM sessions`)
	want("Connect a browser", "Connect a browser")
	s.exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c', 'Chromium', 'chrome-extension://x', x'00', 1)`)
	want("Browse a session", "How a session works")
	for _, path := range []string{"/sessions", "/model/" + strconv.FormatInt(s.topic, 10), "/crawls", "/settings"} {
		s.page(t, path)
	}
}

func TestEmptyStore(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/", "/sessions", "/model", "/crawls", "/settings", "/?state=useful&q=x"} {
		d := f.page(t, path)
		if d.Find("h1").Length() != 1 || d.Find("main").Length() != 1 {
			t.Errorf("%s: %d h1", path, d.Find("h1").Length())
		}
	}
}

func TestFindsAndTrail(t *testing.T) {
	s := seed(t)
	d := s.page(t, "/")
	finds := s.count(t, `SELECT count(*) FROM finds`)
	if finds < 3 || d.Find("article.find").Length() != finds {
		t.Fatalf("%d of %d finds shown", d.Find("article.find").Length(), finds)
	}
	if got := text(d.Find("#nav-new")); got != strconv.Itoa(finds)+" new" {
		t.Errorf("navigation says %q", got)
	}
	d.Find("article.find").Each(func(_ int, card *goquery.Selection) {
		a := card.Find("h3 a")
		if !strings.HasPrefix(a.AttrOr("href", ""), "http://") || a.AttrOr("rel", "") != "noopener noreferrer" {
			t.Errorf("link %v", a.Nodes[0].Attr)
		}
		steps := card.Find(".trail li")
		if text(steps.First().Find(".hint").First()) != "start page" || !strings.Contains(text(steps.First()), "Compass") {
			t.Errorf("first step: %s", text(steps.First()))
		}
		if got := steps.Last().Find("a").AttrOr("href", ""); got != a.AttrOr("href", "") {
			t.Errorf("the trail ends at %s", got)
		}
		last := text(steps.Last().Find(".reading"))
		if !strings.HasPrefix(last, "Looked ") || !strings.Contains(last, "%") || !strings.Contains(last, "It reads like the pages about") {
			t.Errorf("reading %q", last)
		}
	})
}

func TestMarking(t *testing.T) {
	s := seed(t)
	id := strconv.Itoa(s.count(t, `SELECT min(id) FROM finds`))
	last := func() string {
		var mark string
		if err := s.db.QueryRow(`SELECT mark FROM feedback WHERE find_id = ? ORDER BY id DESC LIMIT 1`, id).Scan(&mark); err != nil {
			t.Fatal(err)
		}
		return mark
	}
	to := s.mustPost(t, "/finds/"+id+"/mark", url.Values{"mark": {"useful"}, "back": {"state=open&q=a b"}})
	if to != "/?q=a+b&state=open#find-"+id || last() != "useful" {
		t.Errorf("went to %s, mark %s", to, last())
	}
	if s.page(t, "/").Find("#find-"+id).Length() != 0 {
		t.Error("a marked find is still new")
	}
	d := s.page(t, "/?state=useful")
	if got := text(d.Find("#find-" + id + " .verdict")); got != "Marked Useful" {
		t.Errorf("verdict %q", got)
	}
	r := httptest.NewRequest(http.MethodPost, "/finds/"+id+"/mark", strings.NewReader("mark=none"))
	r.Host = s.host
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "http://"+s.host)
	r.Header.Set("X-Fragment", "1")
	r.AddCookie(s.cookie)
	w := s.serve(r)
	if w.Code != http.StatusOK || tree(t, w).Find("#find-"+id+" button").Length() != 2 || tree(t, w).Find("header.top").Length() != 0 {
		t.Errorf("fragment: %d %s", w.Code, w.Body)
	}
	if last() != "none" {
		t.Errorf("undone: %s", last())
	}
	for path, form := range map[string]url.Values{"/finds/" + id + "/mark": {"mark": {"perfect"}}, "/finds/99999/mark": {"mark": {"useful"}}} {
		if code := s.post(path, form).Code; code != http.StatusUnprocessableEntity && code != http.StatusNotFound {
			t.Errorf("%s %v: %d", path, form, code)
		}
	}
}

func TestFilters(t *testing.T) {
	s := seed(t)
	all := s.count(t, `SELECT count(*) FROM finds`)
	var title string
	if err := s.db.QueryRow(`SELECT title FROM finds LIMIT 1`).Scan(&title); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"": all, "state=all": all, "state=useful": 0, "q=" + url.QueryEscape(title): 1, "q=zzzz": 0, "q=%25": 0, "q=_": 0, "q='": 0,
		"topic=" + strconv.FormatInt(s.topic, 10): all, "topic=99": 0, "topic=x": all, "after=1000": 0, "after=-5": all, "state=none-such": all,
	} {
		if got := s.page(t, "/?"+query).Find("article.find").Length(); got != want {
			t.Errorf("%q shows %d finds, want %d", query, got, want)
		}
	}
}

func TestSessionPage(t *testing.T) {
	s := seed(t)
	d := s.page(t, "/sessions/"+s.session)
	rows := d.Find("tbody tr").Length()
	if circles := d.Find("svg .node circle").Length(); circles != rows || rows < 40 {
		t.Errorf("%d circles, %d rows", circles, rows)
	}
	targets := s.count(t, `SELECT count(*) FROM marks WHERE useful = 1`)
	if got := d.Find("svg .node.target").Length(); got != targets || targets < 3 {
		t.Errorf("%d ringed, %d marked", got, targets)
	}
	if d.Find("svg .edge.back").Length() < 10 || d.Find("svg .edge.move").Length() < 30 || d.Find("svg .edge.link").Length() < 30 {
		t.Error("moves, Back and other links are not all drawn")
	}
	if d.Find("svg > title").Length() != 1 || d.Find("svg > desc").Length() != 1 {
		t.Error("the picture has no words")
	}
	d.Find("svg a").Each(func(_ int, a *goquery.Selection) {
		if d.Find(a.AttrOr("href", "")).Length() != 1 {
			t.Errorf("node leads to %q", a.AttrOr("href", ""))
		}
	})
}

func TestSessionExport(t *testing.T) {
	s := seed(t)
	w := s.get("/sessions/" + s.session + "/export")
	events, err := recording.Read(w.Body)
	if err != nil || len(events) != s.count(t, `SELECT count(*) FROM events`) {
		t.Errorf("%d events, %v", len(events), err)
	}
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="tidal-power-2026-11-20.session.jsonl"` {
		t.Errorf("%s", got)
	}
}

func TestFileName(t *testing.T) {
	for topic, want := range map[string]string{"Hockey": "hockey", "../../etc/passwd": "etc-passwd", "日本": "session", "a\"\r\nb": "a---b", "": "session"} {
		if got := fileName(topic); got != want {
			t.Errorf("%q becomes %q, want %q", topic, got, want)
		}
	}
}

func TestSessionDelete(t *testing.T) {
	s := seed(t)
	if d := s.page(t, "/sessions/"+s.session+"/delete"); !strings.Contains(text(d.Find("main")), "cannot be undone") {
		t.Error("deleting is not explained")
	}
	s.mustPost(t, "/sessions/"+s.session+"/delete", nil)
	if n := s.count(t, `SELECT count(*) FROM sessions`) + s.count(t, `SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d rows left", n)
	}
	if n := s.count(t, `SELECT count(*) FROM models WHERE length(bundle) > 0`); n != 0 {
		t.Error("a model still knows the session")
	}
	if len(s.submitted) != 1 || s.submitted[0] != s.topic {
		t.Errorf("trained again: %v", s.submitted)
	}
	d := s.page(t, "/model/"+strconv.FormatInt(s.topic, 10))
	if !strings.Contains(text(d.Find("main")), "was erased") {
		t.Error("the model page does not say that the model was erased")
	}
	s.page(t, "/") // finds that the erased model judged still show
}

func TestStartPages(t *testing.T) {
	s := seed(t)
	base := "/topics/" + strconv.FormatInt(s.topic, 10) + "/starts"
	var all []string
	s.page(t, "/sessions").Find(".ticks input").Each(func(_ int, box *goquery.Selection) { all = append(all, box.AttrOr("value", "")) })
	if len(all) < 2 {
		t.Fatalf("start pages %q", all)
	}
	s.mustPost(t, base, url.Values{"start": {all[0], "https://never.proposed.example/"}})
	if n := s.count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND url = ?`, all[0]); n != 1 || s.count(t, `SELECT sum(ticked) FROM starts`) != 1 {
		t.Error("ticks are not those of the form")
	}
	s.mustPost(t, base+"/add", url.Values{"url": {"HTTP://Example.org:80/a#b"}})
	if n := s.count(t, `SELECT count(*) FROM starts WHERE url = 'http://example.org/a' AND ticked = 1 AND source = 'added'`); n != 1 {
		t.Error("the added page is not there")
	}
	for _, bad := range []string{"", "x", "javascript:alert(1)", "file:///etc/passwd", "https://u:p@example.org/", "http://"} {
		if code := s.post(base+"/add", url.Values{"url": {bad}}).Code; code != http.StatusUnprocessableEntity {
			t.Errorf("start page %q: %d", bad, code)
		}
	}
}

func TestModelPage(t *testing.T) {
	s := seed(t)
	d := s.page(t, "/model/"+strconv.FormatInt(s.topic, 10))
	if got, want := d.Find(".cluster").Length(), len(s.bundle.Clusters); got != want {
		t.Errorf("%d clusters, want %d", got, want)
	}
	if got := d.Find("svg.states .node").Length(); got != 4 {
		t.Errorf("%d states", got)
	}
	if got := d.Find("svg.concept .node").Length(); got != len(s.bundle.Pages) {
		t.Errorf("%d pages in the concept graph", got)
	}
	d.Find("table.heat").Each(func(_ int, m *goquery.Selection) {
		if m.Find("tbody tr").Length() != 4 {
			t.Errorf("%d rows", m.Find("tbody tr").Length())
		}
	})
	if got := text(d.Find("#gamma")); !strings.Contains(got, decimal(s.bundle.Gamma.Value)) {
		t.Errorf("threshold %q", got)
	}
	if code := s.get("/model/" + strconv.FormatInt(s.topic, 10) + "/9").Code; code != http.StatusNotFound {
		t.Errorf("a version that is not there: %d", code)
	}
	s.mustPost(t, "/topics/"+strconv.FormatInt(s.topic, 10)+"/train", nil)
	if len(s.submitted) != 1 {
		t.Error("training was not asked for")
	}
}

func TestCrawlPage(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.crawl, 10)
	d := s.page(t, path)
	if got, want := text(d.Find(".facts dd").First()), strconv.Itoa(s.count(t, `SELECT count(*) FROM fetches`)); got != want {
		t.Errorf("fetched %q", got)
	}
	if d.Find("svg.plot .line").Length() != 2 || !strings.Contains(text(d.Find("svg.plot desc")), "After ") {
		t.Error("the course is not drawn")
	}
	hosts := s.count(t, `SELECT count(DISTINCT host) FROM fetches`)
	if got := d.Find("[aria-label=Hosts] tbody tr").Length(); got != hosts {
		t.Errorf("%d hosts in the ledger, want %d", got, hosts)
	}
	if !strings.Contains(text(d.Find("[role=status]")), "There was nothing left to fetch.") {
		t.Error("why it stopped is not said")
	}
	s.exec(t, `UPDATE crawls SET status = 'running'`)
	if s.page(t, path).Find(`form[action="`+path+`/stop"] button`).Length() != 1 {
		t.Error("a running crawl cannot be stopped")
	}
	s.mustPost(t, path+"/stop", nil)
	if len(s.stopped) != 1 || s.stopped[0] != s.crawl {
		t.Errorf("stopped %v", s.stopped)
	}
}

func TestRunNow(t *testing.T) {
	s := seed(t)
	run := "/topics/" + strconv.FormatInt(s.topic, 10) + "/run"
	if to := s.mustPost(t, run, nil); to != "/crawls/1" || len(s.ran) != 1 {
		t.Errorf("went to %s, ran %v", to, s.ran)
	}
	s.runError = scheduler.ErrNoStart
	w := s.post(run, nil)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Tick at least one start page first.") {
		t.Errorf("without a start page: %d %s", w.Code, w.Body)
	}
	s.runError = errors.New("secret of the disk")
	if w := s.post(run, nil); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("other error: %d %s", w.Code, w.Body)
	}
}

func settingsValues(t *testing.T, f *fixture) url.Values {
	t.Helper()
	form := url.Values{}
	f.page(t, "/settings").Find("form.settings").Find("input, select, textarea").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		switch goquery.NodeName(s) {
		case "textarea":
			form.Set(name, s.Text())
		case "select":
			form.Set(name, s.Find("[selected]").Text())
		default:
			if s.AttrOr("type", "") != "checkbox" {
				form.Set(name, s.AttrOr("value", ""))
			} else if _, on := s.Attr("checked"); on {
				form.Set(name, "on")
			}
		}
	})
	return form
}

func TestSettings(t *testing.T) {
	f := newFixture(t)
	before, err := f.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	form := settingsValues(t, f)
	f.mustPost(t, "/settings", form)
	if same, _ := f.Store.Settings(t.Context()); !equalSettings(same, before) {
		t.Errorf("saving the form as it was changed %+v to %+v", before, same)
	}
	form.Set("night_on", "on")
	form.Set("night_start", "23:30")
	form.Set("pages", "77")
	form.Set("gamma", "0.6")
	form.Set("never", "Bank.example\r\nmail.example, Bank.example")
	form.Set("resolve", "*.test=127.0.0.1:8080")
	f.mustPost(t, "/settings", form)
	got, _ := f.Store.Settings(t.Context())
	if !got.Night.Enabled || got.Night.Start != "23:30" || got.Budget.Pages != 77 || got.Gamma != 0.6 || strings.Join(got.NeverRecord, " ") != "bank.example mail.example" {
		t.Errorf("saved %+v", got)
	}
	for _, path := range []string{"/", "/sessions", "/crawls"} {
		if !strings.Contains(text(f.page(t, path).Find(".banner.warn")), "*.test=127.0.0.1:8080") {
			t.Errorf("%s does not warn of the opening", path)
		}
	}
	for name, value := range map[string]string{"pages": "many", "gamma": "2", "delay": "-1", "states": "1", "night_end": "25:00", "resolve": "x", "allow_private": "10.0.0.1", "never": "a b/c", "minutes": ""} {
		bad := url.Values{}
		for k, v := range form {
			bad[k] = v
		}
		bad.Set(name, value)
		w := f.post("/settings", bad)
		d := tree(t, w)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(text(d.Find("[role=alert]")), "Nothing was saved.") {
			t.Errorf("%s = %q: %d", name, value, w.Code)
		}
		if !strings.Contains(w.Body.String(), `name="`+name+`"`) || (value != "" && !strings.Contains(w.Body.String(), value)) {
			t.Errorf("%s: what was typed is lost", name)
		}
	}
	if after, _ := f.Store.Settings(t.Context()); !equalSettings(after, got) {
		t.Error("a refused form changed something")
	}
}

func equalSettings(a, b store.Settings) bool { return formOf(a) == formOf(b) }

func TestPairing(t *testing.T) {
	f := newFixture(t)
	f.mustPost(t, "/settings/pairing/open", nil)
	if !strings.Contains(text(f.page(t, "/settings").Find(".pairing")), "Waiting for a browser") {
		t.Error("an open window is not shown")
	}
	f.pairing.Pending = &ingest.Pending{Name: "Firefox", Digits: "042137", Origin: "moz-extension://x"}
	d := f.page(t, "/settings")
	if got := text(d.Find(".digits")); got != "042137" {
		t.Errorf("digits %q", got)
	}
	if !strings.Contains(text(f.page(t, "/").Find(".banner.ask")), "asks to be connected") {
		t.Error("other pages do not say that a browser asks")
	}
	f.mustPost(t, "/settings/pairing/approve", url.Values{"digits": {d.Find("input[name=digits]").AttrOr("value", "")}})
	f.mustPost(t, "/settings/pairing/refuse", nil)
	f.mustPost(t, "/settings/browsers/revoke", url.Values{"client": {"c1"}})
	if len(f.approved) != 1 || f.approved[0] != "042137" || f.refused != 1 || len(f.revoked) != 1 || f.revoked[0] != "c1" {
		t.Errorf("approved %v, refused %d, revoked %v", f.approved, f.refused, f.revoked)
	}
}

func TestTrainingBanner(t *testing.T) {
	s := seed(t)
	s.training[s.topic] = trainer.Status{Running: true, Stage: "clusters", Done: 1, Total: 4}
	d := s.page(t, "/")
	if got := text(d.Find("#banners .banner").First()); !strings.Contains(got, "grouping them") || d.Find("#banners progress").AttrOr("value", "") != "25" {
		t.Errorf("banner %q", got)
	}
	s.training[s.topic] = trainer.Status{Problem: "mark at least one page Useful before you submit"}
	if got := text(s.page(t, "/").Find("#banners .banner")); !strings.Contains(got, "Mark at least one page Useful before you submit.") {
		t.Errorf("banner %q", got)
	}
}

func TestFormat(t *testing.T) {
	for p, want := range map[float64]string{0: "0 %", 0.0001: "0.1 %", 0.004: "0.4 %", 0.0094: "0.9 %", 0.71: "71 %", 0.996: "99.6 %", 0.9999: "100 %", 1: "100 %"} {
		if got := percent(p); got != want {
			t.Errorf("percent(%v) = %s, want %s", p, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 99_600: "100 kB", 999_600: "1.0 MB", 5_300_000_000: "5.3 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytes(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "-1\u202f234\u202f567"} {
		if got := number(n); got != want {
			t.Errorf("number(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "under 1 s", 59 * time.Second: "59 s", 61 * time.Second: "1 min 1 s", 3*time.Hour + 5*time.Minute: "3 h 5 min"} {
		if got := durationText(d); got != want {
			t.Errorf("duration(%v) = %s, want %s", d, got, want)
		}
	}
	for address, want := range map[string]bool{"http://a.example/": true, "https://a.example/x?y": true, "javascript:alert(1)": false, "data:text/html,x": false, "//a.example": false, "http:": false, "JaVaScRiPt://a.example/%0aalert(1)": false, "ftp://a.example/": false, "": false} {
		if got := weblink(address) != ""; got != want {
			t.Errorf("weblink(%q): %v", address, got)
		}
	}
	for text, want := range map[string]string{"": "", "a": "A.", "é x.": "É x.", "Done!": "Done!"} {
		if got := sentence(text); got != want {
			t.Errorf("sentence(%q) = %q, want %q", text, got, want)
		}
	}
}
