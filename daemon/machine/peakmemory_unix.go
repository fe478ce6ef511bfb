//go:build unix && !linux

package machine

import (
	"runtime"
	"syscall"
)

// PeakMemory is the most memory this process held so far, in bytes; 0 when the system does not tell.
func PeakMemory() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(use.Maxrss) // bytes there, kilobytes elsewhere
	}
	return int64(use.Maxrss) << 10
}

// ResetPeakMemory begins the count anew from what the process holds now; it reports false where the system cannot.
func ResetPeakMemory() bool { return false }

// PeakMemoryOf is like PeakMemory for another process that runs; it is not told here.
func PeakMemoryOf(int) int64 { return 0 }
