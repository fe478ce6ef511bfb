//go:build unix && !linux

package render

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the browser a process group, so that its children die with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may have ended

// memory is unknown here: only the browser's own limit for scripts applies.
func memory(int) int64 { return 0 }
