package app

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) {
	os.Setenv(AsRoot, "1") // in containers, tests run as root
	goleak.VerifyTestMain(m)
}
