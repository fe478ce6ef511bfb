//go:build unix && !linux

package render

import (
	"os/exec"
	"syscall"
	"time"
)

// ownGroup gives the browser a process group, so that its children die with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may have ended

// memory is unknown here: only the browser's own limit for scripts applies.
func memory(int) int64 { return 0 }

// waited is unknown here: time in which the browser waits for a processor counts as any other.
func waited(int) time.Duration { return 0 }
