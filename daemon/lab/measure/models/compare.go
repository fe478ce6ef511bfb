package models

import (
	"slices"
	"strings"
)

// counterparts says which steps of the baseline do the work of which stages. Of alternative steps the fastest counts; several
// stages or steps for one piece of work are summed. Other stages have no counterpart.
var counterparts = []struct {
	name   string
	stages []string
	steps  [][]string // lists of alternatives
}{
	{"text", []string{"text"}, [][]string{{"tfidf"}, {"count-background"}}},
	{"space", []string{"space"}, [][]string{{"svd-arpack", "svd-randomized"}, {"log-tf"}}},
	{"clusters", []string{"clusters"}, [][]string{{"kmeans"}}},
	{"words", []string{"words"}, [][]string{{"logistic-states"}}},
	{"judge", []string{"judge"}, [][]string{{"logistic-calibrated"}}},
}

// compare relates the stages to the baseline's steps, and sums up those that have a counterpart.
func compare(stages []stage, steps []step) []compared {
	var all []compared
	var ours, theirs step
	for _, c := range counterparts {
		own, other := stagesOf(stages, c.stages), stepsOf(steps, c.steps)
		if own.Seconds == 0 || other.Seconds == 0 {
			continue
		}
		own.Name = c.name
		all = append(all, beside(own, other))
		ours = step{"together", ours.Seconds + own.Seconds, ours.CPU + own.CPU}
		theirs = step{"together", theirs.Seconds + other.Seconds, theirs.CPU + other.CPU}
	}
	if len(all) > 0 {
		all = append(all, beside(ours, theirs))
	}
	return all
}

func beside(ours, theirs step) compared {
	c := compared{Ours: ours.Name, Theirs: theirs.Name, Seconds: ours.Seconds, Sklearn: theirs.Seconds, Ratio: ours.Seconds / theirs.Seconds}
	if theirs.CPU > 0 {
		c.CPU = ours.CPU / theirs.CPU
	}
	return c
}

// stagesOf sums up the named stages.
func stagesOf(stages []stage, names []string) step {
	var sum step
	for _, s := range stages {
		if slices.Contains(names, s.Name) {
			sum.Seconds += s.Seconds
			sum.CPU += s.CPU
		}
	}
	return sum
}

// stepsOf sums up the fastest step of each list of names; it is zero when one list has no step.
func stepsOf(steps []step, lists [][]string) step {
	var sum step
	var names []string
	for _, list := range lists {
		var best *step
		for i, s := range steps {
			if slices.Contains(list, s.Name) && (best == nil || s.Seconds < best.Seconds) {
				best = &steps[i]
			}
		}
		if best == nil {
			return step{}
		}
		names = append(names, best.Name)
		sum.Seconds += best.Seconds
		sum.CPU += best.CPU
	}
	sum.Name = strings.Join(names, " + ")
	return sum
}
