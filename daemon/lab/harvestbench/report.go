package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// The part of daemon/lab/reports/COMMUNITIES.md that is written anew is between these lines.
const (
	partBegins = "<!-- written by go run ./daemon/lab/harvestbench --report -->"
	partEnds   = "<!-- end of what harvestbench writes -->"
)

// writeReport writes tables to daemon/lab/reports/COMMUNITIES.md and pictures to daemon/lab/reports/benchmarks.
func (r *result) writeReport() error {
	root, err := devtool.Root()
	if err != nil {
		return err
	}
	file := filepath.Join(root, "daemon", "lab", "reports", "COMMUNITIES.md")
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	whole, err := replacePart(string(old), r.markdown(time.Now()))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, g := range r.Groups {
		for k, p := range g.plots(r.Pages) {
			var picture bytes.Buffer
			if err := p.svg(&picture); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(root, "daemon", "lab", "reports", g.pictures()[k]), picture.Bytes(), 0o644); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(file, []byte(whole), 0o644)
}

// replacePart replaces what is between the lines partBegins and partEnds.
func replacePart(text, part string) (string, error) {
	before, rest, begins := strings.Cut(text, partBegins+"\n")
	_, after, ends := strings.Cut(rest, partEnds)
	if !begins || !ends {
		return "", errors.New("it lacks the lines between which the tables are written: " + partBegins + " and " + partEnds)
	}
	return before + partBegins + "\n" + part + partEnds + after, nil
}

// markdown is the tables and pictures, each group under a heading.
func (r *result) markdown(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured on %s by\n\n    %s\n\non %s, %s.\n\nAfter ± is the standard error over the crawls, after p the one-tailed paired t-test against breadth-first.\n",
		now.UTC().Format(time.DateOnly), r.Command, r.Machine, r.Go)
	for k, table := range r.tables() {
		g := r.Groups[k]
		fmt.Fprintf(&b, "\n### %s\n\n", table.Title)
		for i, row := range table.Rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
			}
		}
		for i, p := range g.plots(r.Pages) {
			fmt.Fprintf(&b, "\n![%s](%s)\n", p.Title, g.pictures()[i])
		}
	}
	b.WriteString("\n")
	return b.String()
}

// pictures are the files of a group's plots, below daemon/lab/reports.
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
