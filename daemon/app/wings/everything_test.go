package wings

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store/storetest"
)

// results fail as often as the number says.
type results int

func (r *results) Forget(context.Context) error {
	if *r--; *r >= 0 {
		return syscall.ENOSPC
	}
	return nil
}

// TestErasingEverythingGoesOn: after an error, all of it is done again, with what is beside the rows.
func TestErasingEverythingGoesOn(t *testing.T) {
	st := storetest.Open(t)
	storetest.Must(topics.Create(t.Context(), st.DB, "Canary"))(t)
	fails, dir := results(1), filepath.Dir(st.Path())
	e := Everything{Store: st, Dir: dir, Results: &fails}
	if begun, err := e.Resume(t.Context()); begun || err != nil {
		t.Fatalf("nothing was begun: %t, %v", begun, err)
	}
	if err := e.Erase(t.Context()); err == nil || !erasing.AllBegun(st.DB) {
		t.Fatalf("with a full disk: %v", err)
	}
	storetest.OK(t, os.MkdirAll(filepath.Join(dir, "backups"), 0o700))
	begun, err := e.Resume(t.Context())
	topics, terr := topics.List(t.Context(), st.DB)
	_, left := os.Stat(filepath.Join(dir, "backups"))
	if !begun || err != nil || terr != nil || len(topics) > 0 || left == nil || fails != -1 || erasing.AllBegun(st.DB) {
		t.Errorf("%t, %v; topics %v, %v; backups %v, results %d", begun, err, topics, terr, left, fails)
	}
}
