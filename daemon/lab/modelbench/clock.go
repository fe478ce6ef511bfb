package main

import (
	"runtime/debug"
	"slices"
	"time"

	"nightjar/daemon/machine"
)

// clock measures the stages that a long work reports, by what it reports: it knows no stage beforehand. A stage lasts
// from its first report to that of the next, the first one from the clock's beginning. Stages that take turns are summed.
type clock struct {
	stages []*stage // in the order of their first reports
	now    *stage   // the one under way, nil before the first report
	since  time.Time
	spent  time.Duration // processor time until since
	began  time.Time
}

// newClock begins to measure. What was garbage before does not count to the memory.
func newClock() *clock {
	debug.FreeOSMemory()
	machine.ResetPeakMemory()
	now := time.Now()
	return &clock{since: now, spent: machine.CPUTime(), began: now}
}

// reach notes that the work is in a stage.
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

// leave counts the time since the last change, and the memory, to the stage under way.
func (c *clock) leave() {
	if c.now == nil {
		return // the first stage has it all
	}
	now, spent := time.Now(), machine.CPUTime()
	c.now.Seconds += now.Sub(c.since).Seconds()
	c.now.CPU += (spent - c.spent).Seconds()
	c.now.Peak = max(c.now.Peak, machine.PeakMemory())
	machine.ResetPeakMemory()
	c.since, c.spent = now, spent
}

// end ends the work: its stages, all seconds, and the most memory of any stage.
func (c *clock) end() (stages []stage, seconds float64, peak int64) {
	c.leave()
	for _, s := range c.stages {
		stages = append(stages, *s)
		peak = max(peak, s.Peak)
	}
	return stages, time.Since(c.began).Seconds(), peak
}
