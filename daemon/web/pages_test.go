package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/scheduler"
	"nightjar/daemon/session"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
)

func text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

func TestEmptyStore(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/", "/sessions", "/model", "/crawls", "/settings", "/?state=useful&q=x"} {
		d := f.page(t, path)
		if d.Find("h1").Length() != 1 || d.Find("main").Length() != 1 {
			t.Errorf("%s: %d h1", path, d.Find("h1").Length())
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
	events, err := session.Read(w.Body)
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
	if got := text(d.Find("#relevant")); !strings.Contains(got, decimal(s.bundle.Gamma.Value)) {
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
	hosts := s.count(t, `SELECT count(DISTINCT host) FROM contacts`)
	if got := d.Find("[aria-labelledby=hosts] tbody tr").Length(); got != min(hosts, topHosts) {
		t.Errorf("%d hosts, want %d", got, min(hosts, topHosts))
	}
	if !strings.Contains(text(d.Find("[role=status]")), "There was nothing left to fetch.") {
		t.Error("why it stopped is not said")
	}
	if got := text(d.Find(".told dd").First()); got != "hmm" {
		t.Errorf("strategy %q", got)
	}
}

// TestCrawlPageTellsOfStrategyErrors: what the strategy could not learn from is on the crawl's page, and only then.
func TestCrawlPageTellsOfStrategyErrors(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.crawl, 10)
	if strings.Contains(text(s.page(t, path).Find(".told")), "could not learn") {
		t.Error("a crawl without errors tells of some")
	}
	for n, want := range map[int]string{
		1: "The strategy could not learn from 1 page: <no> minimum", 3: "The strategy could not learn from 3 pages: <no> minimum",
	} {
		s.exec(t, `UPDATE crawls SET strategy_errors = ?, strategy_error = '<no> minimum'`, n)
		if got := text(s.page(t, path).Find(".told")); !strings.Contains(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}

// TestPauseButtons: an open crawl can be paused and stopped, on its page and in the list; a paused one can be resumed; a
// waiting one can be run anyway. Each says why it waits.
func TestPauseButtons(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.crawl, 10)
	for _, tt := range []struct{ paused, says, buttons string }{
		{"", "", "Pause, Stop"},
		{store.PausedByYou, "Paused by you.", "Resume, Stop"},
		{store.OnBattery, "On battery power.", "Run anyway, Pause, Stop"},
		{"nobody answers", "Nobody answers.", "Pause, Stop"},
	} {
		s.exec(t, `UPDATE crawls SET status = 'running', stop_reason = '', paused = ?`, tt.paused)
		for where, part := range map[string]string{path: ".page-head", "/crawls": ".lines"} {
			d := s.page(t, where)
			var buttons []string
			d.Find(part + " form button").Each(func(_ int, b *goquery.Selection) {
				name, _, _ := strings.Cut(text(b), ":")
				buttons = append(buttons, name)
			})
			if got := strings.Join(buttons, ", "); got != tt.buttons {
				t.Errorf("%s, paused %q: buttons %q, want %q", where, tt.paused, got, tt.buttons)
			}
			if !strings.Contains(text(d.Find("main")), tt.says) {
				t.Errorf("%s does not say %q", where, tt.says)
			}
		}
	}
	for _, button := range []string{"/pause", "/resume", "/stop"} {
		s.mustPost(t, path+button, nil)
	}
	if !slices.Equal(s.paused, []int64{s.crawl}) || !slices.Equal(s.resumed, []int64{s.crawl}) || !slices.Equal(s.stopped, []int64{s.crawl}) {
		t.Errorf("paused %v, resumed %v, stopped %v", s.paused, s.resumed, s.stopped)
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

func TestTrainingBanner(t *testing.T) {
	s := seed(t)
	s.training[s.topic] = trainer.Status{Running: true, Stage: "clusters", Done: 1, Total: 4}
	d := s.page(t, "/")
	if got := text(d.Find("#banners .banner").First()); !strings.Contains(got, "grouping the pages") || d.Find("#banners progress").AttrOr("value", "") != "25" {
		t.Errorf("banner %q", got)
	}
	s.training[s.topic] = trainer.Status{Problem: "mark at least one page Useful before you submit"}
	if got := text(s.page(t, "/").Find("#banners .banner")); !strings.Contains(got, "Mark at least one page Useful before you submit.") {
		t.Errorf("banner %q", got)
	}
}
