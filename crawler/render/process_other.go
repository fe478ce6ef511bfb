//go:build !unix

package render

import (
	"os"
	"os/exec"
	"time"
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

// waited is unknown here: time in which the browser waits for a processor counts as any other.
func waited(int) time.Duration { return 0 }
