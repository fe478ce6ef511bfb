package bench

import (
	"cmp"
	"slices"

	"nightjar/model/measure"
)

// AllTasks is the group of all tasks.
const AllTasks = "all"

// groups averages the results of each group of tasks and of all tasks, for Free and, when any task was measured with it, for
// Cost. A task that was measured in one way only counts for both, since both are the same.
func groups(results []Result) []GroupMean {
	var means []GroupMean
	for _, missing := range []string{Free, Cost} {
		chosen := under(results, missing)
		if chosen == nil {
			continue
		}
		var names []string
		for _, r := range chosen {
			names = append(names, r.Group)
		}
		for _, name := range unique(names) {
			if name == "" {
				continue
			}
			of := slices.DeleteFunc(slices.Clone(chosen), func(r Result) bool { return r.Group != name })
			means = append(means, Mean(name, missing, of))
		}
		means = append(means, Mean(AllTasks, missing, chosen))
	}
	return means
}

// under returns one result of each task, nil when no task was measured in this way.
func under(results []Result, missing string) []Result {
	if !slices.ContainsFunc(results, func(r Result) bool { return r.Missing == missing }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool {
		return r.Missing != missing &&
			slices.ContainsFunc(results, func(o Result) bool { return o.Task == r.Task && o.Missing == missing })
	})
}

// Mean averages the results of at least one task over (task, seed). It leaves out strategies that did not crawl all tasks.
func Mean(group, missing string, results []Result) GroupMean {
	g := GroupMean{Group: group, Missing: missing, Tasks: len(results), Strategies: []GroupStrategy{}}
	var units []Strategy
	for _, s := range results[0].Strategies {
		var all []float64
		var shown []*Finds
		complete := true
		for _, r := range results {
			i := slices.IndexFunc(r.Strategies, func(o Strategy) bool { return o.Name == s.Name })
			if complete = complete && i >= 0; complete {
				all, shown = append(all, r.Strategies[i].PerSeed...), append(shown, r.Strategies[i].Finds)
			}
		}
		if !complete {
			continue
		}
		f := measure.Mean(all, random(s.Name)).Within(0, 1)
		g.Strategies = append(g.Strategies, GroupStrategy{s.Name, f.Value, f.Low, f.High, together(shown)})
		units = append(units, Strategy{Name: s.Name, PerSeed: all})
	}
	g.Pairs = pairs(units)
	slices.SortStableFunc(g.Strategies, func(a, b GroupStrategy) int { return cmp.Compare(b.AreaVsOracle, a.AreaVsOracle) })
	return g
}
