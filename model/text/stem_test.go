package text

import (
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestStemIn holds the stemmers to testdata/stems.txt.
func TestStemIn(t *testing.T) {
	data, err := os.ReadFile("testdata/stems.txt")
	if err != nil {
		t.Fatal(err)
	}
	known, met := map[string]Language{}, map[Language]int{}
	for _, l := range Languages() {
		known[l.String()] = l
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, _ := strings.Cut(line, ": ")
		forms, stem, ok := strings.Cut(rest, " = ")
		l, is := known[name]
		if !ok || !is {
			t.Fatalf("line %q", line)
		}
		met[l]++
		for form := range strings.FieldsSeq(forms) {
			if got := StemIn(l, strings.ToLower(form)); got != stem {
				t.Errorf("%v: %q has the stem %q, want %q", l, form, got, stem)
			}
		}
	}
	for _, l := range Languages()[1:] {
		if met[l] == 0 {
			t.Errorf("no line of %v", l)
		}
	}
}

func TestStemsOfEnglishAreThoseOfBefore(t *testing.T) {
	for w := range Words(samples(t)["English"] + " caresses ponies hopping generally " + strings.Repeat("é", 30)) {
		if got, want := StemIn(English, string(w)), Stem(string(w)); got != want {
			t.Errorf("%q has the stem %q, before %q", w, got, want)
		}
	}
}

func FuzzStemIn(f *testing.F) {
	for _, w := range []string{"", "häuser", "yyyy", "ааааа", "冰球", "éééééé", "ß", "iuiuiui", "ő", strings.Repeat("нн", 40)} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for w := range Separated(s) {
			for _, l := range Languages() {
				stem := StemIn(l, string(w))
				if n := utf8.RuneCountInString(stem); n == 0 || n > maxStem || !utf8.ValidString(stem) {
					t.Fatalf("%v: %q has the stem %q", l, w, stem)
				}
				if strings.ContainsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) }) {
					t.Fatalf("%v: the stem %q of %q is not of letters", l, stem, w)
				}
			}
		}
	})
}
