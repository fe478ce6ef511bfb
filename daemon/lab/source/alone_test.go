package source

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// wholeProgram is what code says that looks at the person's home, at the temporary folder, or at what is installed.
var wholeProgram = regexp.MustCompile(`wordnet\.New\(|app\.(New|Serve|Open|Config)\b|"nightjar/daemon"\)|(?:name|program|root\+)[^\n]*"/daemon"`)

// fixedPort is how a test takes a port that another program may have.
var fixedPort = regexp.MustCompile(`(\bListen(Packet)?\(|"serve",)[^\n]*"(127\.0\.0\.1|localhost|\[::1\])?:[1-9]`)

// outside is what a test does not look at, whichever package it is of. A string may be what a made-up machine says.
var outside = regexp.MustCompile(`os\.(UserHomeDir|UserConfigDir|UserCacheDir)\(|(Open|ReadFile|ReadDir|Stat|Glob|DirFS)\("/(tmp|home|root|usr|etc|var)\b`)

// TestTestsAreAlone: tests look at nothing outside of their own folders. Those of packages that look at the home, the temporary
// folder and what is installed run in an environment of their own; see daemon/lab/alone.
func TestTestsAreAlone(t *testing.T) {
	kept := 0
	for _, p := range listPackages(t) {
		code, tests := "", ""
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			code += string(text)
			if !strings.HasSuffix(name, "_test.go") || p.ImportPath == "nightjar/daemon/lab/source" {
				continue
			}
			tests += string(text)
			for _, what := range []*regexp.Regexp{fixedPort, outside} {
				if found := what.FindString(string(text)); found != "" {
					t.Errorf("%s/%s: a test looks at what is not its own: %s", p.ImportPath, filepath.Base(name), found)
				}
			}
		}
		if tests == "" || p.ImportPath == "nightjar/daemon/thesus/wordnet" /* its tests name all folders */ || !wholeProgram.MatchString(code) {
			continue
		}
		if kept++; !strings.Contains(tests, "alone.Tests(") && !strings.Contains(tests, "script.Main(") /* runs alone.Tests */ {
			t.Errorf("%s: %s: its TestMain must run alone.Tests", p.ImportPath, wholeProgram.FindString(code))
		}
	}
	if kept < 5 {
		t.Errorf("%d packages run the whole program; there are more", kept)
	}
}
