package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/cli/demo/demoweb"
)

// job is a person at work: one browser, the daemon, the made-up web.
type job struct {
	t      *testing.T
	d      *daemon
	web    *demoweb.Web
	b      browser
	reader *user // the tab with the web
	board  *user // the tab with the dashboard
	popup  *user // the popup's page: a headless browser has no toolbar
	topic  string

	webAddr string // where the web is served
}

// newJob starts everything, with a web of that seed.
func newJob(t *testing.T, name string, start start, seed uint64) *job {
	t.Helper()
	web := demoweb.Generate(seed)
	addr := serveWeb(t, web)
	j := &job{t: t, web: web, b: start(t, addr), topic: web.Topic, webAddr: addr}
	j.d = startDaemon(t, addr)
	first := &user{t: t, pictures: newPictures(name)}
	j.reader = first.open(j.b)
	return j
}

// tab finds a tab that was opened by the extension.
func (j *job) tab(prefix string) *user {
	j.t.Helper()
	u := &user{t: j.t, pictures: j.reader.pictures}
	j.reader.eventually("see the tab "+prefix, func() (err error) {
		u.tab, err = j.b.OpenTab(prefix)
		return err
	})
	return u
}

// connect agrees to be recorded, connects the browser, and opens the dashboard.
func (j *job) connect() {
	j.t.Helper()
	options := j.agree()
	j.board = j.reader.open(j.b)
	j.board.address(j.d.login)
	j.board.sees("h1", "Start here")
	j.board.look("dashboard-first")
	j.pair(options)
}

// agree agrees to be recorded, and returns the options page, since the test's daemon has another port.
func (j *job) agree() *user {
	j.t.Helper()
	welcome := j.tab(j.b.ExtensionPage("welcome/"))
	welcome.look("welcome")
	welcome.click("button", "I agree")
	welcome.click("button", "Options")
	return j.tab(j.b.ExtensionPage("options/"))
}

// pair connects the browser, by its options page and the dashboard.
func (j *job) pair(options *user) {
	j.t.Helper()
	const connected = "SELECT count(*) FROM browsers"
	before := j.d.number(connected)
	j.board.front().click("nav a", "Settings")
	j.board.sees("h1", "Settings")       // the page before it may have such a button, too
	j.board.click("button", "Connect a") // or another one
	j.board.sees(".pairing", "Waiting for a browser")

	options.front().write("#address", j.d.addr)
	options.click("button", "Connect")
	options.eventually("see six digits", func() error {
		if n := len(digits(options.read("#digits"))); n != 6 {
			return fmt.Errorf("%d digits", n)
		}
		return nil
	})
	options.look("options-digits")
	j.board.front().sees(".pairing", "six digits")
	j.board.look("dashboard-digits")
	if here, there := digits(options.read("#digits")), digits(j.board.read(".pairing .digits")); here != there {
		j.t.Fatalf("the extension shows %q, the dashboard %q", here, there)
	}
	if n := j.d.number(connected); n != before {
		j.t.Fatalf("%d browsers are connected before anybody approved", n-before)
	}
	j.board.click("button", "Yes, connect it")
	options.front().sees("#connection", "Connected to Nightjar")
	j.d.holds("the browser is connected", "1", "SELECT count(*) FROM browsers WHERE revoked_at IS NULL AND origin = ?",
		strings.TrimSuffix(j.b.ExtensionPage(""), "/"))
}

// digits are the digits in a text.
func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// begin opens the first page, unrecorded, and starts a session there.
func (j *job) begin() {
	j.t.Helper()
	first := j.web.Script()[0].URL
	j.reader.front().address(first)
	j.popup = j.reader.open(j.b)
	j.popup.address(j.b.ExtensionPage("popup/popup.html"))
	j.popup.sees("#connection", "Connected")
	if n := j.d.number("SELECT count(*) FROM events"); n != 0 {
		j.t.Fatalf("%d events were recorded outside a session", n)
	}
	j.popup.write("#topic", j.topic)
	j.popup.look("popup-start")
	j.popup.click("button", "Start recording")
	j.popup.sees("#session-facts", "Recording")
	j.popup.look("popup-recording")
	j.d.holds("a session is on", j.topic, "SELECT t.name FROM sessions s JOIN topics t ON t.id = s.topic_id WHERE s.status = 'recording'")
	j.recorded(first)
	j.reader.front().seesBar("1 page")
}

