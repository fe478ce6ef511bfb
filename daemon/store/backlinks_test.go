package store

import (
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/db/plans"
)

// TestBackOfUsesIndexes: looking for the pages that link to a page reads no whole table.
func TestBackOfUsesIndexes(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, step := range plans.FullScans(t, s.Readers, backOf, "http://a.test/", 9) {
		if !strings.HasPrefix(step, "SCAN l") { // of the pages that link to one
			t.Error(step)
		}
	}
}
