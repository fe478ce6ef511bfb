//go:build !unix

package render

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup kills the browser; its children end with it.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended
	}
}

// memory is unknown here: only the browser's own limit for scripts applies.
func memory(int) int64 { return 0 }
