package e2e

import (
	"errors"
	"strings"
	"testing"
)

// TestNoAccess installs the extension and starts a session without answering the browser's question for access: nothing
// runs in any page, nothing is recorded, and the popup says so.
func TestNoAccess(t *testing.T) {
	t.Parallel()
	j := newJob(t, "no-access", startUnaskedChromium, 2)
	j.connect()
	script := j.web.Script()
	j.reader.front().address(script[0].URL)
	j.popup = j.reader.open(j.b)
	j.popup.address(j.b.ExtensionPage("popup/popup.html"))
	j.popup.sees("#connection", "Connected")
	var access struct{ Origins, Permissions []string }
	own := j.popup.tab.(*chromiumTab)
	j.popup.must(own.Run("chrome.permissions.getAll()", &access), "read the permissions")
	if len(access.Origins) != 0 || len(access.Permissions) == 0 || strings.Contains(strings.Join(access.Permissions, " "), "webNavigation") {
		t.Errorf("after installation the extension may %+v", access)
	}
	j.popup.write("#topic", j.topic)
	j.popup.click("button", "Start recording")
	j.popup.sees("#problem", "Nothing is recorded before you allow that")
	j.popup.look("asks")
	j.reader.front().address(script[1].URL)
	if err := j.reader.tab.EvalBar("() => 1", new(int)); !errors.Is(err, errNoBar) {
		t.Errorf("the bar is on a page without access: %v", err)
	}
	j.popup.front().sees("#no-session", "Start a session")
	var scripts int
	j.popup.must(own.Run("chrome.scripting.getRegisteredContentScripts().then((all) => all.length)", &scripts), "count the content scripts")
	if scripts != 0 {
		t.Errorf("%d content scripts are registered without a session", scripts)
	}
	if n := j.d.number("SELECT count(*) FROM events"); n != 0 {
		t.Errorf("%d events were recorded without access", n)
	}
}
