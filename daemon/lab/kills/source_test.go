package kills

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/effort"
)

// root is the top of the source tree.
const root = "../../.."

// named reads the names of all failpoints from the source, and where each is.
func named(t *testing.T) map[string]string {
	t.Helper()
	at := map[string]string{}
	files := token.NewFileSet()
	for _, part := range []string{"crawler", "daemon", "migrations", "model"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Name() == "testdata" {
				return fs.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				of, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || of.Sel.Name != "Here" {
					return true
				}
				if pkg, ok := of.X.(*ast.Ident); !ok || pkg.Name != "failpoint" {
					return true
				}
				where := files.Position(call.Pos()).String()
				text, ok := call.Args[0].(*ast.BasicLit)
				if !ok {
					t.Errorf("%s: the name of a failpoint must be written out", where)
					return true
				}
				name, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Errorf("%s: %v", where, err)
				}
				if at[name] != "" {
					t.Errorf("%s: the name %q is also at %s", where, name, at[name])
				}
				at[name] = where
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// Each failpoint of the source is ended at by a test, and each that a test wants is in the source.
func TestPlacesAreThoseOfTheSource(t *testing.T) {
	at := named(t)
	for _, name := range slices.Sorted(maps.Keys(at)) {
		if len(places[name]) == 0 {
			t.Errorf("%s: no test ends the program at %q: add it to places", at[name], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		if at[name] == "" {
			t.Errorf("%q is in places but not in the source", name)
		}
	}
}

// The program as people build it holds no name of a failpoint. Without debug information it is linked in half of the time.
func TestNormalProgramHasNoTrace(t *testing.T) {
	effort.Long(t)
	name := filepath.Join(t.TempDir(), "nightjar")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", name, root+"/daemon").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for place := range places {
		if bytes.Contains(text, []byte(place)) {
			t.Errorf("the program holds %q", place)
		}
	}
	if bytes.Contains(text, []byte("NIGHTJAR_FAILPOINT")) {
		t.Error("the program reads the variables of failpoints")
	}
}
