//go:build !unix

package machine

import "time"

// CPUTime is the time that all processors spent on this process; 0 where the system does not tell.
func CPUTime() time.Duration { return 0 }
