//go:build unix

package cli

import "syscall"

// privateFiles makes every file that the process creates readable by its owner alone.
func privateFiles() { syscall.Umask(0o077) }
