package harvest

import (
	"fmt"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

// titles of the groups, for people.
var groupTitles = map[string]string{wikispeedia: "Articles of Wikispeedia as documents", webkb: "Courses of WebKB as a topic"}

// tables are the harvests of each group, and the tests against the base.
func (r *result) tables() []devtool.Table {
	var all []devtool.Table
	for _, g := range r.Groups {
		all = append(all, g.table(r.Pages))
	}
	return all
}

// table has a row for each contender: the mean harvest at each checkpoint with its standard error, and p against the base.
func (g *group) table(pages int) devtool.Table {
	head := []string{"order of links"}
	var points []int
	for _, t := range checkpoints {
		if t <= pages {
			points = append(points, t)
			head = append(head, strconv.Itoa(t)+" pages")
		}
	}
	t := devtool.Table{Title: fmt.Sprintf("%s: %d crawls of each", groupTitles[g.Name], len(g.Trials)), Rows: [][]string{head}}
	for i, c := range contenders {
		row := []string{c.Name}
		for _, n := range points {
			own, base := g.at(i, n), g.at(len(contenders)-1, n)
			m, se := measure.MeanError(own)
			cell := fmt.Sprintf("%s ± %s", short(m), short(se))
			if i < len(contenders)-1 && len(own) > 1 {
				cell += ", " + probability(measure.PairedT(own, base))
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// at is the harvest of a contender after so many pages, one for each trial.
func (g *group) at(contender, pages int) []float64 {
	var all []float64
	for _, t := range g.Trials {
		all = append(all, after(t.Harvest[contender], pages))
	}
	return all
}

// short is a share to three digits.
func short(x float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", x), "0") }

// probability is a p-value to two digits that count.
func probability(p float64) string {
	switch {
	case p < .0001:
		return "p < .0001"
	case p < .01:
		return "p " + strings.TrimPrefix(fmt.Sprintf("%.4f", p), "0")
	}
	return "p " + strings.TrimPrefix(fmt.Sprintf("%.2f", p), "0")
}
