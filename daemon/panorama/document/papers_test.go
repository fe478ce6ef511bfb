package document

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "write the golden files anew")

// paper is a document with its titles as a person reads them. Titles of one and two words are left out, as Read leaves them out.
type paper struct {
	File, Title string
	References  []string
}

func papers(t *testing.T) (all []paper) {
	t.Helper()
	b, err := os.ReadFile("testdata/titles.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil || len(all) != 10 {
		t.Fatalf("%d papers: %v", len(all), err)
	}
	return all
}

// TestPapers reads ten papers with references in five styles. They are vignettes of R packages, which are not part of this
// repository: the test runs when NIGHTJAR_PDFS names a folder with them.
func TestPapers(t *testing.T) {
	dir := os.Getenv("NIGHTJAR_PDFS")
	if dir == "" {
		t.Skip("NIGHTJAR_PDFS names no folder of PDFs")
	}
	titles, found, want, rubbish, got := 0, 0, 0, 0, 0
	for _, p := range papers(t) {
		body, err := os.ReadFile(filepath.Join(dir, p.File))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Read(t.Context(), body, Options{})
		if err != nil {
			t.Errorf("%s: %v", p.File, err)
			continue
		}
		if d.Title == p.Title {
			titles++
		} else {
			t.Logf("%s: title %q, want %q", p.File, d.Title, p.Title)
		}
		f, r := compare(t, p, d)
		found, rubbish, want, got = found+f, rubbish+r, want+len(p.References), got+len(d.References)
	}
	t.Logf("titles %d of 10; references found %d of %d; rubbish %d of %d", titles, found, want, rubbish, got)
	if titles != 10 || found*100 < 80*want || rubbish*100 > 10*got {
		t.Error("want 10 titles, 80 % of the references, at most 10 % rubbish")
	}
}

func compare(t *testing.T, p paper, d *Document) (found, rubbish int) {
	t.Helper()
	hit := make([]bool, len(p.References))
	for _, r := range d.References {
		best, at := 0.0, 0
		for i, w := range p.References {
			if f := tokenF1(r.Title, w); f > best {
				best, at = f, i
			}
		}
		if best >= .9 {
			hit[at] = true
			continue
		}
		rubbish++
		t.Logf("%s: rubbish %q", p.File, r.Title)
	}
	for i, h := range hit {
		if h {
			found++
		} else {
			t.Logf("%s: not found %q", p.File, p.References[i])
		}
	}
	return found, rubbish
}

func tokenF1(a, b string) float64 {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	left, n := map[string]int{}, 0
	wa, wb := words(a), words(b)
	for _, w := range wa {
		left[w]++
	}
	for _, w := range wb {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	if len(wa)+len(wb) == 0 {
		return 0
	}
	return 2 * float64(n) / float64(len(wa)+len(wb))
}

// TestEntriesOfPapers puts the listed titles into entries of five styles and reads them, so that the list is used where there
// are no papers.
func TestEntriesOfPapers(t *testing.T) {
	styles := map[string]string{
		"quoted":   "Hothorn T, van de Wiel MA (2006). “TITLE.” Journal of Statistical Software, 23(2), 1–21. doi:10.18637/jss.v023.i02.",
		"year":     "Bennett, K. P. & Campbell, C. (2000). TITLE. SIGKDD Explorations, 2(2), 1–13.",
		"plain":    "[12] Peter H. Westfall and Ludwig A. Hothorn. TITLE. Journal of Econometrics, 102:487–494, 2007.",
		"comma":    "[9] S. Chakrabarti, M. van den Berg, TITLE, in: Proceedings of the Eighth Conference, Toronto, Canada, 1999.",
		"computer": "Smith, J. and Jones, K. 2007. TITLE. In Proceedings of the 10th Conference on Everything, pages 1–9.",
		"engineer": "[3] J. K. Smith and A. B. Jones, \"TITLE,\" IEEE Trans. Neural Networks, vol. 13, no. 2, pp. 45–52, 2002.",
	}
	for name, style := range styles {
		found, all := 0, 0
		for _, p := range papers(t) {
			for _, title := range p.References {
				all++
				r, ok := parseEntry(strings.Replace(style, "TITLE", title, 1))
				if ok && tokenF1(r.Title, title) >= .9 {
					found++
				} else {
					t.Logf("%s: %q read as %q", name, title, r.Title)
				}
			}
		}
		if found*100 < 90*all {
			t.Errorf("%s: %d of %d titles found", name, found, all)
		}
	}
}
