package store

import (
	"testing"

	"nightjar/daemon/db/plans"
)

// TestMaybeScansNoTable: no statement that renews the list of a topic reads a growing table whole.
func TestMaybeScansNoTable(t *testing.T) {
	plans.NoFullScans(t, open(t).Readers, map[string][]any{
		insertMaybe: {1, 4, maybeOfCrawl, maybeLeast},
		dropMaybe:   {1, maybeCrawls},
	})
}
