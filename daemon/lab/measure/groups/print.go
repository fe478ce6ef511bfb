package groups

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// tables are all that was measured.
func (r *result) tables() []devtool.Table {
	var all []devtool.Table
	if c := r.Clusters; c != nil {
		all = append(all, c.areaTable(), c.clusterTable("Table 1. DBSCAN, MinDocs 3, concepts", concepts, minDocs[0], table1, average1),
			c.clusterTable("Table 2. DBSCAN, MinDocs 1, keywords", keywords, minDocs[1], table2, average2),
			growingTable("Table 3. COBWEB, concepts", c.Growing, table3, average3),
			c.summaryTable("DBSCAN at the similarity that Explore shows first", func(c *clusterings) int { return c.First }),
			c.summaryTable("DBSCAN where nearest to 30 % of the pages are in clusters", func(c *clusterings) int { return c.Third }),
			c.cobwebTable())
	}
	if o := r.Operators; o != nil {
		all = append(all, versusTable("Figure 5. Share of words on topic by their number, 100 in-links", "words", o.Words, figure5, func(v versus) int { return v.Words }),
			versusTable("Figure 6. Share of words on topic by the number of in-links, 7 words", "in-links", o.Inlinks, figure6, func(v versus) int { return v.Inlinks }),
			o.ruleTable(), o.oneTable(),
			versusTable("Figure 5 by the words of anchors alone", "words", r.Anchors.Words, figure5, func(v versus) int { return v.Words }),
			o.wordTable())
	}
	if r.Times != nil {
		all = append(all, r.Times.table())
	}
	return all
}

// markdown is what a report says: where it was measured, and the tables.
func (r *result) markdown() string {
	text := "\n" + devtool.Measured(r.Command)
	text += fmt.Sprintf("\nWordNet %s. %d pages with %d links, in which there are %d different words.\n", r.WordNet, r.Pages, r.Links, r.Words)
	for _, t := range r.tables() {
		text += t.Markdown("###")
	}
	return text + "\n"
}

func (c *compared) areaTable() devtool.Table {
	pages := 0
	for _, one := range c.Categories {
		pages += one.Pages
	}
	t := devtool.Table{Title: fmt.Sprintf("AUC of \"same category\", %d pages of %d categories", pages, len(c.Categories)),
		Rows: [][]string{{"pages are compared by", "pages described", "AUC", "more than equal keywords"}}}
	for _, m := range c.Area {
		more := figure(m.More)
		if m.Manner == exact {
			more = ""
		}
		t.Add(m.Manner, c.Has[m.Manner], figure(m.Area), more)
	}
	return t
}

var clusterHead = []string{"MinSim", "pages clustered", "clusters", "largest", "entropy", "maximum", "decrease", "NMI", "ARI"}

// cells are those of clusterHead.
func (l *level) cells(categories int) []string {
	return []string{fmt.Sprintf("%.2f", l.MinSim), fmt.Sprintf("%d (%s)", l.Pages, percent(l.Clustered)), strconv.Itoa(l.Clusters), strconv.Itoa(l.Largest),
		fmt.Sprintf("%.2f", l.Entropy), fmt.Sprintf("%.2f", math.Log10(float64(categories))), percent(l.Decrease), fmt.Sprintf("%.2f", l.NMI), fmt.Sprintf("%.2f", l.ARI)}
}

// clusterTable is DBSCAN at all similarities, under what the paper found.
func (c *compared) clusterTable(title, manner string, minDocs int, paper []found, average float64) devtool.Table {
	t := devtool.Table{Title: title, Rows: [][]string{append([]string{"", "pages", "categories"}, clusterHead...)}}
	for _, f := range paper {
		t.Add("paper", f.pages, f.categories, fmt.Sprintf("%.2f", f.minSim),
			fmt.Sprintf("%d (%s)", f.clustered, percent(float64(f.clustered)/float64(f.pages))), f.clusters, "",
			fmt.Sprintf("%.2f", f.entropy), fmt.Sprintf("%.2f", math.Log10(float64(f.categories))), percent(f.decrease), "", "")
	}
	t.Add("paper, average", "", "", "", "", "", "", "", "", percent(average), "", "")
	pages := 0
	for _, one := range c.Categories {
		pages += one.Pages
	}
	for _, found := range c.DBSCAN {
		if found.Manner != manner || found.MinDocs != minDocs {
			continue
		}
		for i, l := range found.Levels {
			name := "here"
			if i == found.First {
				name = "here, shown first"
			}
			t.Rows = append(t.Rows, append([]string{name, strconv.Itoa(pages), strconv.Itoa(len(c.Categories))}, l.cells(len(c.Categories))...))
		}
	}
	return t
}

// summaryTable is one level of each manner.
func (c *compared) summaryTable(title string, which func(*clusterings) int) devtool.Table {
	t := devtool.Table{Title: title, Rows: [][]string{append([]string{"pages are compared by", "MinDocs"}, clusterHead...)}}
	for _, found := range c.DBSCAN {
		l := found.Levels[which(found)]
		t.Rows = append(t.Rows, append([]string{found.Manner, strconv.Itoa(found.MinDocs)}, l.cells(len(c.Categories))...))
	}
	return t
}

