package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Sizes up to which a reader can hold a part in mind.
const (
	mostMethods = 60     // of a type
	mostLines   = 5_000  // of a package, without tests
	mostOfDB    = 1_500  // of package db, on which all others stand
	mostFolders = 16 + 1 // below daemon, with main.go
)

// TestSizes: no type and no package has grown beyond what a reader can hold in mind.
func TestSizes(t *testing.T) {
	for _, p := range listPackages(t) {
		dir := filepath.Join(root, strings.TrimPrefix(p.ImportPath, "nightjar/"))
		lines, methods := measure(t, dir)
		most := mostLines
		if p.ImportPath == "nightjar/daemon/db" {
			most = mostOfDB
		}
		if lines > most {
			t.Errorf("%s has %d lines without tests, %d are the most", p.ImportPath, lines, most)
		}
		for name, n := range methods {
			if n > mostMethods {
				t.Errorf("%s.%s has %d methods, %d are the most", p.ImportPath, name, n, mostMethods)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join(root, "daemon"))
	if err != nil || len(entries) > mostFolders {
		t.Errorf("daemon has %d entries, %d are the most; %v", len(entries), mostFolders, err)
	}
}

// measure counts the lines of a package without its tests, and the methods of each type.
func measure(t *testing.T, dir string) (lines int, methods map[string]int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has %d files, %v", dir, len(files), err)
	}
	methods = map[string]int{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		lines += set.File(file.Pos()).LineCount()
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	return lines, methods
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
