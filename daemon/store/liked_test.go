package store

import (
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
)

// TestForgetLikedScansNoTable: forgetting a page that finds are like reads no table of finds whole.
func TestForgetLikedScansNoTable(t *testing.T) {
	s, all := record(t)
	clear(all)
	ok(t, s.Commit(t.Context(), func(w *db.Work) { ForgetLiked(w, "u") }))
	plans.NoFullScans(t, s.Readers, all)
}