// recorded waits until the last visit is of that URL and the text has come, of it and of all frames that it shows.
func (j *job) recorded(url string) {
	j.t.Helper()
	const whole = `EXISTS (SELECT 1 FROM events e WHERE e.page = v.load AND e.type = 'snapshot')`
	j.d.holds("the page is recorded", url, `SELECT p.url FROM visits v JOIN pages p ON p.id = v.page_id
		WHERE v.how NOT IN ('frame', 'iframe') AND `+whole+` ORDER BY v.seq DESC LIMIT 1`)
	var frames int
	j.reader.must(j.reader.tab.Eval(`document.querySelectorAll("frame, iframe").length`, &frames), "count the frames")
	j.d.holds("its frames are recorded", strconv.Itoa(frames), `SELECT count(*) FROM visits v WHERE `+whole+` AND v.from_load =
		(SELECT load FROM visits WHERE how NOT IN ('frame', 'iframe') ORDER BY seq DESC LIMIT 1) AND v.how IN ('frame', 'iframe')`)
}

// play does what the script says, up to Submit, and waits after each step until the daemon has it.
func (j *job) play(steps []demoweb.Step) {
	j.t.Helper()
	j.reader.front()
	for _, step := range steps {
		switch step.Do {
		case demoweb.Open:
			j.reader.address(step.URL)
			j.recorded(final(j.web, step.URL))
		case demoweb.Follow:
			before := j.loads()
			j.reader.follow(step.URL)
			j.reader.arrives(final(j.web, step.URL))
			j.grows("the visit is recorded", before, j.loads)
			j.recorded(final(j.web, step.URL))
			if j.reader.frameset() {
				j.reader.look("frameset")
			}
		case demoweb.Back:
			before := j.backs()
			j.reader.must(j.reader.tab.Back(), "go back")
			j.grows("Back is recorded", before, j.backs)
		case demoweb.Useful:
			j.mark()
		}
	}
}

// mark presses Useful in the bar.
func (j *job) mark() {
	j.t.Helper()
	url := j.reader.url()
	j.reader.bar("Useful")
	j.d.holds("the page is marked", "1", "SELECT m.useful FROM marks m JOIN pages p ON p.id = m.page_id WHERE p.url = ?", url)
}

// loads counts the pages loaded.
func (j *job) loads() int {
	return j.d.number("SELECT count(*) FROM events WHERE type = 'visit'")
}

// backs counts the steps back.
func (j *job) backs() int {
	return j.d.number("SELECT count(*) FROM events WHERE type = 'back'")
}

// grows waits until a count is larger than before.
func (j *job) grows(what string, before int, count func() int) {
	j.t.Helper()
	j.reader.eventually(what, func() error {
		if now := count(); now <= before {
			return fmt.Errorf("still %d", now)
		}
		return nil
	})
}

// submit ends the session by the bar and waits until its model is there.
func (j *job) submit() {
	j.t.Helper()
	j.reader.bar("Submit")
	j.reader.look("bar-asks")
	j.reader.question("Submit")
	j.d.holds("the session is submitted", "submitted", "SELECT status FROM sessions")
	j.reader.look("bar-submitted")
	j.popup.front().sees("#training-text", "finished")
	j.popup.look("popup-trained")
	j.d.holds("the topic is learned", "1", "SELECT count(*) FROM models")
	j.reader.front().seesBar("Training finished")
	j.reader.bar("See what was learned")
	origin, _, _ := strings.Cut(j.d.login, "/login")
	j.tab(origin + "/model/" + j.d.text("SELECT topic_id FROM models"))
	j.reader.front()
	j.reader.look("bar-trained")
}