var conceptualHead = []string{"pages", "categories", "level", "clusters", "entropy", "maximum", "decrease", "NMI", "ARI"}

func (c *conceptual) cells() []string {
	return []string{strconv.Itoa(c.Pages), strconv.Itoa(c.Categories), strconv.Itoa(c.Depth), fmt.Sprintf("%.1f", c.Clusters), fmt.Sprintf("%.2f", c.Entropy),
		fmt.Sprintf("%.2f", math.Log10(float64(c.Categories))), percent(c.Decrease), fmt.Sprintf("%.2f", c.NMI), fmt.Sprintf("%.2f", c.ARI)}
}

func growingTable(title string, rows []conceptual, paper []found, average float64) devtool.Table {
	t := devtool.Table{Title: title, Rows: [][]string{append([]string{""}, conceptualHead...)}}
	for _, f := range paper {
		t.Add("paper", f.pages, f.categories, "", f.clusters, fmt.Sprintf("%.2f", f.entropy),
			fmt.Sprintf("%.2f", math.Log10(float64(f.categories))), percent(f.decrease), "", "")
	}
	t.Add("paper, average", "", "", "", "", "", "", percent(average), "", "")
	for _, row := range rows {
		t.Rows = append(t.Rows, append([]string{"here"}, row.cells()...))
	}
	return t
}

func (c *compared) cobwebTable() devtool.Table {
	t := devtool.Table{Title: "COBWEB, all pages", Rows: [][]string{append([]string{"pages are described by"}, conceptualHead...)}}
	for _, row := range c.COBWEB {
		t.Rows = append(t.Rows, append([]string{row.Manner}, row.cells()...))
	}
	return t
}

// versusTable compares the two operators, beside what the paper found.
func versusTable(title, what string, rows []versus, paper []published, number func(versus) int) devtool.Table {
	t := devtool.Table{Title: title, Rows: [][]string{{what, "paper: target", "paper: group", "target", "group", "target more than group", "sets where target is above, equal, below"}}}
	for i, v := range rows {
		p := paper[i]
		t.Rows = append(t.Rows, append([]string{strconv.Itoa(number(v)), percent(p.target), percent(p.group)}, v.cells()...))
	}
	return t
}

func (o *operated) ruleTable() devtool.Table {
	t := devtool.Table{Title: "Share of words on topic by other rules of what is on topic, 100 in-links",
		Rows: [][]string{{"a word is on topic if it is", "words", "target", "group", "target more than group", "sets where target is above, equal, below"}}}
	for _, r := range o.Rules[min(1, len(o.Rules)):] { // the first is that of figure 5
		for _, v := range r.Words {
			t.Rows = append(t.Rows, append([]string{r.Rule, strconv.Itoa(v.Words)}, v.cells()...))
		}
	}
	return t
}

// cells are the shares, their difference, and the sets.
func (v *versus) cells() []string {
	return []string{percent(v.Target), percent(v.Group), figure(v.More), fmt.Sprintf("%d, %d, %d", v.Above, v.Equal, v.More.N-v.Above-v.Equal)}
}

func (o *operated) oneTable() devtool.Table {
	t := devtool.Table{Title: "Share of words that mostly name one page of the category, 100 in-links",
		Rows: [][]string{{"words", "target", "group", "target more than group", "sets where target is above, equal, below"}}}
	for _, v := range o.One {
		t.Rows = append(t.Rows, append([]string{strconv.Itoa(v.Words)}, v.cells()...))
	}
	return t
}

func (o *operated) wordTable() devtool.Table {
	t := devtool.Table{Title: "The first 7 words of each category, 100 in-links; those off topic in brackets",
		Rows: [][]string{{"category", "pages", "weightedTargetKeywords", "weightedGroupKeywords"}}}
	for _, s := range o.Sets {
		t.Add(shortLabel(s.Label), s.Pages, strings.Join(s.Target, " "), strings.Join(s.Group, " "))
	}
	return t
}

func (t *timed) table() devtool.Table {
	title := fmt.Sprintf("Seconds for %d pages, %d pairs; the paper: %d s for all pairs of 4000", t.Pages, t.Pairs, publishedSeconds)
	table := devtool.Table{Title: title, Rows: [][]string{{"step", "seconds", "seconds of all processors"}}}
	for _, s := range t.Steps {
		table.Add(s.Name, fmt.Sprintf("%.2f", s.Seconds), fmt.Sprintf("%.2f", s.CPU))
	}
	return table
}

// percent is a share in percent.
func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }

// figure is a value with its interval.
func figure(f measure.Figure) string {
	return fmt.Sprintf("%s (%s to %s)", short(f.Value), short(f.Low), short(f.High))
}

// short is a number below 1 to three digits.
func short(x float64) string { return strings.Replace(fmt.Sprintf("%.3f", x), "0.", ".", 1) }
