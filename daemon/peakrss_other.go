//go:build !unix

package main

// peakRSS is the most memory this process held so far, in bytes; 0 where the system does not tell.
func peakRSS() int64 { return 0 }
