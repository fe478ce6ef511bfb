package e2e

import (
	"errors"
	"strings"
	"time"
)

// barButton is a button of the extension's bar.
func barButton(text string) target { return target{Selector: "[role=toolbar] button", Text: text} }

// bar clicks a button of the extension's bar. The pill shows Useful; what else there is shows when the mouse rests on it, which it
// does again when the bar closed meanwhile.
func (u *user) bar(text string) {
	u.t.Helper()
	open := func() error { return nil }
	if !strings.HasSuffix(text, "Useful") {
		open = u.resting()
	}
	u.clickWhen(open, barButton(text), true, 1)
}

// question clicks a button of what the extension's bar asks.
func (u *user) question(text string) {
	u.t.Helper()
	u.clickOn(target{Selector: "[role=alertdialog] button", Text: text}, true, 1)
}

// openBar rests the mouse on the bar until it is open.
func (u *user) openBar() {
	u.t.Helper()
	open := u.resting()
	u.eventually("open the bar", open)
}

// resting is one try to open the bar: it moves the mouse onto the bar's pill or tab, and again when that did not help for a
// while, since a mouse that does not move rests on nothing new.
func (u *user) resting() func() error {
	var moved time.Time
	var by float64
	return func() error {
		var open bool
		if err := u.tab.EvalBar(barIsOpen, &open); err != nil || open {
			return err
		}
		if time.Since(moved) < time.Second {
			return errors.New("the bar is not open yet")
		}
		at, err := locate(u.tab, target{Selector: "[aria-expanded]"}, true)
		if err != nil {
			return err
		}
		moved, by = time.Now(), 1-by
		at.X += by
		return errors.Join(u.tab.Move(at), errors.New("the mouse is on the bar"))
	}
}

// readBar is what is written in the extension's bar, "" without one.
func (u *user) readBar() string {
	var text string
	if u.tab.EvalBar("(root) => "+texts+`(root, "[role=toolbar]")`, &text) != nil {
		return ""
	}
	return text
}

// seesBar opens the bar, waits until it says words, and takes the mouse away again.
func (u *user) seesBar(words string) {
	u.t.Helper()
	open := u.resting()
	u.seesIn(func() string {
		if err := open(); err != nil {
			return err.Error()
		}
		return u.readBar()
	}, "the bar", words)
	u.must(u.tab.Move(point{1, 1}), "move the mouse away")
}
