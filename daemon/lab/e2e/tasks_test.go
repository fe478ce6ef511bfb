package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTasks does what a new person does in the first hour, from an empty data folder on: the first session, the night switched
// on, and at night the first find understood, a wrong find corrected, a page found again. It writes down what each took;
// daemon/lab/reports/FIRST_HOUR.md has the figures. For each change, TestFirstFindUnderstood, TestWrongFindCorrected and
// TestSearchFlow do the last three.
func TestTasks(t *testing.T) {
	t.Parallel()
	j := newJob(t, "tasks", startChromium, 2)
	j.reader.work = &work{}
	j.reader.task("to the first session", j.firstSession)
	j.board.task("the night switched on", j.nightOn)
	j.checkNight()
	if !thorough() {
		return
	}
	j.fetchSome()
	j.board.task("the first find understood", j.understand)
	j.board.task("a wrong find corrected", j.correct)
	j.board.task("a page found again", j.findAgain)
}

// firstSession connects the browser and records a session. Only a short one is played: what it takes does not depend on
// Nightjar.
func (j *job) firstSession() {
	j.t.Helper()
	j.reader.address(j.web.Script()[0].URL) // before the session, so it is not recorded
	j.meet()
	j.board.front().sees("#step-session .tag", "done")
	before, browsing := *j.reader.work, time.Now()
	j.play(short(j.web.Script()))
	before.began = before.began.Add(time.Since(browsing)) // browsing is the person's own time, and not counted
	*j.reader.work = before
	j.board.front().sees("#step-session", "marked Useful")
	j.shots(j.board, "start-session")
	j.reader.front().bar("Submit")
	j.reader.question("Submit")
	j.d.holds("the topic is learned", "1", "SELECT count(*) FROM models")
	j.board.front().sees("h1", "Finds") // the page goes on by itself
	j.board.sees("#tonight", "led to")
}

// meet goes from the first page of the dashboard and that of the extension to a session. Only the two pages are used: Agree and Yes
// connect the browser.
func (j *job) meet() {
	j.t.Helper()
	j.board = j.reader.open(j.b)
	j.board.address(j.d.login)
	j.board.sees("h1", "Start here")
	j.board.sees("#step-load button", "Copy")
	j.board.reads(".page-head", "#step-load > p", ".browsers > details[open]", "#step-connect > p")
	j.seesExtension()
	j.shots(j.board, "start")

	welcome := j.tab(j.b.ExtensionPage("welcome/")).front()
	j.shots(welcome, "welcome")
	welcome.reads("main")
	welcome.click("button", "I agree")
	j.elsewhere(welcome)
	welcome.front().sees("#connecting", "Compare these digits") // the dashboard is behind
	welcome.reads("#connecting")
	j.shots(welcome, "welcome-digits")

	j.board.front().sees("#step-connect .pairing", "six digits")
	j.board.sees("#step-load .tag", "done")
	j.board.reads("#step-connect .pairing")
	j.shots(j.board, "start-digits")
	if here, there := digits(welcome.read("#digits")), digits(j.board.read(".pairing .digits")); here != there || len(here) != 6 {
		j.t.Fatalf("the extension shows %q, the dashboard %q", here, there)
	}
	if n := j.d.number("SELECT count(*) FROM browsers"); n != 0 {
		j.t.Fatalf("%d browsers are connected before anybody approved", n)
	}
	j.board.click("#approve", "")
	welcome.sees("#ready", "What are you looking for?")
	welcome.eventually("be in front again", func() error {
		var hidden bool
		err := welcome.tab.Eval("document.hidden || !document.activeElement?.matches('#topic')", &hidden)
		if err == nil && hidden {
			err = errors.New("another tab is, or another field has the focus")
		}
		return err
	})
	welcome.reads("#ready")
	j.shots(welcome, "welcome-ready")
	welcome.keys(j.topic)
	welcome.click("button", "Start recording")
	welcome.sees("#recording", "Recording “"+j.topic+"”")
	welcome.reads("#recording")
	j.shots(welcome, "welcome-recording")
	j.d.holds("a session is on", j.topic, "SELECT t.name FROM sessions s JOIN topics t ON t.id = s.topic_id WHERE s.status = 'recording'")
	if n := j.d.number("SELECT count(*) FROM events WHERE type = 'visit'"); n != 0 {
		j.t.Errorf("%d pages of other tabs were recorded", n)
	}
}

