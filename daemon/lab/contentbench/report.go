package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"nightjar/daemon/machine"
)

func (t *table) title() string {
	markup := "as served"
	if t.hidden {
		markup = "markup hidden"
	}
	return fmt.Sprintf("%d %s pages, %s", t.pages, t.set, markup)
}

// cells are the rows of a table as they are written, heads first.
func (t *table) cells() [][]string {
	all := [][]string{{"", "precision", "recall", "F1", "pages lost", "ms a page", "times ours"}}
	for _, r := range t.rows {
		took, ratio := "-", "-"
		if r.took > 0 {
			took = fmt.Sprintf("%.2f", float64(r.took)/float64(time.Millisecond))
			ratio = fmt.Sprintf("%.1f", float64(r.took)/float64(t.rows[0].took))
		}
		all = append(all, []string{r.name, fmt.Sprintf("%.3f", r.precision), fmt.Sprintf("%.3f", r.recall), fmt.Sprintf("%.3f", r.f1),
			fmt.Sprint(r.lost), took, ratio})
	}
	return all
}

// plain is what a terminal shows.
func plain(tables []*table) string {
	var b strings.Builder
	for _, t := range tables {
		fmt.Fprintf(&b, "%s\n", t.title())
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, row := range t.cells() {
			fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
		}
		_ = w.Flush() // a strings.Builder takes everything
		fmt.Fprintln(&b)
	}
	return b.String()
}

// markdown is the page of the documentation.
func markdown(tables []*table, o *options) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# How well content is extracted\n\n%s\nMeasured on %s by\n\n    %s\n\non %s, %s.\n",
		intro, time.Now().UTC().Format(time.DateOnly), o.command, machine.Processor(), runtime.Version())
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n", t.title())
		for i, row := range t.cells() {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
			}
		}
	}
	return b.Bytes()
}

const intro = `Nightjar's own extraction (crawler/page) beside go-trafilatura, alone, with its fallbacks and with its preference for
recall, and beside the two libraries that it falls back to. All read the same pages in the same run.

- **golden**: the pages of crawler/page/testdata/content, one of each kind (articles, forums, link lists, tables, pages of
  1997, hidden text, other scripts). Their content was written down by hand, beside Nightjar's extraction, so they favour it.
- **documentation**: 50 pages, ten each of five sites whose generator puts the content into one element. No page of these
  sites has a main or article element, so the label is that of the generator.
- **university**: 50 pages of a university's web, at most two of a host, labelled by their only article element, or else by
  their only main element.

Recorded pages with at least 100 words of content are drawn in the order of a hash of seed and address. "Markup hidden"
means that main and article were replaced by div, their roles removed, and the labelled element's id and class, too.

Precision is the share of the words found that are content, recall the share of the content that is found, as bags of
words: runs of letters and digits, or characters of Chinese and Japanese. All figures are means over the pages. A page
counts as lost when less than half of its content is found. Titles and descriptions, which come from the head, do not
count. The time is that of a page from bytes to content; Nightjar's includes links, frames and all else that it reads.
`
