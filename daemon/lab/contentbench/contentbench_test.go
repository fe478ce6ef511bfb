// Package contentbench measures how well Nightjar (crawler/page), go-trafilatura and the two libraries that it falls back to
// extract main content, all from the same pages in the same run. It is a module of its own, so that Nightjar does not depend
// on them.
//
//	NIGHTJAR_CORPORA=DIR task bench:content -- -out ../reports
//
// The pages are those of crawler/page/testdata/content, whose content was written down by hand, and, if NIGHTJAR_CORPORA is
// set, recorded pages labelled by the element that holds their content (labels_test.go).
package contentbench

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"nightjar/daemon/lab/devtool"
)

var (
	rounds = flag.Int("rounds", 1, "`NUMBER` of times that each page is read; the fastest counts")
	seed   = flag.Uint64("seed", 1, "`NUMBER` that seeds the draw of recorded pages")
	out    = flag.String("out", "", "write CONTENT.md to `DIR`")
)

// TestCompare measures all extractors. Nightjar's must not be worse than the best of the others on any set of pages: that is
// why it is our own.
func TestCompare(t *testing.T) {
	sets, err := readSets(os.Getenv("NIGHTJAR_CORPORA"), *seed)
	if err != nil {
		t.Fatal(err)
	}
	var tables []devtool.Table
	for _, s := range sets {
		for _, hidden := range []bool{false, true} {
			rows, err := measure(s, hidden, *rounds)
			if err != nil {
				t.Fatalf("%s pages: %v", s.name, err)
			}
			for i, r := range rows {
				if extractors[i].name != ours && r.f1 > rows[0].f1 {
					t.Errorf("%s pages, markup hidden: %v: F1 of %s is %.3f, Nightjar's %.3f", s.name, hidden, extractors[i].name, r.f1, rows[0].f1)
				}
			}
			tables = append(tables, s.table(hidden, rows))
		}
	}
	const title = "How well content is extracted"
	if err := devtool.WriteText(t.Output(), title, tables); err != nil {
		t.Fatal(err)
	}
	if *out == "" {
		return
	}
	const command = "NIGHTJAR_CORPORA=DIR task bench:content -- -rounds 3 -out ../reports"
	if err := os.WriteFile(filepath.Join(*out, "CONTENT.md"), devtool.Markdown(title, intro, command, "", tables), 0o644); err != nil {
		t.Fatal(err)
	}
}

const intro = `Nightjar's own extraction (crawler/page) compared with go-trafilatura (alone, with its fallbacks, and with its
preference for recall) and with the two libraries that it falls back to. All read the same pages in the same run.

- **golden**: the pages of crawler/page/testdata/content, one of each kind (articles, forums, link lists, tables, pages of
  1997, hidden text, other scripts). Their content was written down by hand with Nightjar's extraction at hand, so they
  favour it.
- **documentation**: 50 pages, ten from each of five sites whose generator puts the content into one element. No page of
  these sites has a main or article element, so the label is that of the generator.
- **university**: 50 pages of a university's web, at most two per host, labelled by their only article element, otherwise
  by their only main element.

Recorded pages with at least 100 words of content are drawn in the order of a hash of seed and address. "Markup hidden"
means that main and article were replaced by div, and that their roles and the labelled element's id and class were removed.

Precision is the share of the words found that are content; recall is the share of the content that is found. Texts are
compared as bags of words: runs of letters and digits, or characters of Chinese and Japanese. All figures are means over
the pages. A page counts as lost when less than half of its content is found. Titles and descriptions, which come from the
head, do not count. The time is that of a page from bytes to content; Nightjar's includes links, frames and everything else
that it reads. On the first 300 pages of each of four recordings, Nightjar takes 0.2 ms (pages of 1997) to 0.9 ms (university) of
processor time a page. This measures it again:

    NIGHTJAR_CORPORA=DIR go test -run '^$' -bench Pages ./crawler/page`
