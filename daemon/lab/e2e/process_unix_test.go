//go:build unix

package e2e

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a browser a process group, so that its children die with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
