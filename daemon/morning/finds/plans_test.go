package finds

import (
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// record opens a store, and notes its statements from then on.
func record(tb testing.TB) (*store.Store, map[string][]any) {
	return plans.Record(tb, &db.Driver, storetest.Open)
}
