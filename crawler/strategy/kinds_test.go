package strategy

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/STRATEGIES.md")

// TestEveryKindTellsPeople: each strategy has a name, a sentence that fits on a line, and its own style in charts.
func TestEveryKindTellsPeople(t *testing.T) {
	var names []string
	var looks []int
	for _, k := range slices.Concat(kinds, variants) {
		if k.Name == "" || slices.Contains(names, k.Name) {
			t.Errorf("name %q is missing or taken", k.Name)
		}
		if names = append(names, k.Name); len(k.Summary) < 20 || len(k.Summary) > 160 || strings.ContainsAny(k.Summary, "\n|[]") || strings.HasSuffix(k.Summary, ".") {
			t.Errorf("%s: %q is not a short sentence", k.Name, k.Summary)
		}
	}
	for _, k := range kinds {
		if slices.Contains(looks, k.Look) {
			t.Errorf("%s has the style of another strategy", k.Name)
		}
		looks = append(looks, k.Look)
	}
}

// tableHead begins the table of docs/STRATEGIES.md.
const tableHead = "| name | what it does |\n|---|---|\n"

// TestDocListsTheStrategies: the table of docs/STRATEGIES.md is made of the strategies' own sentences.
func TestDocListsTheStrategies(t *testing.T) {
	const file = "../../docs/STRATEGIES.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := tableHead
	for _, k := range kinds {
		want += "| `" + k.Name + "` | " + k.Summary + " |\n"
	}
	begin := strings.Index(string(data), tableHead)
	if begin < 0 {
		t.Fatalf("%s has no table %q", file, tableHead)
	}
	end := begin + strings.Index(string(data[begin:]), "\n\n") + 1
	if string(data[begin:end]) == want {
		return
	}
	if !*update {
		t.Fatalf("%s lists\n%swant (-update writes it)\n%s", file, data[begin:end], want)
	}
	if err := os.WriteFile(file, slices.Concat(data[:begin], []byte(want), data[end:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNoOtherListOfStrategies: a new strategy is one file and one line, so no file of the daemon may list them.
func TestNoOtherListOfStrategies(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../../daemon", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		if named := strategiesIn(t, path); len(named) > 2 {
			t.Errorf("%s lists %q", path, named)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
	if named := strategiesIn(t, "strategy_test.go"); !slices.Contains(named, "best-first") {
		t.Errorf("the test finds only %q in itself", named)
	}
}

// strategiesIn lists the strategies that the strings of a Go file name, each once.
func strategiesIn(t *testing.T, path string) (named []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && slices.Contains(Names(), text) && !slices.Contains(named, text) {
				named = append(named, text)
			}
		}
		return true
	})
	return named
}

// TestRetired: a stored name of an earlier version's strategy is known and crawls as the best one; no list names it.
func TestRetired(t *testing.T) {
	for _, name := range retired {
		if !Known(name) || Choose(name) != Best || slices.Contains(Names(), name) || Needs(name) != Nothing || BestOf(name) != BestOf(Best) {
			t.Errorf("%s: known %t, needs %v", name, Known(name), Needs(name))
		}
		if s, err := New(t.Context(), name, bundle()); err != nil || s.Name() != Best {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}
