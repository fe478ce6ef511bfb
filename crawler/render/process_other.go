//go:build !unix

package render

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup kills the browser; its children end when they lose it.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone
	}
}

// memory is not known here: the browser's own limit for scripts must do.
func memory(int) int64 { return 0 }
