// Package effort says how much the costly tests with random input try: little under -short, some in task test, and much in
// task test:nightly, which sets NIGHTJAR_NIGHTLY.
package effort

import (
	"os"
	"testing"
)

// Nightly reports whether the tests may take hours.
func Nightly() bool { return os.Getenv("NIGHTJAR_NIGHTLY") != "" }

// Seeds is the number of random sequences that a test tries: 40 at night, otherwise 4, or 1 under -short. A test that also
// requires its sequences to cover rare cases can do so only where Thorough is true.
func Seeds() int {
	switch {
	case Nightly():
		return 40
	case testing.Short():
		return 1
	}
	return 4
}

// Thorough reports whether Seeds are enough for rare cases to occur.
func Thorough() bool { return Seeds() > 1 }

// AtNight skips a test except at night. It is for tests that take minutes and rarely find what quicker ones miss.
func AtNight(t *testing.T) {
	t.Helper()
	if !Nightly() {
		t.Skip("runs at night: task test:nightly")
	}
}

// Long leaves a test that takes seconds out under -short.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}
