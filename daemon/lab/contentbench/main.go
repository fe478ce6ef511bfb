// Contentbench measures how well Nightjar (crawler/page), go-trafilatura and the two libraries that it falls back to extract
// main content, all from the same pages in the same run. It is a separate module, so that Nightjar does not depend on them.
//
//	NIGHTJAR_CORPORA=DIR task bench:content -- --out docs
//
// The pages are those of crawler/page/testdata/content, whose content was written down by hand, and, if NIGHTJAR_CORPORA is
// set, recorded pages labelled by the element that holds their content (labels.go).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("contentbench", run) }

func run(_ context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("contentbench", flag.ContinueOnError)
	corpora := f.String("corpora", os.Getenv("NIGHTJAR_CORPORA"),
		"`DIR` of recorded pages (default $NIGHTJAR_CORPORA); if empty, only the golden pages are measured")
	rounds := f.Int("rounds", 3, "`NUMBER` of times that each page is read; the fastest counts")
	seed := f.Uint64("seed", 1, "`NUMBER` that seeds the draw of recorded pages")
	out := f.String("out", "", "write CONTENT.md to `DIR`")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return err
	}
	if *rounds < 1 {
		return devtool.Usagef("--rounds must be at least 1")
	}
	command := "task bench:content -- " + strings.Join(args, " ")
	if *corpora != "" {
		command = "NIGHTJAR_CORPORA=DIR " + command
	} else {
		fmt.Fprintln(stderr, "contentbench: NIGHTJAR_CORPORA is not set, so only the golden pages are measured")
	}
	sets, err := readSets(*corpora, *seed)
	if err != nil {
		return err
	}
	var tables []devtool.Table
	for _, s := range sets {
		for _, hidden := range []bool{false, true} {
			t, err := measure(s, hidden, *rounds)
			if err != nil {
				return fmt.Errorf("%s pages: %w", s.name, err)
			}
			tables = append(tables, t)
		}
	}
	const title = "How well content is extracted"
	if *out != "" {
		if err := os.WriteFile(filepath.Join(*out, "CONTENT.md"), devtool.Markdown(title, intro, command, "", tables), 0o644); err != nil {
			return err
		}
	}
	return devtool.WriteText(stdout, title, tables)
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
that it reads.`
