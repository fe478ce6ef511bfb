package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// No command and no page says "1 pages": formats leave numbers before a plural to the functions that choose the form. Limits,
// which are larger than one, and errors are not meant; neither are the programs for measuring.
func TestNumbersBeforePlurals(t *testing.T) {
	counted := regexp.MustCompile(`%d (?:[a-z-]+ )?(?:pages|sessions|hosts|links|visits|finds|topics|events|files|nights|games|records|` +
		`redirects|words|states|clusters|labels|ways|folds|seeds|tasks|moves|weights|features|iterations|models)\b`)
	limit := regexp.MustCompile(`at least 2|at most %d|fmt\.Errorf|longer than %d|[mM]ore than %d|Only the %d|of %d`)
	read := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "lab" {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for n, line := range strings.Split(string(text), "\n") {
			if counted.MatchString(line) && !limit.MatchString(line) {
				t.Errorf("%s:%d: %s", path, n+1, strings.TrimSpace(line))
			}
		}
		read++
		return err
	})
	if err != nil || read < 100 {
		t.Errorf("%d files, %v", read, err)
	}
}
