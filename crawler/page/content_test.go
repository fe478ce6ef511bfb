package page

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The least share of words right on each page of testdata/content, and over all of them.
const (
	minPrecision, minRecall       = 0.80, 0.95
	minAllPrecision, minAllRecall = 0.96, 0.99
)

// TestContent compares the text of hand-made pages, each of another kind, with what a reader would call its content,
// written down by hand: precision is the share of the words given that are content, recall the share of the content
// that is given.
func TestContent(t *testing.T) {
	files, err := filepath.Glob("testdata/content/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var given, wanted, both int
	for _, file := range files {
		html, want := mustContentCase(t, file)
		got := mustParse(t, html).Text
		g, w, b := overlap(got, want)
		given, wanted, both = given+g, wanted+w, both+b
		precision, recall := float64(b)/float64(g), float64(b)/float64(w)
		t.Logf("%-32s precision %.3f recall %.3f", filepath.Base(file), precision, recall)
		if precision < minPrecision || recall < minRecall {
			t.Errorf("%s: precision %.3f, recall %.3f; text:\n%s", file, precision, recall, got)
		}
		checkLines(t, got)
	}
	precision, recall := float64(both)/float64(given), float64(both)/float64(wanted)
	t.Logf("all %d pages: precision %.3f recall %.3f", len(files), precision, recall)
	if precision < minAllPrecision || recall < minAllRecall {
		t.Errorf("precision %.3f, recall %.3f", precision, recall)
	}
}

func mustContentCase(tb testing.TB, file string) (html, text string) {
	tb.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil || len(archive.Files) != 2 || archive.Files[0].Name != "page.html" || archive.Files[1].Name != "text" {
		tb.Fatalf("%s: want page.html and text, %v", file, err)
	}
	return string(archive.Files[0].Data), string(archive.Files[1].Data)
}

// overlap counts the words of two texts and those that they share, each as often as it stands in both.
func overlap(got, want string) (given, wanted, both int) {
	count := map[string]int{}
	for _, w := range words(want) {
		count[w]++
		wanted++
	}
	for _, w := range words(got) {
		given++
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return given, wanted, both
}

// words are the words of a text; in Chinese and Japanese, its characters.
func words(s string) []string {
	var list []string
	for _, w := range strings.Fields(s) {
		if weight([]rune(w)[0]) == letterWeight {
			list = append(list, strings.Split(w, "")...)
		} else {
			list = append(list, w)
		}
	}
	return list
}

// checkLines holds the form of Page.Text: no empty line, white space folded.
func checkLines(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if text != "" && (line == "" || line != strings.Join(strings.Fields(line), " ")) {
			t.Fatalf("line %q of a text", line)
		}
	}
}
