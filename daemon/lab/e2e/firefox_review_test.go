package e2e

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestFirefoxReview reviews the demonstration's finds in Firefox: why is opened, finds are marked with each mark, several at
// once, and taken back after a reload; then a page is searched for, the web graph stepped through, and the night switched on.
func TestFirefoxReview(t *testing.T) {
	t.Parallel()
	b := startFirefox(t, "127.0.0.1:1")
	d := startDemo(t)
	u := (&user{t: t, pictures: newPictures("firefox-review")}).open(b)
	u.address(d.login)
	u.sees(".scripted h1", "Finds") // with the scripts at work
	u.windows("finds")
	u.reviewOne(d)
	u.reviewSeveral(d)
	u.lookUp(d)
	u.switchOn(d)
	for _, page := range []string{"doctor", "teach/1", "settings", "crawls", "finds/1"} {
		if u.pictured() {
			u.address(d.origin(u) + "/" + page)
			u.windows(strings.ReplaceAll(page, "/", "-"))
		}
	}
}

// marked waits until that many finds have the mark, "none" excepted.
func (d *daemon) marked(n int, mark string) {
	d.t.Helper()
	d.holds(mark, fmt.Sprint(n), "SELECT count(*) FROM finds WHERE mark = ?", mark)
}

// reviewOne marks the first find by each mark in turn and undoes each.
func (u *user) reviewOne(d *daemon) {
	u.t.Helper()
	u.keys("je")
	u.sees("#find-details:not([hidden]), article.find details.trail[open]", "waiting links")
	u.windows("why")
	u.keys("e")
	for _, m := range []struct{ key, mark, says string }{
		{"u", "useful", "Marked Useful"}, {"x", "not-useful", "Marked Not useful"}, {"l", "later", "Saved for later"}, {"n", "off-topic", "Marked “Not this topic”"},
	} {
		u.keys("j" + m.key)
		u.sees("#echo", m.says)
		d.marked(1, m.mark)
		if m.key == "u" {
			u.sees("#echo", "first 10 links") // what it changed
			u.windows("echo")
		}
		u.address(u.url()) // what can be undone survives a reload
		u.sees("#echo", m.says)
		u.keys("z")
		u.seesNoMore(m.says)
		d.marked(0, m.mark)
	}
	u.keys("jb")
	u.sees("#echo", "Never again")
	d.holds("a site is refused", "1", "SELECT count(*) FROM refused")
	u.keys("z")
	u.seesNoMore("Never again")
	d.holds("the site is allowed again", "0", "SELECT count(*) FROM refused")
}

// seesNoMore waits until the echo says something else than what was undone: at first “Undone.”, and then what both actions changed
// together, which may follow at once.
func (u *user) seesNoMore(says string) {
	u.t.Helper()
	u.holdsHere("see that it is undone", fmt.Sprintf(`!(document.querySelector("#echo")?.textContent ?? "").includes(%s)`, quote(says)))
}

// reviewSeveral selects three finds, marks them by the button, and takes all back by the one at the top, after a reload.
func (u *user) reviewSeveral(d *daemon) {
	u.t.Helper()
	u.address(d.origin(u) + "/?state=all") // which finds are still new depends on how long the others were on the screen
	// what the site changed is said at the top once it is known, and moves all below
	u.holdsHere("see what the site changed", `/first (\d+ )?links?/.test(document.querySelector("#echo").textContent)`)
	u.keys("cJJ")
	u.sees("#bulk", "3 selected")
	u.windows("selected")
	u.click("#bulk button", "Later")
	u.sees("#echo", "Saved for later: 3 finds")
	d.marked(3, "later")
	u.address(u.url())
	u.sees("#echo", "Saved for later: 3 finds")
	u.click("#echo button", "Undo")
	u.seesNoMore("Saved for later")
	d.marked(0, "later")
	u.eventually("what was on the screen counts as seen", func() error {
		if d.number("SELECT count(*) FROM finds WHERE seen_at IS NOT NULL") == 0 {
			return errors.New("no find is seen")
		}
		return nil
	})
}

// lookUp finds a page again by its title, and steps through the web graph of the session.
func (u *user) lookUp(d *daemon) {
	u.t.Helper()
	title := d.text("SELECT title FROM finds ORDER BY useful DESC LIMIT 1")
	u.click("nav a", "Topics")
	u.sees("nav [aria-current]", "Topics")
	u.sees("h2", "How far pages were from useful ones")
	u.windows("model")
	u.click("h1", "")
	u.keys("/" + title + "\n")
	u.sees("h1", "Search")
	u.sees(".results", title)
	u.windows("search")

	u.click("nav a", "Topics")
	u.click("nav a", "Sessions")
	u.sees("nav [aria-current]", "Sessions")
	u.click("#sessions th a", "")
	u.sees("h2", "Web graph")
	u.click("[data-step=first]", "")
	u.sees("#web-step", "Step 1 of ")
	u.click("#web-frame", "")
	u.keys(".")
	u.sees("#web-step", "Step 2 of ")
	u.windows("session")
}

// switchOn sets the window and switches the night on.
func (u *user) switchOn(d *daemon) {
	u.t.Helper()
	u.click("nav a", "Finds")
	u.click("a", "What it does")
	u.click("#tonight .starts summary", "Start pages")
	u.sees("#tonight", "led to")
	u.windows("tonight")
	u.write("#tonight-pages", "40")
	u.click("#tonight button", "Switch the night on")
	u.sees(".banner", "The night is on")
	d.holds("the night is on", "1 40", `SELECT (value ->> '$.night.enabled') || ' ' || (value ->> '$.budget.pages') FROM settings WHERE key = 'settings'`)
}

// pictured reports whether pictures are asked for.
func (u *user) pictured() bool { return os.Getenv("NIGHTJAR_SCREENSHOTS") != "" }

// windows takes pictures at the width of a telephone and of a laptop, when pictures are asked for.
func (u *user) windows(name string) {
	u.t.Helper()
	if !u.pictured() {
		return
	}
	for _, width := range []int{360, 1280} {
		u.must(u.tab.View(width, 1600, "light"), "set the window")
		u.eventually("have the window", u.tab.Settled)
		u.look(fmt.Sprintf("%s-%d", name, width))
	}
	u.must(u.tab.View(1280, 800, "light"), "set the window")
	u.eventually("have the window", u.tab.Settled)
}
