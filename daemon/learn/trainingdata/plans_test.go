package trainingdata

import (
	"strings"
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// TestExamplesUseIndexes: looking for the sessions that visited pages reads no whole table.
func TestExamplesUseIndexes(t *testing.T) {
	s := storetest.Open(t)
	plans.NoFullScans(t, s.Readers, map[string][]any{sessionsThatVisited: {`["http://a.test/"]`}})
	for _, step := range plans.FullScans(t, s.Readers, positivePages, 1) {
		if !strings.HasPrefix(step, "SCAN p") {
			t.Error(step)
		}
	}
}
