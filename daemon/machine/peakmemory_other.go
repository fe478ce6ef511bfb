//go:build !unix

package machine

// PeakMemory is the most memory this process held so far, in bytes; 0 where the system does not tell.
func PeakMemory() int64 { return 0 }

// ResetPeakMemory begins the count anew from what the process holds now; it reports false where the system cannot.
func ResetPeakMemory() bool { return false }

// PeakMemoryOf is like PeakMemory for another process that runs; it is not told here.
func PeakMemoryOf(int) int64 { return 0 }
