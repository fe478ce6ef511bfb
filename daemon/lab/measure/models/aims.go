package models

import (
	"fmt"

	"nightjar/daemon/lab/devtool"
)

// Aims for two cores.
const (
	maxMemory = 1 << 30 // bytes
	maxRatio  = 1       // our seconds / scikit-learn's, and our memory / scikit-learn's
)

// maxSeconds limits a training of so many pages without its report and, unless 0, with it.
var maxSeconds = map[int]struct{ without, with float64 }{
	200:  {1, 4},
	700:  {3, 0},
	5000: {30, 0},
}

// aims compares the measured values with the aims.
func aims(sizes []*measured) []devtool.Aim {
	var all []devtool.Aim
	add := func(value, limit float64, unit, format string, args ...any) {
		all = append(all, devtool.AtMost(fmt.Sprintf(format, args...), value, limit, unit))
	}
	for _, m := range sizes {
		if limit, ok := maxSeconds[m.Size]; ok {
			add(m.Seconds, limit.without, "s", "%d pages without the report", m.Size)
			if limit.with > 0 && len(m.Report) > 0 {
				add(m.Seconds+m.ReportSeconds, limit.with, "s", "%d pages with the report", m.Size)
			}
		}
		add(float64(m.Peak)/(1<<20), maxMemory>>20, "MiB", "%d pages, memory", m.Size)
		if m.Sklearn != nil {
			add(float64(m.Peak)/float64(m.Sklearn.Peak), maxRatio, "", "%d pages, memory / scikit-learn's", m.Size)
		}
		for _, c := range m.Compare {
			add(c.Ratio, maxRatio, "", "%d pages, %s / %s", m.Size, c.Ours, c.Theirs)
		}
	}
	return all
}
