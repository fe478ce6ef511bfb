package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestSentChromium reads what was sent and what was left out, and tries an address.
func TestSentChromium(t *testing.T) {
	j := newJob(t, "sent-chromium", startChromium, 3)
	j.sent()
	j.tryAddress()
}

// sent records a page whose address has a secret and opens one that asks for a password. Then it compares what the page
// "What was sent" shows with what the daemon stored.
func (j *job) sent() {
	j.t.Helper()
	j.connect()
	j.begin()
	before := j.loads()
	j.reader.address(j.web.Script()[0].URL + "?token=canary1234&q=ice#canary")
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
	page.sees("#events .body", "the value of “token”, the part after #")
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
	if err := json.Unmarshal([]byte(body), &stored); err != nil || !reflect.DeepEqual(shown, stored) {
		j.t.Errorf("the page shows %v, the daemon stored %v", shown, body)
	}
}

// tryAddress tries addresses in the options before the list is saved.
func (j *job) tryAddress() {
	j.t.Helper()
	options := j.tab(j.b.ExtensionPage("options/")).front()
	options.write("#try", "https://www.bank.test/accounts?sid=1")
	options.sees("#try-result", "It would be recorded")
	options.sees("#try-stored", "https://www.bank.test/accounts?sid=redacted")
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
