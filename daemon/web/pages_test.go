package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/web/frame"
)

// loosened is a text with plain spaces for those at which no line may break.
func loosened(t string) string { return strings.ReplaceAll(t, frame.NoBreak, " ") }

func TestEmptyStore(t *testing.T) {
	webtest.OneHeading(t, newFixture(t).Site, "/", "/sessions", "/model", "/crawls", "/settings", "/?state=useful&q=x")
}

func TestSessionPage(t *testing.T) {
	s := seed(t)
	d := s.Page(t, "/sessions/"+s.Session)
	pages := s.Count(t, `SELECT pages FROM sessions`)
	if nodes := d.Find(".web-pages a.n").Length(); nodes != pages || nodes < 40 {
		t.Errorf("%d symbols, %d pages", nodes, pages)
	}
	targets := s.Count(t, `SELECT count(*) FROM marks WHERE useful = 1`)
	if got := d.Find(".web-pages a.t").Length(); got != targets || targets < 3 {
		t.Errorf("%d ringed, %d marked", got, targets)
	}
	path := func(class string) int { return strings.Count(d.Find(".web-lines "+class).AttrOr("d", ""), "M") }
	if path(".backs") < 10 || path(".way.w0") < 30 || path(".faint") < 30 {
		t.Error("moves, Back and other links are not all drawn")
	}
	d.Find(".web-pages a.n").Each(func(_ int, a *goquery.Selection) {
		href := a.AttrOr("href", "")
		query, anchor, _ := strings.Cut(href, "#")
		on := d
		if query != "" {
			on = s.Page(t, "/sessions/"+s.Session+query)
		}
		if on.Find("#"+anchor).Length() != 1 {
			t.Errorf("symbol leads to %q", href)
		}
	})
}

// TestSessionIsKept changes nothing between two requests: the second reads no page again. An erased event deletes what was kept.
func TestSessionIsKept(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	first := s.Get(path).Body.String()
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 1 {
		t.Fatalf("%d pictures kept", n)
	}
	one, err := s.Store.SessionByUUID(t.Context(), s.Session)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := s.webOf(t.Context(), one, true)
	if err != nil {
		t.Fatal(err)
	}
	other := keptWeb{Pages: kept.Pages[:1]}
	other.layOut()
	body, err := frame.Pack(other)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE pictures SET body = ?`, body) // another picture, to see that it is the kept one that is shown
	if n := s.Page(t, path).Find(".web-pages a.n").Length(); n != 1 {
		t.Errorf("%d symbols: the kept picture is not shown", n)
	}
	s.Exec(t, `UPDATE pictures SET body = x'00'`)
	if s.Get(path).Body.String() != first {
		t.Error("a broken picture is not made again in the same way")
	}
	s.Exec(t, `DELETE FROM events WHERE type = 'back'`)
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 0 {
		t.Error("what was kept outlives erased events")
	}
	if got := s.Page(t, path).Find(".web-lines .backs").Length(); got != 0 {
		t.Error("erased moves are drawn")
	}
	s.Exec(t, `UPDATE events SET body = json_set(body, '$.title', 'changed') WHERE type = 'visit'`)
	if n := s.Count(t, `SELECT count(*) FROM pictures`); n != 0 {
		t.Error("what was kept outlives changed events")
	}
}

// TestConceptGraphIsKept lays out the concept graph once; it goes with the data of its version.
func TestConceptGraphIsKept(t *testing.T) {
	s := seed(t)
	path := s.ModelPart("graph")
	first := s.Get(path).Body.String()
	if n := s.Count(t, `SELECT count(*) FROM model_pictures`); n != 1 {
		t.Fatalf("%d pictures kept", n)
	}
	if s.Get(path).Body.String() != first {
		t.Error("the second request shows something else")
	}
	kept := s.keptConcept(t.Context(), s.Model, s.Bundle)
	kept.Caption = "This one was kept."
	body, err := frame.Pack(kept)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE model_pictures SET body = ?`, body) // another picture, to see that it is the kept one that is shown
	if got := webtest.Text(s.Page(t, path).Find("#concept-caption")); got != kept.Caption {
		t.Errorf("the kept picture is not shown, but %q", got)
	}
	s.Exec(t, `UPDATE model_pictures SET body = x'00'`)
	if s.Get(path).Body.String() != first {
		t.Error("a broken picture is not made again in the same way")
	}
	if err := models.Forget(t.Context(), s.Store.DB, s.Model); err != nil {
		t.Fatal(err)
	}
	if n := s.Count(t, `SELECT count(*) FROM model_pictures`); n != 0 {
		t.Error("the picture outlives the data of its version")
	}
}

