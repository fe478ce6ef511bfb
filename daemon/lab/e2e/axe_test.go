package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// axeScript is where npm puts axe-core, one of the extension's development packages.
const axeScript = "../../../extension/node_modules/axe-core/axe.min.js"

// axeAll lists the moderate, serious and critical findings of axe-core, one line for each element: rule, what is wrong, where.
// axeLooks asks only the rules whose answer depends on the window and its colours. They take a third of the time.
const (
	axeAll   = axeBegin + axeEnd
	axeLooks = axeBegin + `runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],` + axeEnd
	axeBegin = `axe.run(document, {resultTypes: ["violations"], elementRef: false, ancestry: false,`
	axeEnd   = `}).then((r) => r.violations
	.filter((v) => v.impact !== "minor")
	.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.target.flat().join(" ") + ": " +
		[...n.any, ...n.all, ...n.none].map((c) => c.message).join("; "))))`
)

// readAxe reads axe-core.
func readAxe(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.FromSlash(axeScript))
	if err == nil {
		return string(script)
	}
	message := "axe-core is not installed: run npm ci in extension/"
	if os.Getenv("CI") != "" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

// axe reports what axe-core finds on the page, which is Chromium's.
func (u *user) axe(t *testing.T, what string) {
	t.Run("axe on "+what, func(t *testing.T) {
		g := &gallery{t: t, tab: u.tab.(*chromiumTab)}
		if err := g.tab.Run(readAxe(t)+";true", new(bool)); err != nil {
			t.Fatal(err)
		}
		for _, finding := range g.axe(what, view{axe: axeAll}) {
			t.Error(finding)
		}
	})
}
