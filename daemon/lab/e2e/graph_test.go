package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestWebGraph looks at the web graph of a session as a person does: fitted to the window, stepped through by keys and
// buttons, zoomed by keys and wheel, with the title of the page that has the focus.
func TestWebGraph(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	b := startBoard(t)
	tab, err := b.NewTab()
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, tab: tab, pictures: newPictures("graph")}
	u.address(d.login)
	var origin string
	u.must(tab.Eval("location.origin", &origin), "read the address")
	session := origin + "/sessions/" + d.text("SELECT uuid FROM sessions ORDER BY id LIMIT 1")
	u.address(session)
	u.sees("h2", "Web graph")

	// The window is made wider and narrower while the page stays: titles and symbols follow without a reload.
	for _, width := range []int{2560, 360, 1280, 360, 900, 2560, 1280, 360} {
		u.must(tab.View(width, 900, "light"), "set the window")
		u.holdsHere(fmt.Sprint("the window is ", width, " px wide"), fmt.Sprint("innerWidth === ", width))
		least := 12
		if width < 1000 {
			least = 0 // long titles may have no room there
		}
		var shown struct {
			Titles   int
			Fading   int // titles on their way from one size to another
			Overlaps []string
		}
		u.must(tab.Eval(`(() => {
			const all = [...document.querySelectorAll(".web-pages text")].filter((e) => getComputedStyle(e).opacity === "1").map((e) => [e.textContent, e.getBoundingClientRect()]);
			const over = [];
			all.forEach(([s, a], i) => all.slice(0, i).forEach(([t, b]) => {
				if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 4 && b.top < a.bottom - 4) over.push([s, a.left, a.top, a.right, a.bottom, t, b.left, b.top, b.right, b.bottom].join(" "));
			}));
			return {Titles: all.length, Overlaps: over, Fading: document.getAnimations().filter((a) => a.effect.target.matches(".web-pages text")).length}; })()`, &shown), "read the titles")
		if shown.Titles < least || shown.Fading > 0 || len(shown.Overlaps) > 0 {
			u.look("titles")
			t.Errorf("at %d px: %d titles, %d fading, overlaps %q", width, shown.Titles, shown.Fading, shown.Overlaps)
		}
		u.holdsHere(fmt.Sprint("all symbols are inside the picture at ", width, " px"), `(() => {
			const frame = document.querySelector(".web-frame").getBoundingClientRect();
			const out = [...document.querySelectorAll(".web-pages a use")].filter((e) => { const b = e.getBoundingClientRect();
				return b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 || b.bottom > frame.bottom + 1; });
			return out.length === 0 && frame.width <= innerWidth && document.documentElement.scrollWidth <= innerWidth; })()`)
	}
	u.must(tab.View(1280, 900, "light"), "set the window")
	u.click("[data-step=first]", "")
	u.sees("#web-step", "Step 1 of ")
	u.look("step")
	u.click("#web-frame", "")
	u.keys(".")
	u.sees("#web-step", "Step 2 of ")
	u.keys(",")
	u.sees("#web-step", "Step 1 of ")
	u.holdsHere("one page is the present one", `document.querySelectorAll(".web-pages a.now").length === 1 && document.querySelector(".web-lines .now").getAttribute("d").startsWith("M")`)
	if told := u.read("#web-step"); !strings.Contains(told, "from “") {
		t.Errorf("the step says %q", told)
	}
	u.keys(" ")
	u.sees("#web-step", "Step 3 of ") // it plays
	u.keys(" ")

	wide := `document.querySelector(".web-world").offsetWidth / document.querySelector(".web-frame").clientWidth`
	u.keys("+")
	u.holdsHere("the picture is larger", wide+" > 1.4")
	// An event made in the page: the browser answers a wheel turned from outside only when the tab is drawn on a screen.
	u.must(tab.Eval(`document.querySelector(".web-frame").dispatchEvent(new WheelEvent("wheel", {deltaY: -300, cancelable: true, bubbles: true, clientX: 640, clientY: 700}))`, new(bool)), "turn the wheel")
	u.holdsHere("the picture is larger still", wide+" > 2")
	u.look("zoomed")
	u.keys("0")
	u.holdsHere("the whole picture is shown", wide+" < 1.01")

	u.must(tab.Eval(`(() => { document.querySelectorAll(".web-pages a")[0].focus({focusVisible: true}); return true; })()`, new(bool)), "go to the pages")
	u.holdsHere("the page with the focus shows its title", `getComputedStyle(document.activeElement.querySelector("text")).opacity === "1" && document.activeElement.textContent.trim() !== ""`)
	u.look("focus")
}

