package report

import (
	"fmt"
	"slices"

	strategies "nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
)

// Earlier is the table of old and new figures of a group's tasks, for one way of counting missing pages.
type Earlier struct {
	Mode, Title string
	Table       table
}

// Earliers compare with an earlier result: all tasks by group first, then each group by task.
func (v *view) Earliers() []Earlier {
	if v.Before == nil {
		return nil
	}
	var all []Earlier
	for _, mode := range v.modes {
		groups := v.groups(mode)
		var names []string
		for _, g := range groups {
			names = append(names, g.Group)
		}
		all = addEarlier(all, mode, "by group", "all tasks compared", v.Before.Groups, names)
		for _, g := range groups {
			if g.Group == allTasks {
				continue
			}
			var tasks []string
			for _, r := range g.results {
				tasks = append(tasks, r.Task)
			}
			all = addEarlier(all, mode, g.title()+", by task", "", v.Before.Tasks, tasks)
		}
	}
	return all
}

// addEarlier adds a table with a column for each name of which there are changes, and a row for each strategy.
func addEarlier(all []Earlier, mode, title, whole string, changes []bench.Change, names []string) []Earlier {
	t := table{Head: []string{"strategy"}}
	var kept []string
	for _, name := range names {
		at := slices.IndexFunc(changes, func(c bench.Change) bool { return c.Name == name && c.Missing == mode })
		if at < 0 {
			continue
		}
		head := text(name)
		if name == allTasks && whole != "" {
			head = whole
		}
		if whole != "" {
			head += " (" + count(changes[at].Tasks, "task") + ")"
		}
		kept, t.Head = append(kept, name), append(t.Head, head)
	}
	var rows []string // strategies, in order of appearance
	for _, c := range changes {
		if c.Missing == mode && slices.Contains(kept, c.Name) && !slices.Contains(rows, c.Strategy) {
			rows = append(rows, c.Strategy)
		}
	}
	for _, strategy := range rows {
		row := []string{code(strategy)}
		for _, name := range kept {
			cell := none
			if c, ok := change(changes, name, mode, strategy); ok {
				cell = share(c.Before) + " → " + share(c.Now) + ", " + within(c.Difference, c.Low, c.High, difference)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return all
	}
	return append(all, Earlier{mode, title, t})
}

func change(all []bench.Change, name, mode, strategy string) (bench.Change, bool) {
	at := slices.IndexFunc(all, func(c bench.Change) bool { return c.Name == name && c.Missing == mode && c.Strategy == strategy })
	if at < 0 {
		return bench.Change{}, false
	}
	return all[at], true
}

// changeSentences say how the strategy that crawls use changed over the groups.
func (v *view) changeSentences(mode string) []string {
	var all []string
	for _, g := range slices.Backward(v.groups(mode)) {
		if v.Before == nil {
			break
		}
		if c, ok := change(v.Before.Groups, g.Group, mode, strategies.Best); ok {
			p := bench.Pair{Difference: c.Difference, Low: c.Low, High: c.High}
			where := "the " + count(c.Tasks, "task") + " that the earlier run also measured"
			if g.Group != allTasks {
				where += " in " + g.title()
			}
			all = append(all, fmt.Sprintf("Over %s, %s: %s had %s of the oracle's area then and has %s now; the paired difference is %s: %s.", where,
				missingShort(mode), code(strategies.Best), share(c.Before), share(c.Now), within(p.Difference, p.Low, p.High, difference), verdict(p)))
		}
	}
	return all
}

// NewTasks are the tasks that the earlier result lacks, and OtherTasks those that it measured with other settings.
func (v *view) NewTasks() []string   { return texts(v.Before.New) }
func (v *view) OtherTasks() []string { return texts(v.Before.Other) }

func texts(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, text(name))
	}
	return all
}
