package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/lab/bench"
	"nightjar/model/measure"
)

// taught is the effect of feedback on one strategy over some tasks.
type taught struct {
	where         string // group or task
	strategy      string
	feedback      string
	tasks         int
	without, with []float64 // shares of the oracle's area for the same tasks and seeds
	marks         int       // per crawl, summed over tasks
}

// change is the paired difference made by feedback.
func (f *taught) change() bench.Pair {
	d := measure.Difference(f.with, f.without, source()).Within(-1, 1)
	return bench.Pair{A: f.strategy + withFeedback + f.feedback, B: f.strategy, Difference: d.Value, Low: d.Low, High: d.High}
}

// taughtGroups is the effect of feedback over each group and, if there are several, over all tasks.
func (v *view) taughtGroups(mode string) []*taught {
	var all []*taught
	for _, g := range v.groups(mode) {
		for _, t := range v.tasks {
			plain := t.result(mode)
			if g.Group != allTasks && t.Group != g.Group || plain == nil {
				continue
			}
			for _, with := range t.taught(mode) {
				all = add(all, g.title(), plain, with)
			}
		}
	}
	return all
}

// add adds a task's strategies with feedback to the entries for where.
func add(all []*taught, where string, plain, with *bench.Result) []*taught {
	for i := range with.Strategies {
		s := &with.Strategies[i]
		before := strategy(plain, s.Name)
		if s.Name == oracle || before == nil {
			continue
		}
		a, b := bench.SameSeeds(plain, with, before, s)
		if len(a) == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(f *taught) bool {
			return f.where == where && f.strategy == s.Name && f.feedback == with.Feedback
		})
		if at < 0 {
			at = len(all)
			all = append(all, &taught{where: where, strategy: s.Name, feedback: with.Feedback})
		}
		f := all[at]
		f.without, f.with = append(f.without, a...), append(f.with, b...)
		f.marks += s.Marks
		f.tasks++
	}
	return all
}

// taughtSentences describe the effect of feedback, one sentence per strategy.
func (v *view) taughtSentences(mode string) []string {
	var told []string // strategy and feedback
	var sentences []string
	all := v.taughtGroups(mode)
	for _, f := range all {
		name := f.strategy + withFeedback + f.feedback
		if slices.Contains(told, name) {
			continue
		}
		told = append(told, name)
		var parts []string
		for _, g := range all {
			if g.strategy == f.strategy && g.feedback == f.feedback {
				p := g.change()
				parts = append(parts, fmt.Sprintf("over %s (%s) by %s, %s", g.where, count(g.tasks, "task"), within(p.Difference, p.Low, p.High, difference), verdict(p)))
			}
		}
		sentences = append(sentences, fmt.Sprintf("Feedback %s, %s, changes the share of %s: %s.", text(f.feedback), missingShort(mode), code(f.strategy), strings.Join(parts, "; ")))
	}
	return sentences
}

// Feedback is the table of results with and without feedback, with a row per group and strategy, then one per task. It has
// no rows when nothing ran with feedback.
func (v *view) Feedback() table {
	t := table{Head: []string{"over", "missing pages", "strategy", "feedback", "without", "with", "difference", "marks given"}}
	for _, mode := range v.modes {
		all := v.taughtGroups(mode)
		for _, task := range v.tasks {
			if plain := task.result(mode); plain != nil {
				for _, with := range task.taught(mode) {
					all = add(all, text(task.Name), plain, with)
				}
			}
		}
		for _, f := range all {
			p := f.change()
			before, after := measure.Mean(f.without, source()).Within(0, 1), measure.Mean(f.with, source()).Within(0, 1)
			t.Rows = append(t.Rows, []string{f.where, text(mode), code(f.strategy), text(f.feedback), within(before.Value, before.Low, before.High, share),
				within(after.Value, after.Low, after.High, share), within(p.Difference, p.Low, p.High, difference), strconv.Itoa((f.marks + f.tasks/2) / f.tasks)})
		}
	}
	return t
}
