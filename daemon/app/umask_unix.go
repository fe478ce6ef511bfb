//go:build unix

package app

import "syscall"

// PrivateFiles makes every file that the process creates readable by its owner alone.
func PrivateFiles() { syscall.Umask(0o077) }
