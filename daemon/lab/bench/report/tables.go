package report

import (
	"slices"

	"nightjar/daemon/chart"
	"nightjar/daemon/lab/bench"
)

// Modes are the tables for each way of counting missing pages.
func (v *view) Modes() []Mode {
	var all []Mode
	for i, mode := range v.modes {
		m := Mode{Name: mode}
		groups := v.groups(mode)
		for _, g := range slices.Backward(groups) { // all tasks first
			columns := g.columns(groups)
			told := Group{Name: g.Group, All: g.Group == allTasks, Best: g.leader(), Areas: g.areas(columns), Pairs: g.pairs(columns), Recalls: g.recalls()}
			if i == 0 {
				told.Picture = v.picture(g.Group)
			}
			m.Groups = append(m.Groups, told)
		}
		all = append(all, m)
	}
	return all
}

// picture is the Markdown of the picture of a group's first task; tasks without a group are told of under all tasks.
func (v *view) picture(group string) string {
	if group == allTasks {
		group = ""
	}
	at := slices.IndexFunc(v.tasks, func(t *task) bool { return t.drawn && t.Group == group })
	if at < 0 {
		return ""
	}
	t := v.tasks[at]
	return "![" + text("Recall, harvest and similarity against pages: "+t.Name) + "](" + folder + "/" + t.file() + ")"
}

// Mode is a way of counting missing pages.
type Mode struct {
	Name   string
	Groups []Group
}

// Group holds the tables of a group of tasks.
type Group struct {
	Name                  string
	All                   bool
	Best                  string
	Areas, Pairs, Recalls table
	Picture               string // Markdown, or ""
}

// column is a column of a table of strategies: a task or a group.
type column struct {
	head  string
	of    func(name string) (bench.GroupStrategy, bool)
	pairs []bench.Pair
}

// columns are a column per task and, for several tasks, their mean; for all tasks, a column per group.
func (g *group) columns(all []group) []column {
	var columns []column
	if g.Group == allTasks && len(all) > 1 {
		for i := range all {
			columns = append(columns, column{all[i].title(), all[i].of, all[i].GroupMean.Pairs})
		}
		return columns
	}
	for _, r := range g.results {
		columns = append(columns, column{heading(r), func(name string) (bench.GroupStrategy, bool) {
			s := strategy(r, name)
			if s == nil {
				return bench.GroupStrategy{}, false
			}
			return bench.GroupStrategy{Name: name, AreaVsOracle: s.AreaVsOracle, Low: s.Low, High: s.High}, true
		}, r.Pairs})
	}
	if len(columns) > 1 {
		columns = append(columns, column{"mean", g.of, g.GroupMean.Pairs})
	}
	return columns
}

// areas is the table of shares of the oracle's area, a row per strategy, best mean first.
func (g *group) areas(columns []column) table {
	t := table{Head: []string{"strategy"}}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
	}
	bold := emphasis{}
	for _, name := range g.names() {
		row := []string{code(name)}
		for i, c := range columns {
			cell := none
			if s, ok := c.of(name); ok {
				bold.see(len(t.Rows), i+1, s.AreaVsOracle)
				cell = within(s.AreaVsOracle, s.Low, s.High, share)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return bold.in(t)
}

// heading is a task's column heading, with a dagger if it was used while settings were chosen.
func heading(r *bench.Result) string {
	if r.LookedAt {
		return text(title(r)) + " †"
	}
	return text(title(r))
}

// pairs is the table of paired differences between the group's best strategy and the others.
func (g *group) pairs(columns []column) table {
	first := g.leader()
	t := table{Head: []string{code(first) + " less"}}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
	}
	for _, name := range g.names() {
		if name == first {
			continue
		}
		row := []string{code(name)}
		for _, c := range columns {
			row = append(row, pairCell(c.pairs, first, name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func pairCell(all []bench.Pair, a, b string) string {
	p, ok := pair(all, a, b)
	if !ok {
		return none
	}
	return within(p.Difference, p.Low, p.High, difference)
}

// readUpTo are the numbers of pages for which recall is reported, up to the budget.
func readUpTo(budget int) []int {
	return slices.DeleteFunc([]int{100, 250, 500, 1000}, func(n int) bool { return n > budget })
}

// recalls is the table of mean recall after some numbers of pages, with seconds and memory of a crawl.
func (g *group) recalls() table {
	t := table{Head: []string{"strategy"}}
	if len(g.results) == 0 {
		return t
	}
	budget := g.results[0].Budget
	for _, r := range g.results {
		budget = min(budget, r.Budget)
	}
	at := readUpTo(budget)
	for _, n := range at {
		t.Head = append(t.Head, chart.Thousands(n)+" pages")
	}
	t.Head = append(t.Head, "whole budget", "seconds a crawl", "most MB")
	bold := emphasis{}
	for _, name := range append(g.names(), oracle) {
		all := g.strategies(name)
		if len(all) == 0 {
			continue
		}
		row := []string{code(name)}
		for i, n := range append(at, -1) {
			recall := meanRecall(all, n)
			row = append(row, percent(recall))
			if name != oracle {
				bold.see(len(t.Rows), i+1, recall)
			}
		}
		spent, memory := 0.0, int64(0)
		for _, s := range all {
			spent += s.Seconds / float64(len(all))
			memory = max(memory, s.PeakRSS)
		}
		t.Rows = append(t.Rows, append(row, seconds(spent), megabytes(memory)))
	}
	return bold.in(t)
}

// meanRecall is the mean recall after n pages, or at the end for -1.
func meanRecall(all []*bench.Strategy, n int) float64 {
	sum := 0.0
	for _, s := range all {
		if n < 0 {
			sum += s.Recall
		} else {
			sum += recallAt(s, n)
		}
	}
	return sum / float64(len(all))
}

// strategies are a strategy's results in the group's tasks; nil unless it ran in all of them.
func (g *group) strategies(name string) []*bench.Strategy {
	var all []*bench.Strategy
	for _, r := range g.results {
		s := strategy(r, name)
		if s == nil {
			return nil
		}
		all = append(all, s)
	}
	return all
}
