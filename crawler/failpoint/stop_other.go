//go:build failpoints && !unix

package failpoint

import "errors"

// stop asks this process to stop.
func stop() error { return errors.New("this system has no SIGTERM") }
