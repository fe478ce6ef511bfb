//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// stayInBackground makes a read of the terminal fail where a shell runs this program in the background. It would stop the program.
func stayInBackground() { signal.Ignore(syscall.SIGTTIN) }
