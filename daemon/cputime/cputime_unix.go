//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Spent is the time that all processors spent on this process; 0 when the system does not tell.
func Spent() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
