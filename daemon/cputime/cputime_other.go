//go:build !unix

package cputime

import "time"

// Spent is the time that all processors spent on this process; 0 where the system does not tell.
func Spent() time.Duration { return 0 }
