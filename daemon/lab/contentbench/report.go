package main

import (
	"fmt"

	"nightjar/daemon/lab/devtool"
)

// printed formats a table.
func (t *table) printed() devtool.Table {
	markup := "as served"
	if t.hidden {
		markup = "markup hidden"
	}
	all := [][]string{{"", "precision", "recall", "F1", "pages lost", "ms a page", "times ours"}}
	for _, r := range t.rows {
		took, ratio := "-", "-"
		if r.took > 0 {
			took = fmt.Sprintf("%.2f", devtool.Milliseconds(r.took))
			ratio = fmt.Sprintf("%.1f", float64(r.took)/float64(t.rows[0].took))
		}
		all = append(all, []string{r.name, fmt.Sprintf("%.3f", r.precision), fmt.Sprintf("%.3f", r.recall), fmt.Sprintf("%.3f", r.f1),
			fmt.Sprint(r.lost), took, ratio})
	}
	return devtool.Table{Title: fmt.Sprintf("%d %s pages, %s", t.pages, t.set, markup), Rows: all}
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
