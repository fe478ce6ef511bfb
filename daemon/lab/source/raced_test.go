package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRaced: .ci/raced names each package that starts goroutines, itself or in its tests, and only tests that there are. The lab and
// the command line are left out: their tests run whole programs, whose goroutines are those of other packages.
func TestRaced(t *testing.T) {
	text, err := os.ReadFile(root + "/.ci/raced")
	if err != nil {
		t.Fatal(err)
	}
	raced := map[string]string{} // which tests, by package
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != "#" {
			raced[fields[0]] = fields[1]
		}
	}
	for _, part := range []string{"crawler", "daemon", "model"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
			if name == "daemon/lab" || name == "daemon/cli" {
				return fs.SkipDir
			}
			starts, tests, err := goroutines(path)
			if err != nil {
				return err
			}
			which, listed := raced[name]
			if starts && !listed {
				t.Errorf("%s starts goroutines: say in .ci/raced which of its tests run with the race detector", name)
			}
			for one := range strings.SplitSeq(which, "|") {
				named := regexp.MustCompile("^(" + one + ")$")
				if strings.HasPrefix(one, "Test") && !slices.ContainsFunc(tests, named.MatchString) {
					t.Errorf(".ci/raced: %s has no %s", name, one)
				}
			}
			delete(raced, name)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range raced {
		t.Errorf(".ci/raced: there is no package %s", name)
	}
}

// goroutines reports whether a package or its tests start goroutines, with go or a group's Go, and the names of its tests.
func goroutines(dir string) (starts bool, tests []string, err error) {
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		return false, nil, err
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return false, nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				starts = true
			case *ast.CallExpr:
				called, ok := n.Fun.(*ast.SelectorExpr)
				starts = starts || ok && called.Sel.Name == "Go" && len(n.Args) == 1 // a map's Go has two
			case *ast.FuncDecl:
				if strings.HasSuffix(file, "_test.go") && strings.HasPrefix(n.Name.Name, "Test") && n.Recv == nil {
					tests = append(tests, n.Name.Name)
				}
			}
			return true
		})
	}
	return starts, tests, nil
}
