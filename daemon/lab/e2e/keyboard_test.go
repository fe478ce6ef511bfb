package e2e

import (
	"errors"
	"fmt"
	"testing"
)

// TestKeyboardAlone does the whole review without a mouse: it reads a find and its reason, marks and undoes, switches the
// night on, searches, teaches, and changes a setting and takes that back.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	u := (&user{t: t, pictures: newPictures("keyboard")}).open(startBoard(t))
	tab := u.tab.(*chromiumTab)
	u.must(tab.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil), "focus the tab")
	u.address(d.login)
	u.sees(".scripted h1", "Finds")

	u.tabTo(tab, ".skip")
	u.keys("\n")
	u.eventually("skip to the content", func() error { return u.focused("main") })
	u.tabTo(tab, `main a, main button, main input, main summary`)

	u.keys("?")
	u.sees("#keys", "next and previous find")
	u.must(tab.press("Escape", 27), "close the list of keys")
	u.eventually("see the list closed", func() error { return u.holds("!document.querySelector('#keys').open") })

	u.keys("je")
	u.eventually("see the way to the find", func() error { return u.holds("!!document.querySelector('.trail[open], #find-details:not([hidden])')") })
	u.sees(".trail[open], #find-details", "It was the best of")
	marked := func(doing, mark string) {
		t.Helper()
		d.holds(doing, "1", "SELECT count(*) FROM finds WHERE mark = '"+mark+"'")
	}
	for _, one := range []struct{ key, says, mark string }{
		{"u", "Marked Useful", "useful"}, {"l", "Saved for later", "later"}, {"n", "Not this topic", "off-topic"},
	} {
		u.keys(one.key)
		u.sees("#echo", one.says)
		marked(one.says, one.mark)
		u.keys("z")
		u.seesNoMore(one.says)
		d.holds("the mark is taken back", "0", "SELECT count(*) FROM finds WHERE mark <> 'none'")
	}

	u.tabBackTo(tab, `#night-off button, #night-off a`)
	u.keys("\n")
	const page = "location.pathname === '/tonight' && !!document.querySelector('button[name=night][value=on]')"
	u.eventually("the night is on, or its page is open", func() error { return u.holds("!!document.querySelector('.banner.done') || " + page) })
	if u.holds(page) == nil {
		u.tabTo(tab, `button[name=night][value=on]`)
		u.keys("\n")
	}
	u.sees(".banner.done", "The night is on")

	u.keys("/tidal\n")
	u.sees("h1", "Search")
	u.keys("j")
	u.eventually("see a result focused", func() error { return u.focused(".result h3 a") })

	u.address(d.origin(u) + "/teach/" + d.text("SELECT min(id) FROM topics"))
	if u.read("#teach .question") == "" {
		u.tabTo(tab, "#teach button.primary")
		u.keys("\n")
	}
	u.sees("#teach .question", "Useful")
	u.keys("u")
	u.sees("#teach", "1 of")
	u.keys("z")
	u.sees("#teach", "0 of")

	u.tabTo(tab, ".skip", ".top a[href='/settings']")
	u.keys("\n")
	u.sees("h1", "Settings")
	pages := func() string {
		return d.text("SELECT json_extract(value, '$.budget.pages') FROM settings WHERE key = 'settings'")
	}
	before := pages()
	u.tabTo(tab, "#pages") // the field's text is selected
	u.keys("x\n")
	u.eventually("see the focus on the field that was refused", func() error { return u.focused("#pages[aria-invalid=true]") })
	u.must(tab.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "a", "commands": []string{"selectAll"}}, nil), "select all")
	u.keys("123\n")
	u.sees(".banner.done", "Saved")
	if now := pages(); now == before {
		t.Errorf("the pages a night are %s as before", now)
	}
	u.tabTo(tab, ".banner.done button")
	u.keys("\n")
	u.sees(".banner.done", "Undone")
	if now := pages(); now != before {
		t.Errorf("the pages a night are %s, %s before", now, before)
	}
}

// holds returns an error unless an expression of the page is true.
func (u *user) holds(expression string) error {
	var is bool
	if err := u.tab.Eval(expression, &is); err != nil {
		return err
	}
	if !is {
		return errors.New(expression + " is false")
	}
	return nil
}

// tabTo presses Tab until the focus is on what each selector matches, one after the other.
func (u *user) tabTo(tab *chromiumTab, selectors ...string) { u.t.Helper(); u.tabs(tab, 0, selectors) }

// tabBackTo does the same with Shift and Tab.
func (u *user) tabBackTo(tab *chromiumTab, selectors ...string) {
	u.t.Helper()
	u.tabs(tab, 8, selectors)
}

func (u *user) tabs(tab *chromiumTab, modifiers int, selectors []string) {
	u.t.Helper()
	for _, selector := range selectors {
		found := false
		for n := 0; n < 300 && !found; n++ {
			u.must(tab.call("Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "Tab", "code": "Tab",
				"windowsVirtualKeyCode": 9, "modifiers": modifiers}, nil), "press Tab")
			found = u.focused(selector) == nil
		}
		if !found {
			u.must(fmt.Errorf("no %s", selector), "go on by Tab")
		}
	}
}
