package pages

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
)

func TestCrawlPage(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	d := s.Page(t, path)
	if got, want := webtest.Text(d.Find(".facts dd").First()), strconv.Itoa(s.Count(t, `SELECT count(*) FROM fetches`)); got != want {
		t.Errorf("fetched %q", got)
	}
	if d.Find("svg.plot.row-of .line").Length() != 2 || !strings.Contains(webtest.Text(d.Find("svg.plot desc")), "After ") {
		t.Error("the course is not drawn")
	}
	hosts := s.Count(t, `SELECT count(DISTINCT host) FROM contacts`)
	if got := d.Find("[aria-labelledby=hosts] tbody tr").Length(); got != min(hosts, topHosts) {
		t.Errorf("%d hosts, want %d", got, min(hosts, topHosts))
	}
	if !strings.Contains(webtest.Text(d.Find("[role=status]")), "There was nothing left to fetch.") {
		t.Error("why it stopped is not said")
	}
	if got := webtest.Text(d.Find(".told dd").First()); got != "hmm-paper" {
		t.Errorf("strategy %q", got)
	}
}

// TestCrawlPageTellsOfStrategyErrors: what the strategy could not learn from is on the crawl's page, and only then.
func TestCrawlPageTellsOfStrategyErrors(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	if strings.Contains(webtest.Text(s.Page(t, path).Find(".told")), "could not learn") {
		t.Error("a crawl without errors tells of some")
	}
	for n, want := range map[int]string{
		1: "The strategy could not learn from 1 page: <no> minimum", 3: "The strategy could not learn from 3 pages: <no> minimum",
	} {
		s.Exec(t, `UPDATE crawls SET strategy_errors = ?, strategy_error = '<no> minimum'`, n)
		if got := webtest.Text(s.Page(t, path).Find(".told")); !strings.Contains(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
	}
}

// TestPauseButtons: an open crawl can be paused and stopped, on its page and in the list; a paused one can be resumed; a
// waiting one can be run anyway. Each says why it waits.
func TestPauseButtons(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	for _, tt := range []struct{ paused, says, buttons string }{
		{"", "", "Pause, Stop"},
		{crawls.PausedByYou, "Paused by you.", "Resume, Stop"},
		{crawls.OnBattery, "On battery power.", "Run anyway, Pause, Stop"},
		{"nobody answers", "Nobody answers.", "Pause, Stop"},
	} {
		s.Exec(t, `UPDATE crawls SET status = 'running', stop_reason = '', paused = ?`, tt.paused)
		for where, part := range map[string]string{path: ".page-head", "/crawls": ".lines"} {
			d := s.Page(t, where)
			var buttons []string
			d.Find(part + " form button").Each(func(_ int, b *goquery.Selection) {
				name, _, _ := strings.Cut(webtest.Text(b), ":")
				buttons = append(buttons, name)
			})
			if got := strings.Join(buttons, ", "); got != tt.buttons {
				t.Errorf("%s, paused %q: buttons %q, want %q", where, tt.paused, got, tt.buttons)
			}
			if !strings.Contains(webtest.Text(d.Find("main")), tt.says) {
				t.Errorf("%s does not say %q", where, tt.says)
			}
		}
	}
	for _, button := range []string{"/pause", "/resume", "/stop"} {
		s.MustPost(t, path+button, nil)
	}
	if !slices.Equal(s.Paused, []int64{s.Crawl}) || !slices.Equal(s.Resumed, []int64{s.Crawl}) || !slices.Equal(s.Stopped, []int64{s.Crawl}) {
		t.Errorf("paused %v, resumed %v, stopped %v", s.Paused, s.Resumed, s.Stopped)
	}
}

func TestRunNow(t *testing.T) {
	s := seed(t)
	run := "/topics/" + strconv.FormatInt(s.Topic, 10) + "/run"
	if to := s.MustPost(t, run, nil); to != "/crawls/1" || len(s.Ran) != 1 {
		t.Errorf("went to %s, ran %v", to, s.Ran)
	}
	s.RunError = scheduler.ErrNoStart
	w := s.Post(run, nil)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Tick at least one start page first.") {
		t.Errorf("without a start page: %d %s", w.Code, w.Body)
	}
	s.RunError = errors.New("secret of the disk")
	if w := s.Post(run, nil); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("other error: %d %s", w.Code, w.Body)
	}
}

// TestLooksOfCrawl: the page of a crawl says how many pages it looked at again, which, and on how many new links were.
func TestLooksOfCrawl(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	if says := webtest.Text(s.Page(t, path).Find("dl.facts")); strings.Contains(says, "again") {
		t.Errorf("a crawl without looks says %q", says)
	}
	s.Exec(t, `UPDATE fetches SET look = 0 WHERE crawl_id = ? AND n IN (1, 2)`, s.Crawl)
	s.Exec(t, `UPDATE fetches SET look = 4 WHERE crawl_id = ? AND n = 3`, s.Crawl)
	if says := webtest.Text(s.Page(t, path).Find("dl.facts")); !strings.Contains(says, "Looked at again3 new links on 1") {
		t.Errorf("it says %q", says)
	}
}

// TestCrawlLearned: a crawl's page says when its strategy learned last and from how much, if it did.
func TestCrawlLearned(t *testing.T) {
	s := seed(t)
	path := "/crawls/" + strconv.FormatInt(s.Crawl, 10)
	if got := webtest.Text(s.Page(t, path).Find(".told")); strings.Contains(got, "Learned") {
		t.Errorf("nothing was learned: %q", got)
	}
	s.Exec(t, `UPDATE crawls SET learned_at = ?, learned_pages = 950`, s.Clock.UnixMilli())
	if got := webtest.Text(s.Page(t, path).Find(".told")); !strings.Contains(got, "Last learned") || !strings.Contains(got, "from 950 pages of this crawl") {
		t.Errorf("told %q", got)
	}
}
