//go:build !race

// The race detector makes this ten times longer, and each document is read by one goroutine.

package document

import (
	"strings"
	"testing"
)

// TestHostile: large documents made to take hours, a stack or all memory come to an end. The runner's own limit is the test.
func TestHostile(t *testing.T) {
	const n = 300_000
	for name, s := range map[string]string{
		"entries without end": strings.Repeat(" @a{k,t={\n", n),
		"values of values":    "@string{a=\"" + strings.Repeat("x", 1000) + "\"}\n" + strings.Repeat("@string{a=a#a}\n@string{b=a#a}\n", 2000) + strings.Repeat("@a{k,title=a#b}\n", 3000),
		"deep elements":       "<html><h2>References</h2>" + strings.Repeat("<ul><li>", n),
		"deep inline":         "<html><h2>References</h2>" + strings.Repeat("<b><a href=x>", n),
		"hyphens":             "Title\n\nReferences\n" + strings.Repeat("word-\n", n),
		"records":             strings.Repeat("TY  - JOUR\nTI  - a b c\nd\n", n),
		"a long line":         "T\n\nReferences\n[1] " + strings.Repeat("Owl A. \"", n),
		"headings":            strings.Repeat("# References\n", n),
		"brackets":            "# T\n## References\n- " + strings.Repeat("[", n) + "](http://a)",
	} {
		d, err := Read(t.Context(), []byte(s), Options{})
		t.Logf("%s: %v", name, err)
		sound(t, d, err)
	}
}