// TestConceptTable walks the parts of the table: each page has a row, and the symbols lead to the rows.
func TestConceptTable(t *testing.T) {
	s := seed(t)
	seen := map[string]bool{}
	for from := 1; from <= len(s.Bundle.Pages); from += frame.RowsShown {
		d := s.Page(t, s.ModelPart("graph")+"?from="+strconv.Itoa(from))
		d.Find("#graph-pages tbody tr").Each(func(_ int, row *goquery.Selection) { seen[row.AttrOr("id", "")] = true })
		d.Find(".web-pages a").Each(func(_ int, a *goquery.Selection) {
			if href := a.AttrOr("href", ""); strings.HasPrefix(href, "#") && d.Find(href).Length() != 1 {
				t.Errorf("from %d: a symbol leads to %s, which is not shown", from, href)
			}
		})
	}
	if len(seen) != len(s.Bundle.Pages) {
		t.Errorf("%d rows of %d pages", len(seen), len(s.Bundle.Pages))
	}
}

func TestSessionExport(t *testing.T) {
	s := seed(t)
	w := s.Get("/sessions/" + s.Session + "/export")
	events, err := session.Read(w.Body)
	if err != nil || len(events) != s.Count(t, `SELECT count(*) FROM events`) {
		t.Errorf("%d events, %v", len(events), err)
	}
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="tidal-power-2026-11-20.session.jsonl"` {
		t.Errorf("%s", got)
	}
}

func TestSessionDelete(t *testing.T) {
	s := seed(t)
	if d := s.Page(t, "/sessions/"+s.Session+"/delete"); !strings.Contains(webtest.Text(d.Find("main")), "cannot be undone") {
		t.Error("deleting is not explained")
	}
	s.MustPost(t, "/sessions/"+s.Session+"/delete", nil)
	if n := s.Count(t, `SELECT count(*) FROM sessions`) + s.Count(t, `SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d rows left", n)
	}
	if n := s.Count(t, `SELECT count(*) FROM models WHERE length(bundle) > 0`); n != 0 {
		t.Error("a model still knows the session")
	}
	if len(s.Submitted) != 1 || s.Submitted[0] != s.Topic {
		t.Errorf("trained again: %v", s.Submitted)
	}
	d := s.Page(t, "/model/"+strconv.FormatInt(s.Topic, 10))
	if !strings.Contains(webtest.Text(d.Find("main")), "was erased") {
		t.Error("the model page does not say that the model was erased")
	}
	s.Page(t, "/") // finds that the erased model judged still show
}

func TestStartPages(t *testing.T) {
	s := seed(t)
	base := "/topics/" + strconv.FormatInt(s.Topic, 10) + "/starts"
	var all []string
	s.Page(t, "/sessions").Find(".ticks input").Each(func(_ int, box *goquery.Selection) { all = append(all, box.AttrOr("value", "")) })
	if len(all) < 2 {
		t.Fatalf("start pages %q", all)
	}
	s.MustPost(t, base, url.Values{"start-" + strconv.FormatInt(s.Topic, 10): {all[0], "https://never.proposed.example/"}})
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND url = ?`, all[0]); n != 1 || s.Count(t, `SELECT sum(ticked) FROM starts`) != 1 {
		t.Error("ticks are not those of the form")
	}
	// ticks that were not saved yet are saved with a page that is added
	id := strconv.FormatInt(s.Topic, 10)
	ticks := url.Values{"start-" + id: {all[1]}, "visited-asked": {id}, "url": {"HTTP://Example.org:80/a#b"}}
	s.MustPost(t, base, ticks)
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE url = 'http://example.org/a' AND ticked = 1 AND source = 'added'`); n != 1 {
		t.Error("the added page is not there")
	}
	if n := s.Count(t, `SELECT count(*) FROM starts WHERE ticked = 1 AND url = ?`, all[1]); n != 1 || s.Count(t, `SELECT sum(ticked) FROM starts`) != 2 {
		t.Error("the ticks beside the added page were not saved")
	}
	for _, bad := range []string{"x", "javascript:alert(1)", "file:///etc/passwd", "https://u:p@example.org/", "http://"} {
		ticks.Set("url", bad)
		w := s.Post(base, ticks)
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("start page %q: %d", bad, w.Code)
		}
		page, err := goquery.NewDocumentFromReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if box := page.Find(".ticks input[checked]"); box.Length() != 1 || box.AttrOr("value", "") != all[1] {
			t.Errorf("start page %q: the page lost the ticks of the person", bad)
		}
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
		"http://" + s.Listen + "/":                        "own address",
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

