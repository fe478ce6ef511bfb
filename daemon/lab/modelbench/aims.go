package main

import "fmt"

// What the learner should reach on two cores.
const (
	maxMemory  = 1 << 30 // bytes
	maxScoring = 2       // milliseconds at the median
	maxRatio   = 1       // of our seconds to scikit-learn's
)

// maxSeconds are those of a training without its report, and with it where that is limited.
var maxSeconds = map[int]struct{ without, with float64 }{
	200:  {1, 4},
	700:  {3, 0},
	5000: {30, 0},
}

// aims compares what was measured with what should be reached.
func aims(sizes []*measured) []aim {
	var all []aim
	add := func(value, limit float64, unit, format string, args ...any) {
		all = append(all, aim{Aim: fmt.Sprintf(format, args...), Value: value, Limit: limit, Unit: unit, Met: value <= limit})
	}
	for _, m := range sizes {
		if limit, ok := maxSeconds[m.Size]; ok {
			add(m.Seconds, limit.without, "s", "%d pages without the report", m.Size)
			if limit.with > 0 && len(m.Report) > 0 {
				add(m.Seconds+m.ReportSeconds, limit.with, "s", "%d pages with the report", m.Size)
			}
		}
		add(float64(m.Peak)/(1<<20), maxMemory>>20, "MiB", "%d pages, memory", m.Size)
		add(m.Scoring.Total.Median, maxScoring, "ms", "%d pages, scoring a page", m.Size)
		for _, c := range m.Compare {
			add(c.Ratio, maxRatio, "", "%d pages, %s / %s", m.Size, c.Ours, c.Theirs)
		}
	}
	return all
}
