//go:build failpoints && unix

package failpoint

import "syscall"

// stop asks this process to stop.
func stop() error { return syscall.Kill(syscall.Getpid(), syscall.SIGTERM) }
