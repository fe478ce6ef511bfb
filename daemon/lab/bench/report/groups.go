package report

import (
	"slices"

	"nightjar/daemon/lab/bench"
)

// allTasks is the name of the group of all tasks.
const allTasks = bench.AllTasks

// group holds a group's means and results.
type group struct {
	bench.GroupMean
	results []*bench.Result
}

// groups are the groups with a task that was measured with a way of counting missing pages. The group of all tasks comes last,
// if there are several groups or tasks without a group. Means of exactly these tasks are computed if the suite lacks them.
func (v *view) groups(mode string) []group {
	var names []string
	var results []*bench.Result // of all tasks
	of := map[string][]*bench.Result{}
	for _, t := range v.tasks {
		if t.Group != "" && t.exact(mode) != nil && !slices.Contains(names, t.Group) {
			names = append(names, t.Group)
		}
		if r := t.result(mode); r != nil {
			of[t.Group], results = append(of[t.Group], r), append(results, r)
		}
	}
	if len(of) != 1 || len(names) == 0 {
		names = append(names, allTasks)
		of[allTasks] = results
	}
	var all []group
	for _, name := range names {
		results := of[name]
		if len(results) == 0 {
			continue
		}
		at := slices.IndexFunc(v.Groups, func(g bench.GroupMean) bool {
			return g.Group == name && g.Missing == mode && g.Tasks == len(results)
		})
		if at >= 0 {
			all = append(all, group{v.Groups[at], results})
		} else {
			all = append(all, newGroup(name, mode, results))
		}
	}
	return all
}

// newGroup computes the means of at least one result.
func newGroup(name, mode string, results []*bench.Result) group {
	var values []bench.Result
	for _, r := range results {
		values = append(values, *r)
	}
	return group{bench.Mean(name, mode, values), results}
}

// leader is the best strategy of a group except the oracle; "" without any.
func (g *group) leader() string { return append(g.names(), "")[0] }

// title is the group's name as Markdown.
func (g *group) title() string {
	if g.Group == allTasks {
		return "all tasks"
	}
	return text(g.Group)
}

// names are the strategies of a group except the oracle, best first.
func (g *group) names() []string {
	var names []string
	for _, s := range g.Strategies {
		if s.Name != oracle {
			names = append(names, s.Name)
		}
	}
	return names
}

// of is a strategy's mean.
func (g *group) of(name string) (bench.GroupStrategy, bool) {
	at := slices.IndexFunc(g.Strategies, func(s bench.GroupStrategy) bool { return s.Name == name })
	if at < 0 {
		return bench.GroupStrategy{}, false
	}
	return g.Strategies[at], true
}

// pair finds a's difference from b, stored in either order.
func pair(all []bench.Pair, a, b string) (bench.Pair, bool) {
	for _, p := range all {
		switch {
		case p.A == a && p.B == b:
			return p, true
		case p.A == b && p.B == a:
			return bench.Pair{A: a, B: b, Difference: -p.Difference, Low: -p.High, High: -p.Low}, true
		}
	}
	return bench.Pair{}, false
}

// recallAt is the recall after n pages, interpolated linearly, and constant after the last point.
func recallAt(s *bench.Strategy, n int) float64 {
	before := [2]float64{}
	for _, at := range s.Recalled {
		if at[0] >= float64(n) {
			if at[0] == before[0] {
				return at[1]
			}
			return before[1] + (at[1]-before[1])*(float64(n)-before[0])/(at[0]-before[0])
		}
		before = at
	}
	return before[1]
}

// LeftOut says for each group which strategies that ran elsewhere in the suite did not run in all of its tasks. The means
// over all tasks lack them, too.
func (v *view) LeftOut() []string {
	if len(v.modes) == 0 {
		return nil
	}
	var ran []string
	for _, t := range v.tasks {
		for _, s := range t.result(v.modes[0]).Strategies {
			if !slices.Contains(ran, s.Name) {
				ran = append(ran, s.Name)
			}
		}
	}
	var all []string
	for _, g := range v.groups(v.modes[0]) {
		var missing []string
		for _, name := range ran {
			if g.Group != allTasks && g.strategies(name) == nil {
				missing = append(missing, code(name))
			}
		}
		if len(missing) > 0 {
			all = append(all, "In "+g.title()+", and so in the means over all tasks, there is no "+list(missing)+".")
		}
	}
	return all
}
