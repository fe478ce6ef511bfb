package papers

import (
	"context"
	"fmt"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// The contenders of [HMM].
var (
	hmmUser = contender{"hmm-paper", "hmm-paper", false}
	hmmAll  = contender{"hmm-paper, all data", "hmm-paper", true}
	hmmHere = contender{"hmm", "hmm", false}
	first   = contender{"best-first", "best-first", false}
)

var hmmClaims = []claim{
	{"table 2", "recall of the union of all crawls, four topics: HMM 73, 52, 98, 91 %; CGS 27, 14, 1, 3 %; BFS 0, 34, 1, 6 %. On average HMM is 68 points ahead of the next"},
	{"figures 9, 11, 13a, 14a", "fraction of relevant pages among those downloaded: HMM above CGS and BFS at the end, four topics"},
	{"figures 10, 12, 13b, 14b", "average maximal similarity: HMM above CGS and BFS at the end"},
	{"figure 15, top; 16, top", "fraction of relevant pages: HMM from the user's pages above HMM from all pages around the targets, and above CGS"},
	{"figure 15, bottom; 16, bottom", "average maximal similarity: HMM from the user's pages above HMM from all pages"},
}

const printedLead = .68 // of HMM in table 2: mean of 73.25, 52.14, 98 and 91.27 less that of 26.55, 13.58, .96 and 3.14, the next

// hmm measures [HMM] §5.3.
func (s *study) hmm(ctx context.Context) (section, error) {
	sec := section{
		Title: "[HMM] A hidden Markov model of a person's browsing",
		Source: "Liu, Janssen, Milios 2005. Printed on: four topics of the Open Directory, 153 to 697 pages visited and 1 to 34 marked, crawls of the web from " +
			"one to three start pages. Relevant there: cosine to a marked page of at least γ, set by hand to .5 to .9 for each topic.",
	}
	if why := s.lacks(crawlFiles()...); why != "" {
		return sec.cannot(why, hmmClaims...), nil
	}
	all, err := s.crawled()
	if err != nil {
		return sec, err
	}
	rivals := []contender{layers, first}
	shown := []contender{hmmUser, hmmHere, layers, first, ours, breadth}
	recall := devtool.Table{Title: "Table 2: recall of the union at the end", Rows: [][]string{{"crawler", "by label, WebKB", "by label, Wikispeedia", "by γ, WebKB", "by γ, Wikispeedia"}}}
	for _, c := range shown {
		row := []any{c.name}
		for _, by := range []func(seen) bool{labelled, close1} {
			for _, g := range []string{webKB, wikispeedia} {
				row = append(row, percent(measure.Mean(values(of(all, g), c, union(by, shown...)), nil).Within(0, 1)))
			}
		}
		recall.Add(row...)
	}
	sec.Tables = append(sec.Tables, recall, clusterTable(all))
	for _, g := range []string{webKB, wikispeedia} {
		for _, c := range []contender{hmmUser, hmmHere} {
			trials := of(all, g, c, layers, first)
			on := fmt.Sprintf("%s, %d crawls each", g, len(trials))
			if c == hmmHere {
				on += "; the words of pages and of links are observed, not clusters"
			}
			for _, by := range []struct {
				name string
				is   func(seen) bool
			}{{"relevant by label", labelled}, {"relevant by γ, as in the paper", close1}} {
				lead := leads(trials, union(by.is, c, layers, first), c, rivals)
				sec.add(hmmClaims[0], lead.text, on+", "+by.name, lead.amount(printedLead))
			}
			for k, f := range []func(*trial, []seen) float64{share(close1), mean(similarity)} {
				lead := leads(trials, f, c, rivals)
				sec.add(hmmClaims[1+k], lead.text, on, order(lead.by...))
			}
		}
	}
	trials := of(all, webKB, hmmUser, hmmAll, layerAll)
	on := fmt.Sprintf("WebKB, %d crawls each; all data: up to %d layers of backlinks, at most %d pages a layer", len(trials), graphDepth, graphWidth)
	lead := leads(trials, share(close1), hmmUser, []contender{hmmAll, layerAll})
	sec.add(hmmClaims[3], lead.text, on, order(lead.by...))
	lead = leads(trials, mean(similarity), hmmUser, []contender{hmmAll})
	sec.add(hmmClaims[4], lead.text, on, order(lead.by...))
	kb := of(all, webKB)
	with := []contender{hmmUser, hmmAll, hmmHere, layerAll, first, ours}
	about := fmt.Sprintf("WebKB, mean of %d crawls", len(kb))
	sec.Pictures = []picture{
		{"hmm-relevant.svg", "Fraction of relevant pages, by γ", about, "pages downloaded",
			"Beside figures 9, 11, 13a, 14a, 15 top and 16 top. There HMM is the highest curve of each from some hundred pages on; the curves of CGS and BFS cross.",
			curves(kb, with, running(as01(close1)))},
		{"hmm-labelled.svg", "Fraction of relevant pages, by label", about, "pages downloaded",
			"The same by labels that people gave, which the paper did not have.", curves(kb, with, running(as01(labelled)))},
		{"hmm-similarity.svg", "Average maximal similarity", about, "pages downloaded",
			"Beside figures 10, 12, 13b, 14b, 15 bottom and 16 bottom. There BFS begins high and falls, and HMM ends highest.", curves(kb, with, running(similarity))},
		{"hmm-wikispeedia.svg", "Fraction of relevant pages, by label", fmt.Sprintf("Wikispeedia, mean of %d crawls", len(of(all, wikispeedia))), "pages downloaded",
			"The same on Wikispeedia.", curves(of(all, wikispeedia), shown, running(as01(labelled)))},
	}
	sec.Note = "γ is calibrated on each session here. Where the session is of the web that is crawled (Wikispeedia), all pages around its useful ones would be " +
		"that web, so that *all data* is measured on WebKB only. Figures 9 to 16 are judged at the end of a crawl by γ. *hmm-paper* is as printed; *hmm*, which people can choose, has the " +
		"same states and transitions, but observes the words of each page, and the text of a link before the page behind it is read.\n\n" +
		"What the paper's data had that these have not can only be guessed, since they are gone. The paper's users browsed the whole web, and X-means found 3 to 5 clusters among " +
		"their pages (its appendix). Here all pages of a session are of one university or one encyclopedia, and the table below says how little their clusters tell of the distance to a " +
		"useful page. All links of a page have the same value, so that the printed crawler mostly takes links in the order found."
	return sec, nil
}

// led is how one contender does beside others.
type led struct {
	text string
	by   []measure.Figure // by how much it is ahead of each
}

// leads compares a contender with rivals.
func leads(trials []*trial, f func(*trial, []seen) float64, c contender, rivals []contender) led {
	l := led{text: fmt.Sprintf("%s %.0f %%", c.name, 100*measure.Mean(values(trials, c, f), nil).Value)}
	for _, r := range rivals {
		d := ahead(trials, c, r, f).Within(-1, 1)
		l.by = append(l.by, d)
		l.text += fmt.Sprintf("; %s %.0f %%, difference %s", r.name, 100*measure.Mean(values(trials, r, f), nil).Value, signed(d))
	}
	l.text += fmt.Sprintf("; n %d", len(trials))
	return l
}

// amount is the verdict on the smallest lead.
func (l led) amount(printed float64) string {
	least := l.by[0]
	for _, f := range l.by {
		if f.Value < least.Value {
			least = f
		}
	}
	return amount(least, printed)
}