func TestModelPage(t *testing.T) {
	s := seed(t)
	if got, want := s.Page(t, s.ModelPart("words")).Find(".cluster").Length(), len(s.Bundle.Clusters); got != want {
		t.Errorf("%d clusters, want %d", got, want)
	}
	d := s.Page(t, s.ModelPath())
	if got, want := d.Find(".clusters-short li").Length(), len(s.Bundle.Clusters); got != want {
		t.Errorf("%d clusters in the overview, want %d", got, want)
	}
	if got := d.Find(".states .row-of .node").Length(); got != 4 {
		t.Errorf("%d states", got)
	}
	if got := s.Page(t, s.ModelPart("graph")).Find("#concept-graph .web-pages a").Length(); got != len(s.Bundle.Pages) {
		t.Errorf("%d pages in the concept graph", got)
	}
	d.Find("table.heat").Each(func(_ int, m *goquery.Selection) {
		if m.Find("tbody tr").Length() != 4 {
			t.Errorf("%d rows", m.Find("tbody tr").Length())
		}
	})
	if got := webtest.Text(d.Find("#relevant")); !strings.Contains(got, frame.Decimal(s.Bundle.Gamma.Value)) {
		t.Errorf("threshold %q", got)
	}
	if code := s.Get("/model/"+strconv.FormatInt(s.Topic, 10)+"/9").Code + s.Get(s.ModelPart("nothing")).Code; code != 2*http.StatusNotFound {
		t.Errorf("a version that is not there: %d", code)
	}
	s.MustPost(t, "/topics/"+strconv.FormatInt(s.Topic, 10)+"/train", nil)
	if len(s.Submitted) != 1 {
		t.Error("training was not asked for")
	}
}

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
	if got := webtest.Text(d.Find(".told dd").First()); got != "hmm" {
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

// TestShownChange: a threshold that changed a lot is told beside the finds that it let through.
func TestShownChange(t *testing.T) {
	s := seed(t)
	says := "a page is a find now if it is at least 27 % likely useful"
	s.Exec(t, `UPDATE models SET facts = json_set(facts, '$.shown', ?)`, says)
	if got := webtest.Text(s.Page(t, "/?state=all").Find(".run .hint")); !strings.Contains(got, "New with this version of the model: A page is a find now if it is at least 27 % likely useful.") {
		t.Errorf("says %q", got)
	}
}

func TestTrainingBanner(t *testing.T) {
	s := seed(t)
	s.Training[s.Topic] = trainer.Status{Running: true, Stage: "clusters", Done: 1, Total: 4}
	d := s.Page(t, "/")
	if got := webtest.Text(d.Find("#banners .banner").First()); !strings.Contains(got, "grouping the pages") || d.Find("#banners progress").AttrOr("value", "") != "25" {
		t.Errorf("banner %q", got)
	}
	s.Training[s.Topic] = trainer.Status{Problem: "mark at least one page Useful before you submit"}
	if got := webtest.Text(s.Page(t, "/").Find("#banners .banner")); !strings.Contains(got, "Mark at least one page Useful before you submit.") {
		t.Errorf("banner %q", got)
	}
}

// A large session that is still recorded is drawn again at most once a minute, and only when that is asked for; its page says
// how old the picture is.
func TestLargeSessionWhileRecorded(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	s.Exec(t, `UPDATE sessions SET pages = ?, status = 'recording'`, mostAtOnce+1)
	state := func() (of string) {
		if err := s.DB.QueryRow(`SELECT of FROM pictures`).Scan(&of); err != nil {
			t.Fatal(err)
		}
		return of
	}
	if d := s.Page(t, path+"?draw=1"); d.Find("#web-age").Length() != 0 || d.Find(".web").Length() != 1 {
		t.Error("a picture that was drawn just now is said to be old")
	}
	first := state()
	s.Exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body, content_hash)
		SELECT id || 'x', session_id, client, seq + 100000, at, type, page, body, content_hash FROM events WHERE type = 'snapshot' LIMIT 1`)
	for _, c := range []struct {
		after time.Duration
		query string
		says  string
		again bool // it can be asked for
		drawn bool // it was drawn again
	}{
		{20 * time.Second, "", "as it was 20 s ago.", false, false},
		{20 * time.Second, "?draw=1", "as it was 40 s ago.", false, false},
		{5 * time.Minute, "", "as it was 5 min 40 s ago. Draw it again", true, false},
		{0, "?draw=1", "", false, true},
		{time.Hour, "", "", false, true}, // no event came since
	} {
		s.Clock = s.Clock.Add(c.after)
		d := s.Page(t, path+c.query)
		if age := webtest.Text(d.Find("#web-age")); !strings.HasSuffix(age, c.says) || (age == "") != (c.says == "") {
			t.Errorf("%q: says %q, want %q", c.query, age, c.says)
		}
		if again := d.Find("#web-age a").AttrOr("href", "") == "?draw=1"; again != c.again {
			t.Errorf("%q: can be drawn again: %v", c.query, again)
		}
		if drawn := state() != first; drawn != c.drawn || d.Find(".web").Length() != 1 {
			t.Errorf("%q: drawn again: %v", c.query, drawn)
		}
	}
}

// Every page has the box of the search.
func TestSearchBoxIsOnEveryPage(t *testing.T) {
	s := seed(t)
	for _, path := range []string{"/", "/sessions", "/crawls", "/settings"} {
		if n := s.Page(t, path).Find(`form[action="/search"] input[name=q][data-seek]`).Length(); n != 1 {
			t.Errorf("%s has %d boxes", path, n)
		}
	}
}
