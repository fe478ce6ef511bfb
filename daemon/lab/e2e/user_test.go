package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// user is a person at a tab. What cannot be done in time fails the test, with a screenshot.
type user struct {
	t   *testing.T
	tab tab
	pictures
}

// pictures saves numbered screenshots. All tabs of one person share it, and what is counted of the person's work.
type pictures struct {
	name string // of the files
	n    *int
	work *work // nil when nothing is counted
}

// newPictures begins a series.
func newPictures(name string) pictures { return pictures{name, new(int), nil} }

// must fails the test.
func (u *user) must(err error, doing string) {
	u.t.Helper()
	if err == nil {
		return
	}
	u.look("failed")
	u.t.Fatalf("%s at %s: %v\nthe page says: %.2000s", doing, u.url(), err, u.read("body"))
}

// eventually tries until try succeeds.
func (u *user) eventually(doing string, try func() error) {
	u.t.Helper()
	u.must(poll(patience, try), doing)
}

// open opens an empty tab for the same person.
func (u *user) open(b browser) *user {
	u.t.Helper()
	t, err := b.NewTab()
	u.must(err, "open a tab")
	return &user{t: u.t, tab: t, pictures: u.pictures}
}

// front goes back to this tab.
func (u *user) front() *user {
	u.t.Helper()
	u.must(u.tab.Front(), "bring the tab to the front")
	return u
}

// address types a URL into the address bar.
func (u *user) address(url string) {
	u.t.Helper()
	u.must(u.tab.Address(url), "go to "+url)
}

// click clicks what a selector matches and says text; "" is any text.
func (u *user) click(selector, text string) {
	u.t.Helper()
	u.clickOn(target{Selector: selector, Text: text}, false, 1)
}

// follow clicks the link to a URL.
func (u *user) follow(url string) {
	u.t.Helper()
	u.clickOn(target{Selector: "a", Href: url}, false, 1)
}

// clickOn clicks when the target is where it was a moment before: people do not hit what moves. Where it moved at the last
// moment, they click again.
func (u *user) clickOn(what target, inBar bool, times int) {
	u.t.Helper()
	u.clickWhen(func() error { return nil }, what, inBar, times)
}

// clickWhen is clickOn once ready is no error.
func (u *user) clickWhen(ready func() error, what target, inBar bool, times int) {
	u.t.Helper()
	var last point
	u.eventually("click "+what.String(), func() error {
		if err := errors.Join(u.tab.Settled(), ready()); err != nil {
			return err
		}
		at, err := locate(u.tab, what, inBar)
		if err != nil {
			return err
		}
		if at != last {
			last = at
			if inBar { // it may be about to close, and does not while the mouse is on it
				return errors.Join(u.tab.Move(at), errors.New("the mouse was elsewhere"))
			}
			return errors.New("it moves")
		}
		if err := u.tab.Click(at, times); err != nil || inBar {
			return err
		}
		hit := true
		if err := u.tab.Eval(pressed, &hit); err == nil && !hit { // an error: the click led away
			return errors.New("it moved under the mouse")
		}
		return nil
	})
	u.work.click()
}

// write replaces what is in a field. People see where the cursor is before they type, and click again when the field had moved.
func (u *user) write(selector, text string) {
	u.t.Helper()
	u.eventually("put the cursor into "+selector, func() error {
		u.clickOn(target{Selector: selector}, false, 3)
		var there bool
		err := u.tab.Eval(fmt.Sprintf("document.activeElement?.matches(%q) ?? false", selector), &there)
		if err == nil && !there {
			err = errors.New("the click went elsewhere")
		}
		return err
	})
	u.keys(text)
}

// keys types.
func (u *user) keys(text string) {
	u.t.Helper()
	u.eventually("see the page loaded", func() error {
		var state string
		err := u.tab.Eval("document.readyState", &state)
		if err == nil && state != "complete" {
			err = errors.New(state)
		}
		return err
	})
	u.must(u.tab.Type(text), "type "+text)
	u.work.press(text)
}

// url is the address of the page, "" when that cannot be told at the moment.
func (u *user) url() string {
	var url string
	if u.tab.Eval("location.href", &url) != nil {
		return ""
	}
	return url
}

// frameset tells whether the page is one.
func (u *user) frameset() bool {
	var is bool
	return u.tab.Eval("document.body instanceof HTMLFrameSetElement", &is) == nil && is
}

// read is the visible text of the elements that the selector matches, "" when that cannot be told at the moment.
func (u *user) read(selector string) string {
	var text string
	if u.tab.Eval(texts+"(document, "+quote(selector)+")", &text) != nil {
		return ""
	}
	return text
}

// sees waits until the text of the elements that the selector matches holds words, and the end of the page has come, too: what a
// test looks at next may be there.
func (u *user) sees(selector, words string) {
	u.t.Helper()
	u.seesIn(func() string {
		var coming bool
		if u.tab.Eval(`document.readyState === "loading"`, &coming) != nil || coming {
			return ""
		}
		return u.read(selector)
	}, selector, words)
}

func (u *user) seesIn(read func() string, where, words string) {
	u.t.Helper()
	defer u.work.wait(time.Now())
	u.eventually(fmt.Sprintf("see %q in %s", words, where), func() error {
		if text := read(); !strings.Contains(text, words) {
			return fmt.Errorf("%s says %q", where, text)
		}
		return nil
	})
}

// arrives waits until the tab shows the URL.
func (u *user) arrives(url string) {
	u.t.Helper()
	u.eventually("arrive at "+url, func() error {
		if at := u.url(); at != url {
			return fmt.Errorf("at %s", at)
		}
		return nil
	})
}

// look saves a screenshot where NIGHTJAR_SCREENSHOTS says; of a failure also without it.
func (u *user) look(what string) {
	u.t.Helper()
	dir := os.Getenv("NIGHTJAR_SCREENSHOTS")
	if dir == "" {
		if what != "failed" {
			return
		}
		dir = os.TempDir()
	}
	var png []byte
	err := poll(patience, func() (err error) {
		png, err = u.tab.Screenshot() // fails while a page is being replaced
		return err
	})
	if err != nil {
		u.t.Logf("screenshot %s: %v", what, err)
		return
	}
	*u.n++
	name := filepath.Join(dir, fmt.Sprintf("%s-%02d-%s.png", u.name, *u.n, what))
	if err := os.WriteFile(name, png, 0o600); err != nil {
		u.t.Fatal(err)
	}
	u.t.Log("screenshot: " + name)
}
