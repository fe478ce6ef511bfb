package main

import (
	"fmt"
	"math"
)

// counterparts says which step of the baseline does the work of a stage. Of several steps that do the same, the fastest
// counts. A stage that is not named here has no counterpart.
var counterparts = []struct {
	stage string
	steps []string
}{
	{"text", []string{"tfidf"}},
	{"space", []string{"svd-arpack", "svd-randomized"}},
	{"clusters", []string{"kmeans"}},
}

// logistic are the stages that train a logistic regression, and the baseline's.
var (
	logistic      = []string{"soft", "emission", "judge"}
	theirLogistic = []string{"logistic-states", "logistic-useful"}
)

// compare sets the stages beside the baseline's steps, and sums up those that both have.
func compare(stages []stage, steps []step) []compared {
	var all []compared
	sum := compared{Ours: "together", Theirs: "together"}
	add := func(ours, theirs string, a, b float64) {
		if a == 0 || b == 0 {
			return
		}
		all = append(all, compared{ours, theirs, a, b, a / b})
		sum.Seconds += a
		sum.Sklearn += b
	}
	for _, c := range counterparts {
		theirs, name := math.Inf(1), ""
		for _, s := range c.steps {
			if t := seconds(steps, s); t > 0 && t < theirs {
				theirs, name = t, s
			}
		}
		if name != "" {
			add(c.stage, name, stageSeconds(stages, c.stage), theirs)
		}
	}
	var ours, theirs float64
	for _, name := range logistic {
		ours += stageSeconds(stages, name)
	}
	for _, name := range theirLogistic {
		theirs += seconds(steps, name)
	}
	add("soft emission and judge", fmt.Sprint(theirLogistic), ours, theirs)
	if sum.Ratio = sum.Seconds / sum.Sklearn; len(all) > 0 {
		all = append(all, sum)
	}
	return all
}

func seconds(steps []step, name string) float64 {
	for _, s := range steps {
		if s.Name == name {
			return s.Seconds
		}
	}
	return 0
}

func stageSeconds(stages []stage, name string) float64 {
	for _, s := range stages {
		if s.Name == name {
			return s.Seconds
		}
	}
	return 0
}
