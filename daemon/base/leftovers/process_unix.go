//go:build unix

package leftovers

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lives reports whether there is a process with a number.
func lives(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// Ours reports whether a file belongs to the person who runs this process.
func Ours(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(s.Uid) == int64(os.Geteuid())
}
