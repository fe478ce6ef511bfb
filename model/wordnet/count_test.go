package wordnet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCount counts as the lines of the tiny WordNet's files do.
func TestCount(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		pos                      POS
		senses, words, irregular int
	}{{Noun, entries(t, "data.noun"), entries(t, "index.noun"), entries(t, "noun.exc")},
		{Verb, entries(t, "data.verb"), entries(t, "index.verb"), entries(t, "verb.exc")}, {'a', 0, 0, 0}} {
		if senses, words, irregular := n.Count(c.pos); senses != c.senses || words != c.words || irregular != c.irregular {
			t.Errorf("%s: %d senses, %d words, %d irregular; want %d, %d, %d", c.pos, senses, words, irregular, c.senses, c.words, c.irregular)
		}
	}
	files := folder(t, "testdata/tiny")
	delete(files, "noun.exc")
	if _, _, irregular := mustRead(t, files).Count(Noun); irregular != 0 {
		t.Errorf("%d irregular forms without their file", irregular)
	}
}

// entries counts the lines of a file that are not its heading.
func entries(t *testing.T, name string) (n int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/tiny", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "  ") {
			n++
		}
	}
	return n
}
