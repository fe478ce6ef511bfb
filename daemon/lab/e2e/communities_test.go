package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/cli/demo/demoweb"
)

// bibliography writes a .bib file with the titles of pages that the demonstration's person has read or that a crawl found,
// so that a search on this computer finds them.
func (d *daemon) bibliography(n int) (file string) {
	d.t.Helper()
	rows, err := d.db.Query(`SELECT title FROM finds WHERE asked = 0 UNION SELECT p.title FROM pages p JOIN marks m ON m.page_id = p.id WHERE m.useful = 1
		AND p.title <> '' ORDER BY 1 LIMIT ?`, n)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	var bib strings.Builder
	for i := 0; rows.Next(); i++ {
		var title string
		if err := rows.Scan(&title); err != nil {
			d.t.Fatal(err)
		}
		title, _, _ = strings.Cut(title, " - ") // without the name of the site
		fmt.Fprintf(&bib, "@article{work%d,\n  title = {%s},\n  author = {Weir, A.},\n  year = {2020}\n}\n", i, strings.NewReplacer("{", "", "}", "").Replace(title))
	}
	if err := rows.Err(); err != nil {
		d.t.Fatal(err)
	}
	file = filepath.Join(d.t.TempDir(), "tides.bib")
	if err := os.WriteFile(file, []byte(bib.String()), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return file
}

// TestCommunities goes from a bibliography to the map of the web around it: titles, pages, classifier, crawl, map. It looks
// at a community by keyboard, marks a page, and opens the report as a file.
func TestCommunities(t *testing.T) {
	t.Parallel()
	d := serveData(t, copyDemo(t), serveWeb(t, demoweb.Generate(1))) // the web of the demonstration
	u := (&user{t: t, pictures: newPictures("communities")}).open(startBoard(t))
	tab := u.tab.(*chromiumTab)
	u.must(tab.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil), "focus the tab")
	u.address(d.login)
	u.sees(".scripted h1", "Finds")
	u.click("nav a", "Topics")
	u.click("nav a", "Communities")
	u.sees("#maps", "done")
	u.look("first")

	u.drops(tab)
	u.choose("#map-file", d.bibliography(14))
	u.click("button", "Read the titles")
	u.sees("#map-step-titles", "14 titles")
	u.sees(".map-plan", "Nothing leaves this computer")
	u.look("titles")
	u.click("#map-step-pages button.primary", "Find pages")
	u.sees("#map-step-training button.primary", "Train the classifier")
	u.sees("#map-step-pages", "will be used")
	u.look("pages")
	const left = "SELECT count(*) FROM positives WHERE left_out = 0 AND document_id = (SELECT max(id) FROM documents)"
	kept := d.number(left)
	u.click("#map-positives li:last-child input", "")
	u.click("#map-positives button", "Save the choice of pages")
	u.sees(".banner.done", "Saved")
	d.holds("one page is left out", fmt.Sprint(kept-1), left)

	u.click("#map-step-training button.primary", "Train the classifier")
	u.sees("#map-step-crawl button.primary", "Start the crawl")
	u.write("#map-pages", "80")
	u.click("#map-step-crawl button.primary", "Start the crawl")
	d.holds("the crawl has the budget that was typed", "80", "SELECT json_extract(options, '$.pages') FROM maps ORDER BY id DESC LIMIT 1")
	u.sees("#map-step-map button.primary", "Draw the map")
	u.look("crawled")
	u.click("#map-step-map button.primary", "Draw the map")
	u.sees("h1 + .row", "Download the report")
	u.sees(".facts", "On the map") // below the map and its table: the browser has read them
	u.look("map")
	u.mapByKeyboard(d, tab)
	u.opensReport(d)
}

// drops drops a file on its field, and an address: each is taken by its field, and no page is left.
func (u *user) drops(tab *chromiumTab) {
	u.t.Helper()
	u.sees("[data-drop-hint]", "Drop it here.") // with the scripts at work
	const drop = `(() => { const data = new DataTransfer(); %s;
		document.querySelector("[data-drop] .hint").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })); return %s; })()`
	u.must(u.holds(fmt.Sprintf(drop, `data.items.add(new File(["x"], "dropped.bib"))`, `document.getElementById("map-file").files[0]?.name === "dropped.bib"`)), "drop a file")
	u.must(u.holds(fmt.Sprintf(drop, `data.setData("text/uri-list", "https://example.org/a.pdf")`, `document.getElementById("map-url").value === "https://example.org/a.pdf"`)), "drop an address")
	u.must(tab.Eval("(document.getElementById('map-document').reset(), true)", new(bool)), "empty the form")
}

