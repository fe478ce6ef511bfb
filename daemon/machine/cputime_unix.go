//go:build unix

package machine

import (
	"syscall"
	"time"
)

// CPUTime is the time that all processors spent on this process; 0 when the system does not tell.
func CPUTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
