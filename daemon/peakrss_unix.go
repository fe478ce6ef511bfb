//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakRSS is the most memory this process held so far, in bytes; 0 when the system does not tell.
func peakRSS() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(use.Maxrss) << 10
}
