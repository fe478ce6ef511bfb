package crawls

import (
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// TestMaybeScansNoTable: no statement that renews the list of a topic reads a growing table whole.
func TestMaybeScansNoTable(t *testing.T) {
	plans.NoFullScans(t, storetest.Open(t).Readers, map[string][]any{
		insertMaybe: {1, 4, maybeOfCrawl, maybeLeast},
		dropMaybe:   {1, maybeCrawls},
	})
}
