package main

import (
	"fmt"
	"slices"
	"strings"

	"nightjar/daemon/lab/devtool"
)

// row is what a manner came to with one seed of a task.
type row struct {
	group, task string
	seed        uint64
	measured
}

// result is all that was measured, by manner.
type result struct{ rows [][]row }

func (r *result) add(manner int, one row) {
	for len(r.rows) <= manner {
		r.rows = append(r.rows, nil)
	}
	r.rows[manner] = append(r.rows[manner], one)
}

// tables are the means of the groups and, when wanted, of each task.
func (r *result) tables(manners []*manner, each bool) []devtool.Table {
	all := []devtool.Table{r.table("By group", manners, func(o row) string { return o.group })}
	if each {
		all = append(all, r.table("By task", manners, func(o row) string { return o.task }))
	}
	return all
}

// table has a row for each manner and a column for each name that its figures are collected under.
func (r *result) table(title string, manners []*manner, name func(row) string) devtool.Table {
	var names []string
	for _, o := range r.rows[0] {
		if !slices.Contains(names, name(o)) {
			names = append(names, name(o))
		}
	}
	t := devtool.Table{Title: title, Rows: [][]string{append([]string{"manner"}, names...)}}
	for i, m := range manners {
		cells := []string{m.name}
		for _, n := range names {
			others := func(o row) bool { return name(o) != n }
			own, base := slices.DeleteFunc(slices.Clone(r.rows[i]), others), slices.DeleteFunc(slices.Clone(r.rows[0]), others)
			cells = append(cells, cell(own, base))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// cell is the mean share, how many sessions are better and worse than with the first manner, the mean information, and how often
// each number of clusters was found.
func cell(own, base []row) string {
	sum, bits, better, worse := 0.0, 0.0, 0, 0
	times := make(map[int]int)
	for i, o := range own {
		sum, bits = sum+o.share, bits+o.bits
		times[o.clusters]++
		switch {
		case o.share > base[i].share:
			better++
		case o.share < base[i].share:
			worse++
		}
	}
	var found []string
	for k := range 100 {
		if times[k] > 0 {
			found = append(found, fmt.Sprintf("%d×%d", times[k], k))
		}
	}
	n := float64(len(own))
	return fmt.Sprintf("%.3f  +%d −%d  %.2f bit  %s", sum/n, better, worse, bits/n, strings.Join(found, " "))
}
