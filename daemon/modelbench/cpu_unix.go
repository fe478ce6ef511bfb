//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the time that all processors spent on this process; 0 when the system does not tell. On a busy machine it
// says more of the work than the clock on the wall.
func cpuTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
