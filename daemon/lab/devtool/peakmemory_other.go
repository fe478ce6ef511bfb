//go:build !unix

package devtool

// PeakMemory returns the most memory in bytes that this process has used so far; 0 where the system does not report it.
func PeakMemory() int64 { return 0 }

// ResetPeakMemory restarts PeakMemory from the memory in use now. It reports false where the system cannot.
func ResetPeakMemory() bool { return false }
