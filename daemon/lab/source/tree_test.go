package source

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the module.
const root = "../../.."

// TestEveryPackageSaysWhatItIsFor: each package has a doc comment whose first sentence fits on a line of the tree.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range listPackages(t) {
		switch {
		case p.Doc == "":
			t.Errorf("%s has no package comment", p.ImportPath)
		case p.Name != "main" && !strings.HasPrefix(p.Doc, "Package "+p.Name+" "):
			t.Errorf("%s: the package comment begins %q, not with the package's name", p.ImportPath, p.Doc)
		}
	}
}

// TestTreeIsComplete: the tree in docs/ARCHITECTURE.md names every folder that holds Go code, and the extension's, with what
// each is for, and no other.
func TestTreeIsComplete(t *testing.T) {
	text, err := os.ReadFile(root + "/docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range listPackages(t) {
		for dir := strings.TrimPrefix(p.ImportPath, "nightjar/"); dir != "."; dir = path.Dir(dir) {
			want = append(want, dir)
		}
	}
	want = append(want, "extension")
	slices.Sort(want)
	want = slices.Compact(want)
	got := readTree(t, string(text))
	slices.Sort(got)
	for _, dir := range want {
		if !slices.Contains(got, dir) {
			t.Errorf("the tree in docs/ARCHITECTURE.md lacks %s", dir)
		}
	}
	for _, dir := range got {
		if !slices.Contains(want, dir) {
			t.Errorf("the tree in docs/ARCHITECTURE.md names %s, where there is no code", dir)
		}
	}
}

var treeLine = regexp.MustCompile(`^    ( *)([a-z0-9]+)/(?: +\S|$)`)

// readTree reads the folders of the tree: lines of a folder and what it is for, two more spaces a level.
func readTree(t *testing.T, text string) (dirs []string) {
	t.Helper()
	var above []string
	for line := range strings.Lines(text) {
		m := treeLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		depth := len(m[1]) / 2
		if len(m[1])%2 != 0 || depth > len(above) {
			t.Fatalf("the tree is indented by two spaces a level: %q", line)
		}
		above = append(above[:depth], m[2])
		dirs = append(dirs, path.Join(above...))
	}
	return dirs
}
