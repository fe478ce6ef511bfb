//go:build measure

package e2e

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// lookedAt is how many real pages TestLooks shows: some from each recording.
const lookedAt = 10

// TestLooks takes pictures of the bar in its states on real pages, and of the extension's own pages, in two windows, light and
// dark. A person looks at them: it checks only that the bar can be brought into each state.
func TestLooks(t *testing.T) {
	docs := readDocumentation(t, lookedAt, rand.New(rand.NewPCG(1, 17)))
	j := docs.record(t, "looks", "How tides and the weather shape the harbours of small islands")
	for i, url := range docs.URLs {
		j.reader.front().address(url)
		for _, width := range []int{360, 1280} {
			for _, colours := range []string{"light", "dark"} {
				j.barStates(fmt.Sprintf("page%02d-%d-%s", i, width, colours), width, colours)
			}
		}
		if i%3 == 0 {
			j.reader.bar("Useful")
		}
	}
	for _, page := range []string{"popup/popup.html", "options/options.html", "welcome/welcome.html", "sent/sent.html"} {
		j.popup.front().address(j.b.ExtensionPage(page))
		for _, width := range []int{360, 1280} {
			for _, colours := range []string{"light", "dark"} {
				j.popup.must(j.popup.tab.View(width, 720, colours), "resize")
				j.popup.look(fmt.Sprintf("%s-%d-%s", page[:4], width, colours))
			}
		}
	}
}

// barStates takes the pictures of one page in one window.
func (j *job) barStates(name string, width int, colours string) {
	j.t.Helper()
	u := j.reader
	escape := func() { u.must(u.tab.(*chromiumTab).press("Escape", 27), "go back") }
	u.must(u.tab.View(width, 720, colours), "resize")
	u.freeOfBar(name)
	u.look(name + "-rest")
	u.openBar()
	u.look(name + "-open")
	u.bar("Label")
	u.look(name + "-labels")
	escape()
	u.bar("⋯")
	u.look(name + "-menu")
	escape()
	u.bar("Submit")
	u.look(name + "-question")
	u.question("Keep browsing")
	escape()
	u.must(u.tab.Move(point{1, 1}), "move the mouse away")
}
