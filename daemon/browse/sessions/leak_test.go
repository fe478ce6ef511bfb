package sessions

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine is left when the tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
