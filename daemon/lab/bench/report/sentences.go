package report

import (
	"fmt"
	"strings"

	"nightjar/daemon/lab/bench"
)

// paper is the strategy with the model of [HMM].
const paper = "hmm"

// verdict interprets the interval of a difference.
func verdict(p bench.Pair) string {
	switch {
	case p.Low == p.High:
		return "there is no interval, so chance cannot be ruled out"
	case p.Low > 0:
		return "the interval lies above 0"
	case p.High < 0:
		return "the interval lies below 0"
	}
	return "the interval holds 0, so these runs do not tell the two apart"
}

// called is a group's name in a sentence.
func (g *group) called() string {
	if g.Group == allTasks || g.Group == "" {
		return "all " + count(len(g.results), "task")
	}
	return text(g.Group) + " (" + count(len(g.results), "task") + ")"
}

// Short is the summary, a few sentences for each way of counting missing pages.
func (v *view) Short() []string {
	var all []string
	for _, mode := range v.modes {
		groups := v.groups(mode)
		for i := len(groups) - 1; i >= 0; i-- { // all tasks first
			all = append(all, groups[i].ranking(mode))
		}
		if len(groups) > 0 {
			all = append(all, groups[len(groups)-1].paperSentence(mode)...)
		}
	}
	return all
}

// ranking says which strategy is best in a group, and by how much.
func (g *group) ranking(mode string) string {
	names := g.names()
	if len(names) == 0 {
		return "Over " + g.called() + " no strategy ran in every task."
	}
	m, _ := g.of(names[0])
	s := fmt.Sprintf("Over %s, %s: %s reaches %s of the oracle's area", g.called(), missingShort(mode), code(names[0]), within(m.AreaVsOracle, m.Low, m.High, share))
	if len(names) == 1 {
		return s + "."
	}
	next, _ := g.of(names[1])
	s += fmt.Sprintf(", the most of %d strategies. Next is %s with %s", len(names), code(names[1]), within(next.AreaVsOracle, next.Low, next.High, share))
	if p, ok := pair(g.Pairs, names[0], names[1]); ok {
		s += fmt.Sprintf("; the paired difference is %s: %s", within(p.Difference, p.Low, p.High, difference), verdict(p))
	}
	return s + "."
}

// paperSentence says in how many tasks it is behind the best one, and by how much; nil when it did not run.
func (g *group) paperSentence(mode string) []string {
	behind, ran, sum := 0, 0, 0.0
	for _, r := range g.results {
		s := strategy(r, paper)
		if s == nil || len(r.Strategies) < 3 {
			continue
		}
		ran++
		if gap := strategy(r, best(r.Strategies)).AreaVsOracle - s.AreaVsOracle; gap > 0 {
			behind++
			sum += gap
		}
	}
	if ran == 0 {
		return nil
	}
	s := fmt.Sprintf("The model of the paper, %s, %s, is behind the best strategy of the task in %d of %d tasks", code(paper), missingShort(mode), behind, ran)
	if behind > 0 {
		s += ", there by " + share(sum/float64(behind)) + " of the oracle's area on average"
	}
	return []string{s + "."}
}

// LookedAt and NotLookedAt are the tasks that were, or were not, used while settings were chosen.
func (v *view) LookedAt() []string    { return v.namesOf(true) }
func (v *view) NotLookedAt() []string { return v.namesOf(false) }

func (v *view) namesOf(looked bool) []string {
	var names []string
	for _, t := range v.tasks {
		if t.results[0].LookedAt == looked {
			name := text(t.Name)
			if t.Group != "" {
				name += " (" + text(t.Group) + ")"
			}
			names = append(names, name)
		}
	}
	return names
}

// Apart holds, for each way of counting, the means over the tasks of NotLookedAt and of LookedAt.
func (v *view) Apart() []Apart {
	var all []Apart
	for _, mode := range v.modes {
		groups := v.groups(mode)
		g := groups[len(groups)-1]
		if t, ok := g.apart(mode); ok {
			all = append(all, Apart{Mode: mode, Title: g.called(), Table: t})
		}
	}
	return all
}

// Apart is the table for one way of counting missing pages.
type Apart struct {
	Mode, Title string
	Table       table
}

// apart is the table of the means over a group's tasks that were looked at, and over the others.
func (g *group) apart(mode string) (t table, ok bool) {
	parts := map[bool][]*bench.Result{}
	for _, r := range g.results {
		parts[r.LookedAt] = append(parts[r.LookedAt], r)
	}
	if len(parts[false]) == 0 || len(parts[true]) == 0 {
		return t, false
	}
	unseen, seen := newGroup(g.Group, mode, parts[false]), newGroup(g.Group, mode, parts[true])
	first := unseen.leader()
	t.Head = []string{"strategy", "not looked at", "looked at", strings.TrimSpace(code(first) + " less, not looked at")}
	for _, name := range unseen.names() {
		row := []string{code(name)}
		for _, part := range []group{unseen, seen} {
			cell := none
			if m, ok := part.of(name); ok {
				cell = within(m.AreaVsOracle, m.Low, m.High, share)
				if name == part.leader() {
					cell = "**" + cell + "**"
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, append(row, pairCell(unseen.Pairs, first, name)))
	}
	return t, true
}
