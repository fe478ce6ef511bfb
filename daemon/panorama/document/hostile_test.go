//go:build !race

// The race detector makes this ten times longer, and each document is read by one goroutine.

package document

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostile: large documents made to take hours, a stack or all memory come to an end. The runner's own limit is the test.
func TestHostile(t *testing.T) {
	const n = 300_000
	var roots strings.Builder
	for i := range n / 4 {
		fmt.Fprintf(&roots, "<html a%d><body b%d>", i, i)
	}
	for name, s := range map[string]string{
		"entries without end": strings.Repeat(" @a{k,t={\n", n),
		"values of values":    "@string{a=\"" + strings.Repeat("x", 1000) + "\"}\n" + strings.Repeat("@string{a=a#a}\n@string{b=a#a}\n", 2000) + strings.Repeat("@a{k,title=a#b}\n", 3000),
		"deep elements":       "<html><h2>References</h2>" + strings.Repeat("<ul><li>", n),
		"deep inline":         "<html><h2>References</h2>" + strings.Repeat("<b><a href=x>", n),
		"roots":               roots.String(),
		"hyphens":             "Title\n\nReferences\n" + strings.Repeat("word-\n", n),
		"records":             strings.Repeat("TY  - JOUR\nTI  - a b c\nd\n", n),
		"a long line":         "T\n\nReferences\n[1] " + strings.Repeat("Owl A. \"", n),
		"headings":            strings.Repeat("# References\n", n),
		"fields without end":  "PMID- 1\nTI  - " + strings.Repeat("a b c\n      ", n),
		"tagged records":      strings.Repeat("PT J\nTI A b c\nER\n", n),
		"lines of EndNote":    strings.Repeat("%0 Book\n%T A b c\n\n", n),
		"deep XML":            "<xml><records>" + strings.Repeat("<record><titles><title>", n),
		"deep JSON":           strings.Repeat("[", n) + strings.Repeat("]", n),
		"works of JSON":       "[" + strings.Repeat(`{"title":"A b c","author":[{}]},`, n) + "1]",
		"cells":               "Title,Year\n" + strings.Repeat("\"a b c\"\"", n),
		"tags of tags":        "@misc{a, title={" + strings.Repeat("<i &amp;lt;b ", n) + "}}\n@misc{b, title={A b c}}",
		"names":               "T\n\nReferences\n\n" + strings.Repeat("[1] "+strings.Repeat("O. Venn, ", 400)+"\n", 50),
		"quotes of BibTeX":    "@misc{a, note=\"" + strings.Repeat("\" a ", n),
		"brackets":            "# T\n## References\n- " + strings.Repeat("[", n) + "](http://a)",
	} {
		d, err := Read(t.Context(), []byte(s), Options{})
		t.Logf("%s: %v", name, err)
		sound(t, d, err)
	}
}

// TestRowsBeyondMeasure: what takes many times its size of memory is left out, and the rest is read.
func TestRowsBeyondMeasure(t *testing.T) {
	for name, text := range map[string]string{
		"wide table": "Title,Authors,Year\n\"A study of tidal power\",\"Miller\",2001\n" + strings.Repeat(",", 2<<20),
		"tabs":       "Title\tAuthors\tYear\nA study of tidal power\tMiller\t2001\n" + strings.Repeat("\t\n", 1<<20),
		"works":      `[{"title":"A study of tidal power","type":"book"}` + strings.Repeat(",{}", 2*maxWorks) + "]",
		"lines":      "Tides\n" + strings.Repeat("a\n", firstRows+5*lastRows) + "\nReferences\n\n[1] A. Miller. A study of tidal power. Journal of Tides, 2001.\n[2] B. Smith. Tides of the north. Journal of Tides, 2002.\n",
	} {
		d, err := Read(t.Context(), []byte(text), Options{})
		if err != nil || len(d.References) == 0 || d.References[0].Title != "A study of tidal power" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}
