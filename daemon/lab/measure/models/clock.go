package models

import (
	"runtime/debug"
	"slices"
	"time"

	"nightjar/daemon/machine"
)

// clock measures the stages that a training reports. A stage lasts from its report to that of the next stage; the first one
// starts with the clock. A stage that is reported several times is summed.
type clock struct {
	stages []*stage // in the order of their first reports
	now    *stage   // the current one, nil before the first report
	since  time.Time
	spent  time.Duration // processor time until since
	began  time.Time
}

// newClock starts to measure. Earlier garbage does not count as memory.
func newClock() *clock {
	debug.FreeOSMemory()
	machine.ResetPeakMemory()
	now := time.Now()
	return &clock{since: now, spent: machine.CPUTime(), began: now}
}

// reach starts a stage, unless it is the current one.
func (c *clock) reach(name string) {
	if c.now != nil && c.now.Name == name {
		return
	}
	c.leave()
	i := slices.IndexFunc(c.stages, func(s *stage) bool { return s.Name == name })
	if i < 0 {
		i = len(c.stages)
		c.stages = append(c.stages, &stage{Name: name})
	}
	c.now = c.stages[i]
}

// leave adds the time since the last change, and the memory, to the current stage.
func (c *clock) leave() {
	if c.now == nil {
		return // it counts to the first stage
	}
	now, spent := time.Now(), machine.CPUTime()
	c.now.Seconds += now.Sub(c.since).Seconds()
	c.now.CPU += (spent - c.spent).Seconds()
	c.now.Peak = max(c.now.Peak, machine.PeakMemory())
	machine.ResetPeakMemory()
	c.since, c.spent = now, spent
}

// end returns the stages, the total seconds, and the largest memory of any stage.
func (c *clock) end() (stages []stage, seconds float64, peak int64) {
	c.leave()
	for _, s := range c.stages {
		stages = append(stages, *s)
		peak = max(peak, s.Peak)
	}
	return stages, time.Since(c.began).Seconds(), peak
}
