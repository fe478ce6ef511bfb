package app

import (
	"testing"

	"go.uber.org/goleak"

	"nightjar/daemon/lab/alone"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(alone.Tests(m)) }
