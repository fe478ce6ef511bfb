package e2e

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/lab/effort"
)

// TestChromium plays the whole main job: connect, browse, submit, crawl, review.
func TestChromium(t *testing.T) {
	t.Parallel()
	j := newJob(t, "chromium", startChromium, 2)
	j.connect()
	j.begin()
	j.submitTooEarly()
	j.askForPassword()
	script := j.web.Script()
	j.play(script[1:])
	j.checkSession(script)
	j.milestone()
	j.submit()
	j.nameInDashboard()
	j.chooseStarts()
	const pages = 150 // a third of the web
	j.chooseBudget(pages)
	j.crawl(pages)
	j.review()
	j.lookAround()
	j.pause()
	j.documents()
}

// TestFirefox plays the part of the main job that happens on pages.
func TestFirefox(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	j := newJob(t, "firefox", startFirefox, 2)
	j.connect()
	j.begin()
	j.askForPassword()
	script := j.web.Script()
	j.play(script[1:])
	j.checkSession(script)
	j.barInTheWay()
	j.milestone()
	j.submit()
	j.documents()
}

// submitTooEarly submits without a page marked Useful, then with no page beside the useful one.
func (j *job) submitTooEarly() {
	j.t.Helper()
	j.reader.bar("Submit")
	j.reader.seesBar("Mark at least one page Useful")
	j.reader.look("bar-refuses")
	j.reader.question("Keep browsing")

	j.mark()
	j.reader.bar("Submit")
	j.reader.question("Submit")
	j.reader.seesBar("at least three other pages")
	j.reader.look("bar-too-few")
	j.d.holds("the session stays open", "recording", "SELECT status FROM sessions")
	j.reader.bar("✓ Useful")
	j.d.holds("the mark is taken back", "0", "SELECT sum(useful) FROM marks")
}

// askForPassword visits a page that asks for a password: nothing of it may arrive.
func (j *job) askForPassword() {
	j.t.Helper()
	j.reader.address("http://" + secretHost + "/")
	j.reader.seesBar("not recorded")
	j.reader.look("bar-left-out")
	first := j.web.Script()[0].URL
	before := j.loads()
	j.reader.address(first)
	j.grows("the next page is recorded", before, j.loads)
	for _, query := range []string{
		"SELECT count(*) FROM pages WHERE url LIKE ?", "SELECT count(*) FROM events WHERE body LIKE ?",
	} {
		if n := j.d.number(query, "%"+secretHost+"%"); n != 0 {
			j.t.Errorf("%d rows know of the page with a password field: %s", n, query)
		}
	}
}

// checkSession compares the web graph of what the browser recorded with that of a simulated person who did the same.
func (j *job) checkSession(script []demoweb.Step) {
	j.t.Helper()
	events, err := session.Read(bytes.NewReader(j.d.export(j.topic)))
	if err != nil {
		j.t.Fatal(err)
	}
	got, want := graphOf(j.t, events), graphOf(j.t, simulate(j.t, j.web))
	if len(want) < 100 {
		j.t.Fatalf("the simulated person saw too little: %d pages and links", len(want))
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			j.t.Errorf("recorded, but not done: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			j.t.Errorf("done, but not recorded: %s", line)
		}
	}
	backs := 0
	for _, step := range script {
		if step.Do == demoweb.Back {
			backs++
		}
	}
	j.d.holds("steps back", strconv.Itoa(backs), "SELECT count(*) FROM events WHERE type = 'back'")
	j.d.holds("the frames of the frameset", "2", "SELECT count(DISTINCT page_id) FROM visits WHERE how = 'frame'")
}

// chooseStarts ticks the proposed start pages on the dashboard.
func (j *job) chooseStarts() {
	j.t.Helper()
	if n := j.d.number("SELECT count(*) FROM starts WHERE ticked"); n != 0 {
		j.t.Errorf("%d start pages are ticked before the person did so", n)
	}
	j.board.front().click("nav a", "Topics")
	j.board.click("nav a", "Sessions")
	j.board.sees("main", "Model, version 1")
	proposed := j.d.number("SELECT count(*) FROM starts")
	var open int
	j.board.must(j.board.tab.Eval(`document.querySelectorAll(".ticks input:not(:checked)").length`, &open), "count the boxes")
	if open > 0 {
		j.board.click("button", "Tick all or none")
	}
	j.board.click("button", "Save start pages")
	j.board.sees(".banner", "tart page")
	j.board.look("dashboard-starts")
	j.d.holds("start pages are ticked", strconv.Itoa(proposed), "SELECT count(*) FROM starts WHERE ticked")
}

