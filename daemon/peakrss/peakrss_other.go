//go:build !unix

package peakrss

// Bytes is the most memory this process held so far, in bytes; 0 where the system does not tell.
func Bytes() int64 { return 0 }

// Reset begins the count anew from what the process holds now; it reports false where the system cannot.
func Reset() bool { return false }

// Of is as Bytes for another process that runs; it is not told here.
func Of(int) int64 { return 0 }
