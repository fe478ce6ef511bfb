package e2e

import (
	"fmt"
	"testing"
)

// TestExplore groups the pages of the demonstration by terms, looks at another level, a cluster and a term with the links that say
// so, asks for words, and works with link operators.
func TestExplore(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	u := (&user{t: t, pictures: newPictures("explore")}).open(startBoard(t))
	tab := u.tab.(*chromiumTab)
	u.must(tab.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil), "focus the tab")
	u.address(d.login)
	u.sees(".scripted h1", "Finds")
	u.click("nav a", "Topics")
	u.click("nav a", "Explore")
	u.sees("h1", "Explore")
	u.look("first")

	u.must(tab.Eval(`(document.getElementById("group-ontology").selectedIndex = 2, true)`, new(bool)), "choose the ontology")
	u.click("#group button", "Group pages") // of everything
	u.sees("#clusters-title", "Clusters")
	d.holds("the grouping is done", "done", "SELECT state FROM groupings WHERE ontology_id IS NOT NULL")
	u.eventually("see the new result", func() error { return u.holds(`!document.querySelector("#grouping-state .tag.live")`) })
	u.levels(tab)
	u.clusterAndTerm(tab)
	u.asks()
	u.saves(tab)
	u.console(d, tab)
	u.compares()

	u.click("nav a", "Topics")
	u.click("nav a", "Explore")
	u.sees("#group-pages", "Group pages")
	u.must(tab.Eval(`(document.getElementById("group-ontology").value = "links", true)`, new(bool)), "choose words of links")
	u.click("#group button", "Group pages")
	u.sees("#clusters-title", "Clusters") // without a click: the page of a grouping in the making goes on to the result
	u.sees("#terms-title", "Words")
}

// levels moves the slider: what is shown follows, and the bars lead to the same.
func (u *user) levels(tab *chromiumTab) {
	u.t.Helper()
	u.holdsHere("see all levels at once", `document.querySelectorAll(".levels li").length > 2 && document.querySelectorAll(".icicle .box").length > 1`)
	u.eventually("see the slider without its button", func() error { // the page loads once more when the grouping is done
		return u.holds(`!document.querySelector("[data-slider] button")`)
	})
	before := u.says(".level-says")
	u.must(tab.Eval(`(() => { const s = document.getElementById("level"); s.value = s.value === s.max ? 0 : s.max; s.dispatchEvent(new Event("input", { bubbles: true })); return true; })()`, new(bool)), "move the slider")
	u.eventually("see another level", func() error {
		if now := u.says(".level-says"); now == before {
			return fmt.Errorf("still %q", now)
		}
		return nil
	})
	u.holdsHere("find the level in the address", `new URL(location).searchParams.get("level") === document.getElementById("level").value && document.querySelectorAll(".levels [aria-current]").length === 1`)
	u.look("level")
	u.must(tab.Eval("(history.back(), true)", new(bool)), "go back")
	u.eventually("see the level of before", func() error {
		if now := u.says(".level-says"); now != before {
			return fmt.Errorf("%q", now)
		}
		return nil
	})
}

// says is the text of an element.
func (u *user) says(selector string) (text string) {
	u.t.Helper()
	u.must(u.tab.Eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector), &text), "read "+selector)
	return text
}

// clusterAndTerm shows a cluster and a term, each with a link in its context.
func (u *user) clusterAndTerm(tab *chromiumTab) {
	u.t.Helper()
	u.click(".levels li:last-child a", "")
	u.eventually("see a link in its context", func() error { return u.holds(`!!document.querySelector(".explore-chosen .said-links mark")`) })
	u.holdsHere("see the pages of a cluster", `document.querySelectorAll(".grouped-pages .grouped").length > 1`)
	u.click("section[aria-labelledby=terms-title] .explore-tree ul .entry", "")
	u.eventually("see the term", func() error {
		return u.holds(`!!document.querySelector("section[aria-labelledby=terms-title] .entry[aria-current]")`)
	})
	u.eventually("see why", func() error { return u.holds(`!!document.querySelector(".explore-chosen .said-links mark")`) })
	u.look("term")
	u.must(tab.View(360, 740, "light"), "make the window narrow")
	u.holdsHere("read a grouping on a telephone without scrolling to the side", "document.documentElement.scrollWidth <= innerWidth")
	u.must(tab.View(1280, 900, "light"), "make the window wide")
	u.click(".grouped .meta > a:not(.tag)", "What others say")
	u.sees("h1", "What others say about")
	u.holdsHere("see words with their counts", `document.querySelectorAll("#said mark").length > 0 && document.querySelectorAll(".bars .bar").length > 1`)
	u.look("said")
	u.must(tab.Eval("(history.back(), true)", new(bool)), "go back")
	u.sees("#clusters-title", "Clusters")
}

