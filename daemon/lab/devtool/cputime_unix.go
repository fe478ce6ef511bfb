//go:build unix

package devtool

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time of this process; 0 when the system does not report it.
func CPUTime() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