// chooseBudget sets the pages of a night, and asks for no pause between two of them. The crawl shall wait for neither
// power nor network, whatever machine the test runs on.
func (j *job) chooseBudget(pages int) {
	j.t.Helper()
	j.board.click("nav a", "Settings")
	j.board.write("#pages", strconv.Itoa(pages))
	j.board.write("#delay", "0")
	j.board.click("label.check", "Only on mains power")
	j.board.click("label.check", "Only on networks")
	j.board.click("button", "Save settings")
	j.board.sees(".banner", "aved")
	j.d.holds("the budget is kept", strconv.Itoa(pages), "SELECT max(value ->> '$.budget.pages') FROM settings")
	j.d.holds("power and network are not waited for", "0 0", `SELECT (value ->> '$.on_mains') || ' ' || (value ->> '$.unmetered')
		FROM settings WHERE key = 'settings'`)
}

// crawl runs the topic now and watches it end.
func (j *job) crawl(pages int) {
	j.t.Helper()
	j.board.click("nav a", "Nights")
	j.board.click("button", "Run ")
	j.d.holds("a crawl has begun", "1", "SELECT count(*) FROM crawls")
	j.board.sees("main", "etched")
	j.board.look("dashboard-crawl-runs")
	for running, fetched := true, -1; running; { // as long as pages come, nobody loses patience
		var last int
		j.board.eventually("see another page, or the end", func() error {
			running = j.d.text("SELECT status FROM crawls") != "ended"
			if last = j.d.number("SELECT fetched FROM crawls"); running && last == fetched {
				return fmt.Errorf("still %d pages", last)
			}
			return nil
		})
		fetched = last
	}
	if n := j.d.number("SELECT fetched FROM crawls"); n != pages {
		j.t.Errorf("%d pages were fetched, the budget was %d", n, pages)
	}
	if reason := j.d.text("SELECT stop_reason FROM crawls"); !strings.Contains(reason, "budget") {
		j.t.Errorf("the crawl does not say that its budget is spent: %q", reason)
	}
	j.board.sees("#crawl, #crawls", "udget of")
	j.board.look("dashboard-crawl-ended")
	if n := j.d.number("SELECT count(*) FROM fetches WHERE url LIKE ?", "%"+secretHost+"%"); n != 0 {
		j.t.Errorf("a page that asks for a password was fetched %d times", n)
	}
}

// review marks one find Useful and one Not useful, by keys, and reads a trail.
func (j *job) review() {
	j.t.Helper()
	finds := j.d.number("SELECT count(*) FROM finds WHERE asked = 0")
	if finds < 3 {
		j.t.Fatalf("%d finds: too few to review", finds)
	}
	if n := j.d.number("SELECT count(*) FROM finds f JOIN pages p ON p.url = f.url"); n != 0 {
		j.t.Errorf("%d finds were visited already", n)
	}
	j.board.click("nav a", "Finds")
	j.board.sees("article.find", "% likely")
	j.board.look("dashboard-finds")
	j.board.keys("j")
	j.board.keys("e")
	j.board.sees("#find-details:not([hidden])", "start page")
	j.board.look("dashboard-trail")
	j.board.keys("u")
	j.d.holds("a find is marked Useful", "1", "SELECT count(*) FROM feedback WHERE mark = 'useful'")
	j.board.sees("article.find", "Marked Useful")
	j.board.keys("j")
	j.board.keys("x")
	j.d.holds("a find is marked Not useful", "1", "SELECT count(*) FROM feedback WHERE mark = 'not-useful'")
	j.board.sees("article.find.not-useful", "Marked Not useful")
	j.board.sees("#finds-lead", strconv.Itoa(finds-2)+" new")
	j.board.look("dashboard-marked")
}

// lookAround opens the pages that show what was recorded and learned.
func (j *job) lookAround() {
	j.t.Helper()
	j.board.click("nav a", "Topics")
	j.board.click("nav a", "Sessions")
	j.board.click("table a", j.topic)
	j.board.sees("h2", "Web graph")
	j.board.look("dashboard-session")
	j.board.click("nav a", "Topics")
	j.board.sees("h2", "How far pages were from useful ones")
	j.board.look("dashboard-model")
}
