package e2e

import (
	"embed"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
)

// layoutHost shows pages that keep something where the extension's bar is at first.
const layoutHost = "layouts.test"

//go:embed testdata/layouts
var layoutFiles embed.FS

// layouts are the pages of layoutHost. Of each, the reader must reach every button.
var layouts = []string{"cookie", "corner", "chat", "footer", "sticky", "dialog", "app", "sides", "shadow", "late", "crowded"}

// layoutText fills a page, so that it can be scrolled.
var layoutText = strings.Repeat(`<p>Ice hockey is played by two teams of six on a rink. The goalie keeps the net; the puck is hard rubber. `+
	`<a href="#rules">Rules</a> and <a href="#teams">teams</a> are listed below.</p>`, 30)

// serveLayout serves a page of layoutHost. The policy of the page "late" forbids styles and scripts in the page itself.
func serveLayout(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	body, err := layoutFiles.ReadFile("testdata/layouts/" + name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if strings.HasPrefix(name, "late") {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'")
	}
	fmt.Fprint(w, strings.Replace(string(body), "<!--text-->", layoutText, 1))
}

// covered lists the buttons and fields of a page in view that the bar covers at one of five points; or says that there is no bar.
const covered = `(() => {
	if (!document.getElementById("nightjar-bar")) return "no bar";
	const hit = window.pageHit ?? ((x, y) => document.elementFromPoint(x, y));
	const bar = document.getElementById("nightjar-bar");
	const all = [...document.querySelectorAll("button, input"), ...(window.pageButtons?.() ?? [])];
	const bad = all.filter((e) => {
		const r = e.getBoundingClientRect();
		return [[.5, .5], [.1, .1], [.9, .1], [.1, .9], [.9, .9]].some(([a, b]) => hit(r.left + a * r.width, r.top + b * r.height) === bar);
	});
	const middle = (e) => { const r = e.getBoundingClientRect(); return hit(r.left + r.width / 2, r.top + r.height / 2) === bar; };
	const tab = Math.min(bar.offsetWidth, bar.offsetHeight) < 20; // there is no room for more
	return bad.filter((e) => !tab || middle(e)).map((e) => e.textContent || e.ariaLabel).join(", ");
})()`

// steady is how long the bar must have covered nothing.
const steady = 200 * time.Millisecond

// freeOfBar waits until the bar has moved aside from all buttons of the page, and is in the window.
func (u *user) freeOfBar(where string) {
	u.t.Helper()
	var since time.Time // the bar may pass a good place on its way
	u.eventually("see all buttons of "+where, func() error {
		if err := u.barCovers(); err != nil {
			since = time.Time{}
			return err
		}
		if since.IsZero() {
			since = time.Now()
		}
		if time.Since(since) < steady {
			return errors.New("the bar may still be moving")
		}
		return nil
	})
}

// barCovers is an error while the bar covers a button of the page or is outside of the window.
func (u *user) barCovers() error {
	if err := u.tab.Settled(); err != nil {
		return err
	}
	var bad string
	if err := u.tab.Eval(covered, &bad); err != nil {
		return err
	}
	if bad != "" {
		return errors.New("the bar covers: " + bad)
	}
	var inside bool
	err := u.tab.Eval(`(() => { const r = document.getElementById("nightjar-bar").getBoundingClientRect();
		return r.width > 0 && r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; })()`, &inside)
	if err == nil && !inside {
		err = errors.New("the bar is outside of the window")
	}
	return err
}

// TestBarGetsOutOfTheWay looks at pages that keep something at the edges of the window, in a narrow and a usual window, at night in a
// wide one, too; at the beginning and at the end of the page. It uses the bar as a person does.
func TestBarGetsOutOfTheWay(t *testing.T) {
	t.Parallel()
	j := newJob(t, "layouts", startChromium, 2)
	j.connect()
	j.begin()
	u := j.reader.front()
	tab := u.tab.(*chromiumTab)
	widths := []int{360, 1280}
	if effort.Nightly() {
		widths = append(widths, 2560)
	}
	for _, width := range widths {
		u.must(tab.View(width, 720, "light"), "resize")
		for _, name := range layouts {
			where := fmt.Sprintf("%s at %d px", name, width)
			u.address(layoutURL(name))
			u.freeOfBar(where)
			u.look(fmt.Sprintf("%s-%d", name, width))
			if name != "footer" && name != "sticky" {
				continue
			}
			u.must(tab.Run("scrollTo(0, 1e6)", new(any)), "scroll to the end")
			u.freeOfBar(where + " at its end")
			u.look(fmt.Sprintf("%s-%d-end", name, width))
		}
	}
	j.barComesBack()
	j.barLabels()
	j.barMoves()
	j.barCollapses()
}

// barInTheWay opens two of the layouts.
func (j *job) barInTheWay() {
	j.t.Helper()
	for _, name := range []string{"cookie", "shadow"} {
		j.reader.address(layoutURL(name))
		j.reader.freeOfBar(name)
		j.reader.look("layout-" + name)
	}
}

// barComesBack makes the window narrow, so that a banner gets higher, and closes the banner: the bar returns to its corner.
func (j *job) barComesBack() {
	u := j.reader
	const above = "r.bottom <= document.querySelector('.banner').getBoundingClientRect().top"
	u.must(u.tab.View(1280, 720, "dark"), "resize")
	u.address(layoutURL("cookie"))
	u.barAt("the banner", above)
	u.must(u.tab.View(360, 720, "dark"), "resize")
	u.barAt("the higher banner", above)
	u.must(u.tab.View(1280, 720, "dark"), "resize")
	u.click("#go", "")
	u.barAt("the bottom right corner", "r.right > innerWidth - 40 && r.bottom > innerHeight - 20")
}

// barLabels gives two pages a label by keyboard. The page hears nothing of what is typed.
func (j *job) barLabels() {
	u := j.reader
	const names = "SELECT coalesce(group_concat(body ->> '$.name', ', '), '') FROM (SELECT body FROM events WHERE type = 'label' ORDER BY seq)"
	u.bar("Label")
	u.keys("club list\n")
	j.d.holds("the page has a label", "club list", names)
	u.seesBar("Label: club list")
	u.address(layoutURL("late"))
	u.openBar()
	u.look("bar-open")
	u.bar("Label")
	u.look("bar-labels")
	u.keys("1")
	j.d.holds("the second page has it, too", "club list, club list", names)
	var heard string
	u.must(u.tab.Eval("heard.join()", &heard), "ask the page what it heard")
	if heard != "" {
		u.t.Errorf("the page heard the keys %s", heard)
	}
	u.must(u.tab.(*chromiumTab).press("Escape", 27), "close the bar")
	u.eventually("see the bar closed", func() error {
		var open bool
		err := u.tab.EvalBar(barIsOpen, &open)
		if err == nil && open {
			err = errors.New("it is open")
		}
		return err
	})
}

// barMoves puts the bar at another corner by its menu, and drags it to an edge. It is there on the next page, too.
func (j *job) barMoves() {
	u := j.reader
	u.bar("⋯")
	u.look("bar-menu")
	u.clickOn(target{Selector: "[aria-label='Top left']"}, true, 1)
	u.barAt("the top left corner", "r.left < 20 && r.top < 20")
	u.must(u.tab.Move(point{600, 600}), "move the mouse away")
	u.drag(point{150, 400}) // of the edges, the left one is nearest
	const left = "r.left < 20 && r.top > 300 && r.top < 500"
	u.barAt("the left edge", "r.left < 20 && r.top > 300 && r.top < 500")
	u.address(layoutURL("footer"))
	u.barAt("the left edge of the next page", left)
}

// barCollapses makes the bar a tab on one site, and takes it back.
func (j *job) barCollapses() {
	u := j.reader
	const tab, pill = "Math.min(r.width, r.height) === 12", "r.width > 80 && r.height === 32"
	u.bar("⋯")
	u.bar("Collapse on this site")
	u.seesBar("a small tab on this site")
	u.click("h1", "")
	u.barAt("a tab", tab)
	u.look("bar-tab")
	u.address(j.web.Script()[0].URL)
	u.barAt("a pill on another site", pill)
	u.address(layoutURL("sides"))
	u.barAt("a tab on the first site", tab)
	u.bar("⋯")
	u.bar("Show in full on this site")
	u.click("h1", "")
	u.barAt("a pill again", pill)
}

// barIsOpen tells whether the bar's panel is open.
const barIsOpen = `(root) => root.querySelector("[role=toolbar] [aria-expanded]").getAttribute("aria-expanded") === "true"`

// barAt waits until the bar's rectangle r is as a JavaScript expression says.
func (u *user) barAt(what, expression string) {
	u.t.Helper()
	u.eventually("see the bar at "+what, func() error {
		var r struct {
			OK                       bool
			Left, Top, Width, Height float64
		}
		err := u.tab.Eval(`(() => { const r = document.getElementById("nightjar-bar")?.getBoundingClientRect() ?? new DOMRect();
			return {OK: `+expression+`, Left: r.left, Top: r.top, Width: r.width, Height: r.height}; })()`, &r)
		if err == nil && !r.OK {
			err = fmt.Errorf("it is at %+v", r)
		}
		return err
	})
}

// drag drags the bar's pill to a point.
func (u *user) drag(to point) {
	u.t.Helper()
	tab := u.tab.(*chromiumTab)
	from, err := locate(tab, barButton("Useful"), true)
	u.must(err, "find the pill")
	for _, step := range []struct {
		kind, button string
		at           point
	}{{"mouseMoved", "none", from}, {"mousePressed", "left", from}, {"mouseMoved", "left", point{(from.X + to.X) / 2, (from.Y + to.Y) / 2}}, {"mouseMoved", "left", to}, {"mouseReleased", "left", to}} {
		press := map[string]any{"type": step.kind, "x": step.at.X, "y": step.at.Y, "button": step.button, "clickCount": 1}
		if step.kind == "mouseMoved" && step.button == "left" {
			press["buttons"] = 1
		}
		u.must(tab.call("Input.dispatchMouseEvent", press, nil), "drag the bar")
	}
}

// layoutURL is the address of a page of layoutHost.
func layoutURL(name string) string { return "http://" + layoutHost + "/" + name + ".html" }
