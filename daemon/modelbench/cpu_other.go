//go:build !unix

package main

import "time"

// cpuTime is the time that all processors spent on this process; 0 where the system does not tell.
func cpuTime() time.Duration { return 0 }