// elsewhere tells the extension the address of the test's daemon, which has another port than a person's. It does not count.
func (j *job) elsewhere(welcome *user) {
	j.t.Helper()
	before := *j.reader.work
	welcome.sees("#connection", "not running")
	j.shots(welcome, "welcome-away")
	welcome.click("button", "Options")
	options := j.tab(j.b.ExtensionPage("options/"))
	options.write("#address", j.d.addr)
	options.click("button", "Connect")
	options.look("options")
	*j.reader.work = before
}

// nightOn reads what the card Tonight proposes and switches the night on.
func (j *job) nightOn() {
	j.t.Helper()
	j.board.click("#tonight .first summary", "Fetched first")
	j.board.sees("#tonight .first", "After the start pages")
	j.shots(j.board, "tonight")
	if n := j.d.number("SELECT count(*) FROM starts WHERE ticked"); n != 0 {
		j.t.Errorf("%d start pages are ticked before the person did so", n)
	}
	j.board.reads("#tonight")
	j.board.write("#tonight-pages", "40")
	j.board.click("#tonight button", "Switch the night on")
	j.board.sees(".banner", "The night is on")
	j.board.sees("#tonight .tag", "on")
	j.board.look("night-on")
}

// checkNight looks at what switching on did, and at the doctor.
func (j *job) checkNight() {
	j.t.Helper()
	j.d.holds("the night is on", "1 40", `SELECT (value ->> '$.night.enabled') || ' ' || (value ->> '$.budget.pages') FROM settings WHERE key = 'settings'`)
	ticked := j.d.number("SELECT count(*) FROM starts WHERE ticked")
	if all := j.d.number("SELECT count(*) FROM starts"); ticked != min(3, all) {
		j.t.Errorf("%d of %d start pages are ticked", ticked, all)
	}
	j.d.holds("nothing was crawled meanwhile", "0", "SELECT count(*) FROM crawls WHERE night = ''")
	j.board.click("a", "the doctor")
	j.board.sees(".checks", "1 browser connected")
	j.board.sees("#check-database", "sound")
	j.shots(j.board, "doctor")
}

// fetchSome crawls now, since the test cannot wait for the night.
func (j *job) fetchSome() {
	j.t.Helper()
	j.chooseBudget(90)
	j.board.click("nav a", "Nights")
	j.board.click("button", "Run ")
	j.d.holds("the crawl ended", "ended", "SELECT status FROM crawls")
	if n := j.d.number("SELECT count(*) FROM finds"); n < 3 {
		j.t.Fatalf("%d finds", n)
	}
}

// understand reads the first find, and opens how it was reached.
func (j *job) understand() {
	j.t.Helper()
	j.board.click("nav a", "Finds")
	j.board.sees("article.find .said", "Shares ")
	j.board.look("finds")
	j.board.reads("#finds-lead", "li:first-child > article.find :is(h3, .about, .snippet)")
	j.board.sees("#find-details:not([hidden]) .why", "waiting links") // beside the list
	j.board.look("why")
	j.board.reads("#find-details .find-about")
}

// correct marks the first find Not useful and reads what that changed.
func (j *job) correct() {
	j.t.Helper()
	j.board.click("li:first-child > article.find button", "Not useful")
	j.board.sees("#echo", "Marked Not useful")
	j.board.sees("#echo", "Tonight's first")
	j.board.look("echo")
	j.board.reads("#echo")
	j.d.holds("the mark is stored", "1", "SELECT count(*) FROM finds WHERE mark = 'not-useful'")
}

// findAgain looks for a page by two words of its title that the person remembers, from another page of the dashboard.
func (j *job) findAgain() {
	j.t.Helper()
	title := j.d.text("SELECT p.title FROM pages p JOIN marks m ON m.page_id = p.id WHERE m.useful ORDER BY p.id LIMIT 1")
	words := strings.Fields(strings.NewReplacer(",", "", "-", "").Replace(title))
	j.board.keys("/" + strings.Join(words[max(0, len(words)-2):], " ") + "\n")
	j.board.sees("h1", "Search")
	j.board.sees(".results", title)
	j.board.look("found")
	j.board.reads(".result h3")
	j.board.holdsHere("the page is among the first ten", fmt.Sprintf(
		`[...document.querySelectorAll(".result h3")].slice(0, 10).some((e) => e.textContent.trim() === %s)`, quote(title)))
	j.board.click(".result h3 a", title)
}
