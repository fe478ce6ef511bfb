package safekeeping

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustVisit records a session with a page so long that the end of the file holds nothing else.
func mustVisit(t *testing.T, st *store.Store) {
	t.Helper()
	m := sessiontest.NewMaker(1, time.Date(2026, 11, 19, 20, 0, 0, 0, time.UTC))
	random := rand.New(rand.NewPCG(1, 1))
	var page strings.Builder
	for page.Len() < 300_000 {
		fmt.Fprintf(&page, "<p>%x", random.Uint64())
	}
	start, visit := m.Start("Curling"), m.Visit("http://a.example.org/", "Curling", "typed", "")
	for _, said := range []protocol.Event{start, visit, m.Snapshot(visit.Page, []byte(page.String()))} {
		e, err := session.Admit(said, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sessions.Ingest(t.Context(), st, []session.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSaveCut: of a file that was cut, what is left is saved; the file stays as it is. Of a text, nothing can be saved, and
// nothing is left of the try.
func TestSaveCut(t *testing.T) {
	path := storetest.Path(t)
	dir := filepath.Dir(path)
	st, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	mustVisit(t, st)
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := whole[:len(whole)-2*4096-100]
	if err := os.WriteFile(path, cut, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(t.Context(), path, dir, time.Now()); err != nil {
		t.Fatal(err)
	}
	all, err := List(dir)
	if err != nil || len(all) != 1 || all[0].Kind != Saved {
		t.Fatalf("%+v, %v", all, err)
	}
	if in, err := backup.Inspect(t.Context(), all[0].Path); err != nil || in.Sessions != 1 {
		t.Errorf("%+v, %v", in, err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, cut) {
		t.Errorf("the damaged file was changed, %v", err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("a text "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(t.Context(), path, dir, time.Now().Add(time.Minute)); err == nil {
		t.Error("a text was saved as a database")
	}
	entries, err := os.ReadDir(Folder(dir))
	if left, _ := filepath.Glob(filepath.Join(dir, "backup-*")); err != nil || len(entries) != 1 || len(left) != 0 {
		t.Errorf("left: %v %q, %v", entries, left, err)
	}
}