// asks asks for words, of which one is no term.
func (u *user) asks() {
	u.t.Helper()
	u.write(".explore-ask input", "turbine weather")
	u.click(".explore-ask button", "Ask")
	u.sees("#answer", "weather")
	u.holdsHere("see pages that fit", `document.querySelectorAll(".answer-groups .grouped").length > 0`)
	u.look("answer")
}

// saves downloads the grouping in each format.
func (u *user) saves(tab *chromiumTab) {
	u.t.Helper()
	for _, format := range []string{"csv", "json", "nt"} {
		var n int
		script := fmt.Sprintf("fetch(document.querySelector('.explore-export a[href$=%s]').href).then((r) => r.ok ? r.text() : '').then((text) => text.length)", format)
		u.eventually("download "+format, func() error { return tab.Run(script, &n) })
		if n < 100 {
			u.t.Errorf("the file as %s has %d letters", format, n)
		}
	}
}

// console runs operators: one with a fault, one by the keyboard, one from the history. It saves a set and uses it.
func (u *user) console(d *daemon, tab *chromiumTab) {
	u.t.Helper()
	u.address(d.origin(u) + "/explore/operators")
	u.sees("h1", "Operators")
	u.write("#console-text", "crawl([topic:")
	u.click("#console button", "Run")
	u.sees("#fault-q", "topic")
	u.holdsHere("see where the fault is", `document.querySelector(".fault-at mark") !== null`)
	u.look("fault")
	u.click(".examples a", "weightedTargetKeywords")
	u.sees("#result-title", "words")
	u.address(d.origin(u) + "/explore/operators")
	u.sees("#history", "weightedTargetKeywords")
	u.must(tab.Eval("(document.getElementById('console-text').focus(), true)", new(bool)), "focus the field")
	u.press(tab, "ArrowUp", 38, 0)
	u.holdsHere("get the expression of before", `document.getElementById("console-text").value.startsWith("weightedTargetKeywords")`)
	u.write("#console-text", "TAuthorities([], 2, {})")
	u.press(tab, "Enter", 13, 2)
	u.sees("#result-title", "pages")
	u.write("#set-save input[name=name]", "known pages")
	u.click("#set-save button", "Save as a set")
	u.sees(".banner.done", "Saved")
	d.holds("the set is kept", "TAuthorities([], 2, {})", "SELECT expression FROM saved_sets WHERE name = 'known pages'")
	var cells int
	u.must(tab.Run("fetch(document.querySelector('a[href*=\"format=csv\"]').href).then((r) => r.text()).then((text) => text.trim().split('\\n').length)", &cells), "export the result")
	if cells < 3 {
		u.t.Errorf("the exported table has %d lines", cells)
	}
	u.click(".console-beside a", "known pages")
	u.eventually("see the set in the field", func() error { return u.holds(`document.getElementById("console-text").value === '@"known pages"'`) })
	u.sees("#result-title", "pages")
	u.look("console")
}

// press presses a key with modifiers: 2 is Ctrl.
func (u *user) press(tab *chromiumTab, key string, code, modifiers int) {
	u.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		u.must(tab.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}, nil), "press "+key)
	}
}

// compares shows how the set and all pages describe each other.
func (u *user) compares() {
	u.t.Helper()
	u.click(".explore-tabs a", "Compare two sets")
	u.sees("h1", "Compare two sets")
	u.write("#compare-b", "@\"known pages\"")
	u.click("#compare button", "Compare")
	u.sees(".compare-ways", "How B describes A")
	u.holdsHere("see the words of both", `document.querySelectorAll(".compare-ways section").length === 2 && document.querySelectorAll(".compare-ways .bar").length > 4`)
	u.look("compare")
}
