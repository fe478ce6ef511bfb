package e2e

import (
	"maps"
	"slices"
	"strings"
)

// selectors lists every selector of the page's style sheets, and whether it matches something: states such as :hover and
// pseudo-elements are left off first.
const selectors = `(() => {
	const all = {};
	const visit = (rules) => {
		for (const rule of rules) {
			if (rule.cssRules?.length) visit(rule.cssRules);
			if (!rule.selectorText) continue;
			const plain = rule.selectorText.replace(/::?(before|after|backdrop|placeholder|marker|details-content|hover|focus-visible|focus-within|focus|active|target|disabled|user-invalid)\b/g, "");
			for (const one of plain.split(/,(?![^(]*\))/)) {
				const s = one.trim();
				if (!s) continue;
				try { all[s] = document.querySelector(s) !== null; } catch { all[s] = true; }
			}
		}
	};
	for (const sheet of document.styleSheets) visit(sheet.cssRules);
	return all;
})()`

// match notes which selectors match something on the page.
func (g *gallery) match() {
	g.t.Helper()
	var found map[string]bool
	if err := g.tab.Eval(selectors, &found); err != nil {
		g.t.Fatal(err)
	}
	if g.matched == nil {
		g.matched = make(map[string]bool)
	}
	for s, yes := range found {
		g.matched[s] = g.matched[s] || yes
	}
}

// tellUnmatched logs the selectors that matched nothing on any page: rules that may be dead, or are for a state that the
// demonstration does not have.
func (g *gallery) tellUnmatched() {
	maps.DeleteFunc(g.matched, func(_ string, yes bool) bool { return yes })
	g.t.Logf("%s: %d selectors match nothing:\n%s", g.name, len(g.matched), strings.Join(slices.Sorted(maps.Keys(g.matched)), "\n"))
}
