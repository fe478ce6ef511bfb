//go:build unix && !linux

package devtool

import (
	"runtime"
	"syscall"
)

// PeakMemory returns the most memory in bytes that this process has used so far; 0 when the system does not report it.
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

// ResetPeakMemory restarts PeakMemory from the memory in use now. It reports false where the system cannot.
func ResetPeakMemory() bool { return false }
