package text

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mustFields reads the words of a file of the reference data, which stands outside of the repository.
func mustFields(tb testing.TB, name string) []string {
	tb.Helper()
	root := os.Getenv("NIGHTJAR_REFERENCE")
	if root == "" {
		tb.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Fields(string(data))
}

// differing reads testdata/stemmer_differs.txt: word -> our stem, stem by Snowball 3.1.
func differing(tb testing.TB) map[string][2]string {
	tb.Helper()
	data, err := os.ReadFile("testdata/stemmer_differs.txt")
	if err != nil {
		tb.Fatal(err)
	}
	list := map[string][2]string{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] != "#" {
			list[f[0]] = [2]string{f[1], f[2]}
		}
	}
	return list
}

func TestStemsThatSnowball3Changed(t *testing.T) {
	list := differing(t)
	if len(list) != 57 {
		t.Errorf("%d words differ, the documentation says 57", len(list))
	}
	for word, stems := range list {
		if got := Stem(word); got != stems[0] {
			t.Errorf("Stem(%q) = %q, listed as %q", word, got, stems[0])
		}
	}
}

// The vocabulary and its stems are those of snowball-data (algorithms/english). TestStem always runs.
func TestStemAgainstSnowballData(t *testing.T) {
	words, stems := mustFields(t, "stemmer/english/voc.txt"), mustFields(t, "stemmer/english/output.txt")
	if len(words) != len(stems) || len(words) != 42649 {
		t.Fatalf("%d words, %d stems", len(words), len(stems))
	}
	list := differing(t)
	for i, word := range words {
		want := cut(stems[i], maxStem)
		if d, listed := list[word]; listed {
			if d[1] != want {
				t.Errorf("%q: the list says %q is their stem, it is %q", word, d[1], want)
			}
			want = d[0]
		}
		if got := Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

// What the other lists have and ours leaves out must be here with its reason. TestStopWordsAreWords always runs.
func TestStopWordsAgainstOtherLists(t *testing.T) {
	leftOut := strings.Fields(`
		amount bill bottom call computer cry describe detail empty fill find fire found front interest mill move name
		serious show side sincere system thick thin top
		kg km
		con de un
		amoungst`) // can be a topic; units; other languages; misspelt
	seen := map[string]bool{}
	for _, name := range []string{"gensim_english_337.txt", "sklearn_english_318.txt"} {
		for _, w := range mustFields(t, "learning/stopwords/"+name) {
			switch {
			case slices.Contains(leftOut, w):
				seen[w] = true
				if stopWords[w] {
					t.Errorf("%q is a stop word, although it can be a topic", w)
				}
			case !stopWords[w]:
				t.Errorf("%s: %q is missing without a reason", name, w)
			}
		}
	}
	if len(seen) != len(leftOut) || len(leftOut) != 32 {
		t.Errorf("%d words are left out, %d of them in the other lists; the documentation says 32", len(leftOut), len(seen))
	}
}
