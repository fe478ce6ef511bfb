package work

import (
	"strings"
	"testing"
)

// A name becomes a part of subjects, whose wildcards and separators it must not have.
func TestNameProblem(t *testing.T) {
	for _, good := range []string{"attic-pc", "A", "n_1", strings.Repeat("x", 40)} {
		if p := NameProblem(good); p != "" {
			t.Errorf("%q is refused: %s", good, p)
		}
	}
	for _, bad := range []string{"", "a b", "a.b", "*", ">", "$JS", "ä", "a\n", "<b>", strings.Repeat("x", 41)} {
		if NameProblem(bad) == "" {
			t.Errorf("%q is a name", bad)
		}
	}
}
