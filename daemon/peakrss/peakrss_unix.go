//go:build unix && !linux

package peakrss

import (
	"runtime"
	"syscall"
)

// Bytes is the most memory this process held so far, in bytes; 0 when the system does not tell.
func Bytes() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(use.Maxrss) << 10
}

// Reset begins the count anew from what the process holds now; it reports false where the system cannot.
func Reset() bool { return false }

// Of is as Bytes for another process that runs; it is not told here.
func Of(int) int64 { return 0 }
