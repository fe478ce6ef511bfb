package e2e

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestFirstFindUnderstood: a person who opens the list for the first time reads why the first page is a find, sees the telling
// words in its passage, opens how it was reached and why its link was followed, and on a wide window has that beside the list.
func TestFirstFindUnderstood(t *testing.T) {
	t.Parallel()
	g := newGallery(t, startBoard(t), startDemo(t), "first-find")
	look := func(width int, colours string) {
		if g.dir != "" {
			g.window(width, colours)
			g.picture(fmt.Sprintf("first-find-%d-%s", width, colours))
		}
	}
	if err := g.tab.View(1280, 900, "light"); err != nil {
		t.Fatal(err)
	}
	g.open(g.address(screen{path: "/?state=all"}))
	g.until(`document.readyState === "complete" && document.querySelectorAll("article.find .said").length > 2`)
	var card struct {
		Said, Snippet string
		Marks, Size   int // Size is that of the longest find, in characters
		Trail         bool
	}
	g.eval(`(() => { const a = document.querySelector("article.find"); return {
		Said: a.querySelector(".said").textContent, Snippet: a.querySelector(".snippet").textContent,
		Marks: a.querySelectorAll(".snippet mark").length, Size: Math.max(...[...document.querySelectorAll("article.find")].map((f) => f.outerHTML.length)),
		Trail: a.querySelector(".way") !== null } })()`, &card)
	if !strings.HasPrefix(card.Said, "Shares ") || !strings.Contains(card.Said, " (marked Useful ") || card.Marks == 0 {
		t.Errorf("the first find says %q, with %d marked words in %q", card.Said, card.Marks, card.Snippet)
	}
	if card.Trail || card.Size > 5_000 {
		t.Errorf("a find in the list has %d characters, with a trail: %v", card.Size, card.Trail)
	}
	g.eval(`document.querySelector("details.trail summary").click()`, nil)
	g.until(`document.querySelectorAll("details.trail .find-about .way li").length > 1`)
	var why struct {
		Chosen, For string
		Open        int
	}
	g.eval(`(() => { const w = document.querySelector("details.trail .find-about > .why"); return { Chosen: w.querySelector(".chosen").textContent,
		For: w.querySelector("dd.for")?.textContent ?? "", Open: w.querySelectorAll("details[open]").length } })()`, &why)
	if !strings.Contains(why.Chosen, "waiting links") || strings.TrimSpace(why.For) == "" || why.Open != 0 {
		t.Errorf("why the link was followed: %+v", why)
	}
	for _, width := range []int{360, 1280} {
		look(width, "light")
		look(width, "dark")
	}
	g.besideTheList()
	look(2560, "light")
	look(2560, "dark")
	g.open(g.address(screen{path: "/finds/$(SELECT max(id) FROM finds)"}))
	if g.count(".find-about .way li") < 2 || g.count("article.find button") == 0 {
		t.Error("the page of a find lacks the trail or the buttons")
	}
}

// besideTheList chooses finds on a wide window and looks at their details.
func (g *gallery) besideTheList() {
	g.t.Helper()
	if err := g.tab.View(1800, 1000, "light"); err != nil {
		g.t.Fatal(err)
	}
	shown := func(n int) string {
		return fmt.Sprintf(`(() => { const a = document.getElementById("find-details"), f = document.querySelectorAll("article.find")[%d];
			return !a.hidden && a.querySelector("h2").textContent === f.querySelector("h3").textContent && f.matches("[aria-current]")
				&& a.querySelectorAll(".way li").length > 0 && document.querySelectorAll("[data-find][aria-current]").length === 1 })()`, n)
	}
	g.until(shown(0))
	g.eval(`document.querySelectorAll("article.find")[0].focus()`, nil)
	g.eval(`document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))`, nil)
	g.until(shown(1))
	g.eval(`document.querySelectorAll("article.find")[2].focus()`, nil)
	g.until(shown(2))
}

// eval runs a script on the page; into may be nil.
func (g *gallery) eval(script string, into any) {
	g.t.Helper()
	if into == nil {
		var nothing bool
		script, into = "("+script+", true)", &nothing
	}
	if err := g.tab.Eval(script, into); err != nil {
		g.t.Fatalf("%s: %v", script, err)
	}
}

// until waits for a condition.
func (g *gallery) until(condition string) {
	g.t.Helper()
	err := poll(patience, func() error {
		var ok bool
		if err := g.tab.Eval(condition, &ok); err != nil || !ok {
			return errors.Join(err, errors.New("not yet"))
		}
		return nil
	})
	if err != nil {
		var at string
		g.eval(`location.href + " " + document.querySelector("main").textContent.slice(0, 300)`, &at)
		g.t.Fatalf("%s: %v at %s", condition, err, at)
	}
}

func (g *gallery) count(selector string) (n int) {
	g.t.Helper()
	g.eval(fmt.Sprintf("document.querySelectorAll(%q).length", selector), &n)
	return n
}
