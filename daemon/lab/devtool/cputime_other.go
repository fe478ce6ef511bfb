//go:build !unix

package devtool

import "time"

// CPUTime returns the processor time of this process; 0 where the system does not report it.
func CPUTime() time.Duration { return 0 }