// holdsHere waits until an expression is true in the page.
func (u *user) holdsHere(what, expression string) {
	u.t.Helper()
	u.eventually(what, func() error {
		var is bool
		if err := u.tab.Eval(expression, &is); err != nil {
			return err
		}
		if !is {
			return fmt.Errorf("not true: %s", what)
		}
		return nil
	})
}

// TestWebGraphTouch uses the web graph with fingers: two of them zoom, one moves what is zoomed, and one that moves over the
// whole picture, or beyond the end of the zoomed one, scrolls the page. Keys do the same.
func TestWebGraphTouch(t *testing.T) {
	t.Parallel()
	d := startDemo(t)
	tab, err := startBoard(t).NewTab()
	if err != nil {
		t.Fatal(err)
	}
	u := &user{t: t, tab: tab, pictures: newPictures("touch")}
	u.must(tab.View(360, 740, "light"), "set the window")
	u.address(d.login)
	var origin string
	u.must(tab.Eval("location.origin", &origin), "read the address")
	u.address(origin + "/sessions/" + d.text("SELECT uuid FROM sessions ORDER BY id LIMIT 1"))
	u.sees("h2", "Web graph")
	u.must(u.tab.Front(), "bring the tab to the front")
	finger, ok := tab.(*chromiumTab)
	if !ok {
		t.Fatal("no Chromium")
	}
	const frame = `document.querySelector(".web-frame")`
	const zoom = `document.querySelector(".web-world").offsetWidth / ` + frame + `.clientWidth`
	// middle brings the picture to the middle of the window and tells where it is.
	middle := func() (at point) {
		u.must(tab.Eval(frame+`.scrollIntoView({block: "center", behavior: "instant"}) === undefined`, new(bool)), "scroll to the picture")
		u.must(tab.Eval(`(() => { const b = `+frame+`.getBoundingClientRect(); return {X: b.left + b.width / 2, Y: b.top + b.height / 2}; })()`, &at), "find the picture")
		return at
	}
	way := func(from point, dx, dy float64) (all []point) {
		for n := range 13 {
			all = append(all, point{X: from.X + dx*float64(n)/12, Y: from.Y + dy*float64(n)/12})
		}
		return all
	}
	number := func(expression string) (v float64) {
		u.must(tab.Eval(expression, &v), "read "+expression)
		return v
	}

	at := middle()
	before := number("scrollY")
	u.must(finger.Touch(way(at, 0, -120)), "move a finger up over the whole picture")
	u.holdsHere("the page was scrolled", fmt.Sprint("scrollY > ", before+60))

	at = middle()
	u.must(finger.Touch(way(point{X: at.X - 25, Y: at.Y}, -70, 0), way(point{X: at.X + 25, Y: at.Y}, 70, 0)), "move two fingers apart")
	u.holdsHere("the picture is larger", zoom+" > 2")
	u.look("pinched")

	for _, move := range []struct {
		dx, dy float64
		where  string
	}{{-90, 0, frame + ".scrollLeft"}, {0, -90, frame + ".scrollTop"}} { // one after the other: a browser keeps to one direction
		at = middle()
		was := number(move.where)
		u.must(finger.Touch(way(at, move.dx, move.dy)), "move a finger over the zoomed picture")
		u.holdsHere("the picture was moved", fmt.Sprint(move.where, " > ", was+30))
	}

	u.must(tab.Eval(frame+`.scrollTo({top: 1e6, behavior: "instant"}) === undefined`, new(bool)), "go to the end of the picture")
	at = middle()
	before = number("scrollY")
	u.eventually("scroll the page past the picture", func() error { // a first move may only scroll a picture that is drawn late
		if number("scrollY") > before+60 {
			return nil
		}
		u.must(finger.Touch(way(at, 0, -160)), "move a finger up at the end of the picture")
		return errors.New("the page stays where it is")
	})

	at = middle()
	u.must(finger.Touch(way(point{X: at.X - 110, Y: at.Y}, 100, 0), way(point{X: at.X + 110, Y: at.Y}, -100, 0)), "move two fingers together")
	u.holdsHere("the whole picture is shown", zoom+" < 1.3")

	u.must(tab.Eval(frame+`.focus() === undefined`, new(bool)), "go to the picture")
	u.keys("+")
	u.keys("+")
	u.holdsHere("plus makes it larger", zoom+" > 2")
	u.keys("-")
	u.holdsHere("minus makes it smaller", zoom+" < 2")
	u.keys(".")
	u.sees("#web-step", "Step 1 of ")
}
