package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
)

// TestSentChromium reads what was sent and what was left out, tries an address, and sees the marks beside links.
func TestSentChromium(t *testing.T) {
	t.Parallel()
	j := newJob(t, "sent-chromium", startChromium, 3)
	j.sent()
	j.tryAddress()
	j.seeMarks()
}

// TestSentFirefox reads what was sent in Firefox.
func TestSentFirefox(t *testing.T) {
	t.Parallel()
	effort.AtNight(t)
	newJob(t, "sent-firefox", startFirefox, 3).sent()
}

// sent records a page whose address has a secret and opens one that asks for a password. Then it compares what the page
// "What was sent" shows with what the daemon stored.
func (j *job) sent() {
	j.t.Helper()
	j.connect()
	j.begin()
	before := j.loads()
	j.reader.address(j.web.Script()[0].URL + "?access_token=canary1234&q=ice#canary")
	j.grows("the page is recorded", before, j.loads)
	j.reader.address("http://" + secretHost + "/")
	j.reader.seesBar("not recorded")
	j.popup.front().click("button", "What was sent")
	page := j.tab(j.b.ExtensionPage("sent/"))
	page.sees("#left-out-count", "1")
	page.click("#left-out-part > summary", "")
	page.sees("#left-out", secretHost+": it asks for a password.")
	page.allViews("left-out")
	page.click("#left-out-part > summary", "")

	page.write("#text", "token=redacted")
	page.sees("#events > li", "Page visited")
	page.click("#events .what", "Page visited")
	page.sees("#events .body", "the value of “access_token”, the part after #")
	page.sees("#events .body", "Stored by Nightjar at")
	j.word(page)
	page.allViews("event")
	if whole := page.read("body"); strings.Contains(whole, "canary") {
		j.t.Errorf("the page shows a secret: %s", whole)
	}
	page.write("#text", "DOCTYPE ") // nothing is searched in what is packed
	page.sees("#count", "0 of")
	page.write("#text", " ")
	page.click("#events .what", "Text of a page")
	page.sees("#events", "<!DOCTYPE html>")
	page.allViews("snapshot")
	page.click("button", "Clear the list")
	page.sees("#empty", "The list is empty")
	page.allViews("empty")
}

// word compares the JSON that the page shows with the event as the daemon stored it.
func (j *job) word(page *user) {
	j.t.Helper()
	var shown, stored map[string]any
	page.eventually("read the event", func() error {
		return json.Unmarshal([]byte(page.read("#events pre")), &shown)
	})
	body := j.d.text("SELECT body FROM events WHERE id = ?", shown["id"])
	if at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(shown["at"])); err == nil {
		shown["at"] = at.Format(time.RFC3339Nano) // as the daemon writes it, without zeros at the end
	}
	if err := json.Unmarshal([]byte(body), &stored); err != nil || !reflect.DeepEqual(shown, stored) {
		j.t.Errorf("the page shows %v, the daemon stored %v", shown, body)
	}
}

// tryAddress tries addresses in the options before the list is saved.
func (j *job) tryAddress() {
	j.t.Helper()
	options := j.tab(j.b.ExtensionPage("options/")).front()
	options.write("#try", "https://www.bank.test/accounts?PHPSESSID=1")
	options.sees("#try-result", "It would be recorded")
	options.sees("#try-stored", "https://www.bank.test/accounts?PHPSESSID=redacted")
	options.allViews("try-recorded")
	options.write("#never", " bank.test ")
	options.sees("#try-result", "“bank.test” on the list above covers it")
	options.allViews("try-refused")
	var never int
	options.must(options.tab.(*chromiumTab).Run("chrome.storage.local.get('settings').then(({settings}) => settings?.never.length ?? 0)", &never), "read the list")
	if never == 1 {
		j.t.Error("trying an address saved the list")
	}
}

// seeMarks switches the marks on and looks at a page with links: those that were visited have a mark, and the page cannot
// tell which.
func (j *job) seeMarks() {
	j.t.Helper()
	script := j.web.Script()
	j.reader.front().address(script[0].URL)
	options := j.tab(j.b.ExtensionPage("options/")).front()
	options.click("#marks", "")
	options.sees("#saved", "On.")
	options.allViews("marks-option")
	list := j.reader.open(j.b)
	var link string
	j.reader.front().must(j.reader.tab.Eval("[...document.links].find((a) => a.hostname === location.hostname && a.pathname !== location.pathname).href", &link), "find a link")
	j.reader.address(link)
	j.recorded(final(j.web, link))
	list.front().address(script[0].URL)
	var marks struct{ Boxes, Marked []string }
	list.eventually("see the marks", func() error {
		err := list.tab.(*chromiumTab).evalIn("nightjar-marks", `(root) => {
			const boxes = [...root.querySelectorAll("div > div")];
			return {boxes: boxes.map((b) => b.offsetWidth + "x" + b.offsetHeight), marked: boxes.map((b) => b.getAttribute("aria-label")).filter(Boolean)};
		}`, &marks)
		if err == nil && len(marks.Marked) == 0 {
			err = fmt.Errorf("%+v", marks)
		}
		return err
	})
	list.allViews("marks")
	if !strings.HasPrefix(marks.Marked[0], "Visited: ") || len(marks.Boxes) <= len(marks.Marked) {
		j.t.Errorf("marks %+v, want some, all of visited links, and boxes without a mark", marks)
	}
	var seen struct {
		Covers, Text, Root bool
		Width              float64
	}
	list.must(list.tab.Eval(`(() => {
		const host = document.getElementById("nightjar-marks");
		const covers = [...document.links].flatMap((a) => [...a.getClientRects()])
			.some((r) => [1, 4, 8].some((d) => document.elementsFromPoint(r.right + d, r.top + 3).includes(host)));
		return {covers, text: find("Visited: "), root: host.shadowRoot !== null, width: host.scrollWidth + host.offsetWidth};
	})()`, &seen), "look as the page does")
	if seen.Covers || seen.Text || seen.Root {
		j.t.Errorf("the page sees the marks: %+v", seen)
	}
	options.front().click("#marks", "")
	options.sees("#saved", "Off.")
	list.front().eventually("see no marks", func() error {
		if list.read("#nightjar-marks") != "" || list.tab.(*chromiumTab).evalIn("nightjar-marks", "() => 1", new(int)) == nil {
			return fmt.Errorf("the layer is still there")
		}
		return nil
	})
}

// allViews takes screenshots at two widths in both colours, when screenshots are wanted.
func (u *user) allViews(what string) {
	u.t.Helper()
	if os.Getenv("NIGHTJAR_SCREENSHOTS") == "" {
		return
	}
	for _, width := range []int{360, 1280} {
		for _, colours := range []string{"light", "dark"} {
			if u.tab.View(width, 900, colours) == nil { // Firefox has no such switch
				u.look(fmt.Sprintf("%s-%d-%s", what, width, colours))
			}
		}
	}
}
