package scheduler

import (
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// TestStoredPageUsesIndexes: start pages are read while a person waits, whatever is stored.
func TestStoredPageUsesIndexes(t *testing.T) {
	all := map[string][]any{fetchedPage: {1, "http://ice.test/"}, visitedPage: {"http://ice.test/"}}
	plans.NoFullScans(t, storetest.Open(t).Readers, all, "SCAN CONSTANT")
}
