package explore

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// text is a view as a reader checks it.
func (v *View) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, ontology %q, by %s, %d pages, %d with too few links\n", v.Title, v.Ontology, v.Mode, len(v.Pages), v.Few)
	for _, w := range v.Warnings {
		fmt.Fprintf(&b, "! %s\n", w)
	}
	for i, p := range v.Pages {
		fmt.Fprintf(&b, "%2d. %s, %d sources:", i, p.Title, p.Sources)
		for _, c := range p.Concepts {
			fmt.Fprintf(&b, " %s (%s) %.3f", c.Name, c.Key, c.Weight)
		}
		b.WriteByte('\n')
	}
	for i, l := range v.Levels {
		if i > 0 && fmt.Sprint(l.Clusters) == fmt.Sprint(v.Levels[i-1].Clusters) {
			continue
		}
		from := fmt.Sprintf("from similarity %.2f", l.MinSim)
		if l.Depth > 0 {
			from = fmt.Sprintf("depth %d", l.Depth)
		}
		fmt.Fprintf(&b, "%s, %d in clusters", from, l.Grouped)
		if i == v.Default {
			b.WriteString(", shown first")
		}
		fmt.Fprintf(&b, "; apart %v\n", l.Apart)
		for c, one := range l.Clusters {
			fmt.Fprintf(&b, "  %d. %s %v: %v, below %d\n", c, one.Label, one.Terms, one.Pages, one.Parent)
		}
	}
	return b.String()
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := string(must(os.ReadFile(file))(t))
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// The groups of a small world, in each mode.
func TestView(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	for _, c := range []struct {
		file string
		r    Request
	}{
		{"terms.txt", Request{Ontology: musicID}},
		{"words.txt", Request{}},
		{"cobweb.txt", Request{Ontology: musicID, Options: GroupingOptions{Cobweb: true, MinDocs: 1}}},
	} {
		g := made(t, m, c.r)
		if g.State != GroupingDone {
			t.Fatalf("%s: %+v", c.file, g)
		}
		golden(t, c.file, must(m.View(t.Context(), g.ID))(t).text())
	}
}
