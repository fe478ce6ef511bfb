package reached

import (
	"testing"

	"nightjar/daemon/db/plans"
	"nightjar/daemon/store/storetest"
)

// TestStatementsUseIndexes: the counts are read while a person waits, whatever is stored.
func TestStatementsUseIndexes(t *testing.T) {
	plans.NoFullScans(t, storetest.Open(t).Readers, map[string][]any{topicSteps: {1}, leadsMark: {1}}, "SCAN way")
}
