package erasing

import (
	"os"
	"testing"

	"nightjar/daemon/lab/alone"
)

func TestMain(m *testing.M) { os.Exit(alone.Tests(m).Run()) }
