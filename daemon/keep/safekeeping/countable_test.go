package safekeeping

import (
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// TestLastEventReadsOneRow: events are read in the order of their numbers.
func TestLastEventReadsOneRow(t *testing.T) {
	for _, step := range plans.FullScans(t, storetest.Open(t).Readers, lastEvent) {
		if step != "SCAN events" {
			t.Error(step)
		}
	}
}
