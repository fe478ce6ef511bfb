package bench

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"nightjar/model/measure"
)

// Before compares a suite's result with an earlier one: every strategy with itself, on the tasks that both measured with the
// same settings and on the seeds that both have. Results with feedback are left out.
type Before struct {
	GoVersion string   `json:"go_version"` // of the earlier result
	Groups    []Change `json:"groups"`     // means over the tasks compared; AllTasks is the last for each way of counting
	Tasks     []Change `json:"tasks"`
	New       []string `json:"new"`   // tasks that the earlier result lacks
	Other     []string `json:"other"` // tasks that it measured with other settings: "NAME: WHAT"
}

// Change is how a strategy's share of the oracle's area changed, on the same seeds of the same tasks.
type Change struct {
	Name       string  `json:"name"` // of the task or group
	Missing    string  `json:"missing"`
	Strategy   string  `json:"strategy"`
	Tasks      int     `json:"tasks"`
	Before     float64 `json:"before"`
	Now        float64 `json:"now"`
	Difference float64 `json:"difference"` // Now - Before, with its interval over the pairs of task and seed
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
}

// Compare sets Before. It fails when the earlier result has no task of this one.
func (s *SuiteResult) Compare(earlier *SuiteResult) error {
	b := &Before{GoVersion: earlier.GoVersion, Groups: []Change{}, Tasks: []Change{}, New: []string{}, Other: []string{}}
	old, now := withoutFeedback(earlier.Results), withoutFeedback(s.Results)
	b.judge(old, now)
	for _, missing := range []string{Free, Cost} {
		b.compare(missing, under(old, missing), under(now, missing))
	}
	if len(b.Tasks) == 0 {
		return errors.New("it has no task of this suite with the same settings and a seed in common")
	}
	s.Before = b
	return nil
}

func withoutFeedback(results []Result) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Feedback != "" })
}

// judge lists the tasks that cannot be compared.
func (b *Before) judge(old, now []Result) {
	for _, r := range now {
		at := slices.IndexFunc(old, func(o Result) bool { return o.Task == r.Task })
		if at < 0 {
			if !slices.Contains(b.New, r.Task) {
				b.New = append(b.New, r.Task)
			}
			continue
		}
		if why := differ(&old[at], &r); why != "" && !slices.Contains(b.Other, r.Task+": "+why) {
			b.Other = append(b.Other, r.Task+": "+why)
		}
	}
}

// differ says which setting of a task has changed, "" for none.
func differ(old, now *Result) string {
	change := func(what string, a, b any) string { return fmt.Sprintf("%s %v, now %v", what, a, b) }
	switch {
	case !slices.Equal(old.Corpus, now.Corpus):
		return change("recordings", strings.Join(old.Corpus, " "), strings.Join(now.Corpus, " "))
	case old.Relevant != now.Relevant:
		return change("relevant label", old.Relevant, now.Relevant)
	case old.Budget != now.Budget:
		return change("budget", old.Budget, now.Budget)
	case old.DomainCap != now.DomainCap:
		return change("pages per site", old.DomainCap, now.DomainCap)
	case slices.Equal(old.Seeds, now.Seeds) && math.Abs(old.RelevantTotal-now.RelevantTotal) > 1e-6:
		return change("relevant pages in reach", old.RelevantTotal, now.RelevantTotal)
	}
	return ""
}

// compare adds the changes for one way of counting missing pages; old and now have one result of each task.
func (b *Before) compare(missing string, old, now []Result) {
	groups := map[string][]unit{}
	var names []string
	for i := range now {
		r := &now[i]
		at := slices.IndexFunc(old, func(o Result) bool { return o.Task == r.Task })
		if at < 0 || differ(&old[at], r) != "" {
			continue
		}
		units := paired(&old[at], r)
		if r.Missing == missing || old[at].Missing == missing { // otherwise it is the same as with the other way
			b.Tasks = append(b.Tasks, changes(r.Task, missing, units)...)
		}
		for _, name := range unique([]string{r.Group, AllTasks}) {
			if groups[name] == nil && name != "" && name != AllTasks {
				names = append(names, name)
			}
			groups[name] = append(groups[name], units...)
		}
	}
	for _, name := range append(names, AllTasks) {
		b.Groups = append(b.Groups, changes(name, missing, groups[name])...)
	}
}

// unit is a strategy's shares in a task, on the seeds that both results have.
type unit struct {
	strategy string
	old, now []float64
}

// paired are the shares of the strategies that both results of a task have.
func paired(old, now *Result) []unit {
	var all []unit
	for i := range now.Strategies {
		s := &now.Strategies[i]
		at := slices.IndexFunc(old.Strategies, func(o Strategy) bool { return o.Name == s.Name })
		if s.Name == Oracle || at < 0 {
			continue
		}
		if a, b := SameSeeds(old, now, &old.Strategies[at], s); len(a) > 0 {
			all = append(all, unit{s.Name, a, b})
		}
	}
	return all
}

// SameSeeds returns the shares of a strategy of one result and of a strategy of another for the seeds that both results have.
func SameSeeds(one, other *Result, a, b *Strategy) (ofOne, ofOther []float64) {
	for i, seed := range one.Seeds {
		if j := slices.Index(other.Seeds, seed); j >= 0 && i < len(a.PerSeed) && j < len(b.PerSeed) {
			ofOne, ofOther = append(ofOne, a.PerSeed[i]), append(ofOther, b.PerSeed[j])
		}
	}
	return ofOne, ofOther
}

// changes is the change of each strategy over some tasks, in order of appearance. It leaves out strategies that are not in
// all of the tasks, whose means could not be compared with the others'.
func changes(name, missing string, units []unit) []Change {
	var all []Change
	var names []string
	tasks := 0
	count := map[string]int{}
	for _, u := range units {
		names = append(names, u.strategy)
		count[u.strategy]++
		tasks = max(tasks, count[u.strategy])
	}
	for _, strategy := range unique(names) {
		if count[strategy] < tasks {
			continue
		}
		var old, now []float64
		for _, u := range units {
			if u.strategy == strategy {
				old, now = append(old, u.old...), append(now, u.now...)
			}
		}
		d := measure.Difference(now, old, random(strategy, name)).Within(-1, 1)
		all = append(all, Change{
			Name: name, Missing: missing, Strategy: strategy, Tasks: tasks, Before: measure.Mean(old, random()).Value,
			Now: measure.Mean(now, random()).Value, Difference: d.Value, Low: d.Low, High: d.High,
		})
	}
	return all
}
