package harvest

import (
	"bytes"
	"fmt"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// writeReport writes tables to a page and pictures of daemon/lab/reports.
func (r *result) writeReport() error {
	for _, g := range r.Groups {
		for k, p := range g.plots(r.Pages) {
			var picture bytes.Buffer
			if err := p.svg(&picture); err != nil {
				return err
			}
			if err := devtool.WritePage(g.pictures()[k], picture.Bytes()); err != nil {
				return err
			}
		}
	}
	return devtool.WritePart("COMMUNITIES.md", "harvest", r.markdown())
}

// markdown is the tables and pictures, each group under a heading.
func (r *result) markdown() string {
	text := "\n" + devtool.Measured(r.Command) +
		"\nAfter ± is the standard error over the crawls, after p the one-tailed paired t-test against breadth-first.\n"
	for k, table := range r.tables() {
		text += table.Markdown("###")
		g := r.Groups[k]
		for i, p := range g.plots(r.Pages) {
			text += fmt.Sprintf("\n![%s](%s)\n", p.Title, g.pictures()[i])
		}
	}
	return text + "\n"
}

// pictures are the files of a group's plots, below docs.
func (g *group) pictures() [2]string {
	return [2]string{"benchmarks/harvest-" + g.Name + ".svg", "benchmarks/harvest-" + g.Name + "-gain.svg"}
}

// plots are the mean harvest of each contender, as [PANORAMA] fig. 2 has it, and how much more that is than that of the base.
func (g *group) plots(pages int) [2]plot {
	const steps = 100
	title := groupTitles[g.Name]
	both := [2]plot{
		{Title: "Harvest: " + title, About: "Mean probability, by the classifier that judges, of the pages fetched so far.", Last: pages},
		{Title: "Gain: " + title, About: "Harvest less that of breadth-first from the same pages, mean.", Last: pages},
	}
	base := len(contenders) - 1
	for i, c := range contenders {
		own := series{Name: c.Name, Class: fmt.Sprintf("s%d", i)}
		gain := own
		for k := range steps {
			n := max(1, pages*(k+1)/steps)
			h, than := g.at(i, n), g.at(base, n)
			m, se := measure.MeanError(h)
			own.Points = append(own.Points, point{n, m, se})
			for t := range h {
				h[t] -= than[t]
			}
			m, se = measure.MeanError(h)
			gain.Points = append(gain.Points, point{n, m, se})
		}
		both[0].Series = append(both[0].Series, own)
		if i != base {
			both[1].Series = append(both[1].Series, gain)
		}
	}
	return both
}
