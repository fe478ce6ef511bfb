package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// axeScript is where npm puts axe-core, one of the extension's development packages.
const axeScript = "../../../extension/node_modules/axe-core/axe.min.js"

// axeRun lists the moderate, serious and critical findings of axe-core, one line for each element: rule, what is wrong, where.
// OPTIONS are more options of axe.run.
const axeRun = `axe.run(document, {OPTIONS resultTypes: ["violations"], elementRef: false, ancestry: false}).then((r) => r.violations
	.filter((v) => v.impact !== "minor")
	.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.target.flat().join(" ") + ": " +
		[...n.any, ...n.all, ...n.none].map((c) => c.message).join("; "))))`

// axeLooks limits axe-core to the rules whose answer depends on the window and its colours. They take a third of the time.
const axeLooks = `runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],`

// TestAxe holds every page of the demonstration, and of a fresh data folder, against axe-core's rules for people who see,
// hear or move otherwise.
func TestAxe(t *testing.T) {
	script, err := os.ReadFile(filepath.FromSlash(axeScript))
	if err != nil {
		message := "axe-core is not installed: run npm ci in extension/"
		if os.Getenv("CI") != "" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	b := startBoard(t)
	for _, set := range sets {
		g := newGallery(t, b, set.start(t), set.name)
		for _, s := range set.screens() {
			g.axe(s, string(script))
		}
	}
}

// axe runs axe-core on a page: all its rules in the first window, those of its looks in the others. The script goes past the page's content security policy, as a debugger's does.
func (g *gallery) axe(s screen, script string) {
	g.t.Helper()
	g.open(g.address(s))
	if err := g.tab.Run(script+";true", new(bool)); err != nil {
		g.t.Fatalf("axe-core: %v", err)
	}
	said := make(map[string]bool)
	rules := ""
	for _, v := range views {
		if !v.axe {
			continue
		}
		g.window(v.width, v.colours)
		var findings []string
		if err := g.tab.Run(strings.Replace(axeRun, "OPTIONS", rules, 1), &findings); err != nil {
			g.t.Fatalf("axe-core on %s: %v", s.name, err)
		}
		rules = axeLooks
		for _, f := range findings {
			if !said[f] {
				g.t.Errorf("%s-%s-%d-%s: %s", g.name, s.name, v.width, v.colours, strings.ReplaceAll(f, "\n", " "))
			}
			said[f] = true
		}
	}
}