// mapByKeyboard goes from the map to a community and marks a page, without a mouse.
func (u *user) mapByKeyboard(d *daemon, tab *chromiumTab) {
	u.t.Helper()
	var rows, circles int
	u.must(errors.Join(tab.Eval("document.querySelectorAll('.map-list tbody tr').length", &rows), tab.Eval("document.querySelectorAll('svg.map > a').length", &circles)), "count")
	if rows < 2 || rows != circles {
		u.t.Fatalf("%d rows and %d circles", rows, circles)
	}
	u.tabTo(tab, "svg.map > a:nth-of-type(2)")
	u.holdsHere("see which circle has the focus, and its numbers", "getComputedStyle(document.activeElement.querySelector('.map-ring')).visibility === 'visible' && getComputedStyle(document.activeElement.querySelector('.map-shown')).visibility === 'visible'")
	u.holdsHere("read every name on the map", overlaps)
	u.keys("\n")
	u.sees("#list-example", "Typical pages")
	u.keys("j")
	u.eventually("see a page focused", func() error { return u.focused("article.find") })
	before := d.number("SELECT count(*) FROM finds WHERE mark = 'useful'")
	u.keys("u")
	u.sees("article.find .verdict", "Marked Useful")
	d.holds("the page is a find that is marked", fmt.Sprint(before+1), "SELECT count(*) FROM finds WHERE mark = 'useful'")
	u.keys("e")
	u.eventually("see how it was reached", func() error { return u.holds("!!document.querySelector('details.trail[open] .way li')") })
	u.look("community")
	u.keys("ku") // the first mark went on to the next page
	u.eventually("see the mark undone", func() error { return u.holds("!document.querySelector('article.find .verdict')") })
	d.holds("the mark is taken back", fmt.Sprint(before), "SELECT count(*) FROM finds WHERE mark = 'useful'")
	u.must(tab.View(360, 740, "light"), "make the window narrow")
	u.holdsHere("read a community on a telephone without scrolling to the side", "document.documentElement.scrollWidth <= innerWidth")
	u.must(tab.View(1280, 900, "light"), "make the window wide")
}

// overlaps is true when no name on the map leaves the picture or overlaps another, with the font of this computer.
const overlaps = `(() => {
	const names = [...document.querySelectorAll(".map-name")].map((e) => e.getBBox());
	const inside = names.every((b) => b.x >= 0 && b.y >= 0 && b.x + b.width <= 960 && b.y + b.height <= 640);
	return names.length > 0 && inside && names.every((a, i) => names.slice(0, i).every((b) =>
		a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height));
})()`

// opensReport downloads the report of the map and opens it as a file, where it may run and load nothing.
func (u *user) opensReport(d *daemon) {
	u.t.Helper()
	u.address(d.origin(u) + "/communities/" + d.text("SELECT max(id) FROM maps"))
	u.sees("h1 + .row", "Download the report")
	var report string
	u.must(u.tab.(*chromiumTab).Run("fetch(document.querySelector('a[download]').href).then((r) => r.text())", &report), "download the report")
	if len(report) > 1<<20 {
		u.t.Errorf("the report has %d bytes", len(report))
	}
	file := filepath.Join(u.t.TempDir(), "report.html")
	u.must(os.WriteFile(file, []byte(report), 0o600), "keep the report")
	u.address("file://" + file)
	u.sees("body", "tides")
	u.holdsHere("see the map in the report", `document.scripts.length === 0 && document.querySelectorAll("svg.map > a").length > 1`)
	u.holdsHere("read the policy of the report", `document.querySelector("meta[http-equiv=Content-Security-Policy]").content.startsWith("default-src 'none'")`)
	u.holdsHere("see that the report loads nothing", `performance.getEntriesByType("resource").length === 0`)
	u.holdsHere("follow the circles in the report", `[...document.querySelectorAll("svg.map > a")].every((a) => document.querySelector(a.getAttribute("href")))`)
	u.look("report")
}
