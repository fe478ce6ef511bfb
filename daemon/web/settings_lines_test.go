package web

import (
	"slices"
	"testing"
)

// TestLines: a list that was pasted from a file has the same entries with a byte order mark and the line ends of Windows.
func TestLines(t *testing.T) {
	want := []string{"a.test", "b.test", "c.test"}
	for _, text := range []string{"a.test\nb.test\nc.test", "\ufeffa.test\r\nb.test\r\nc.test\r\n", "a.test, b.test\tc.test"} {
		if got := lines(text); !slices.Equal(got, want) {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
