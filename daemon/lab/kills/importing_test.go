package kills

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// TestImporting ends the daemon while "nightjar import" hands it a session file, and again while the next start finishes that. At
// each moment, a person sees all sessions of the file or none. A decided import is finished without a further word, and a second
// import stores the file once.
func TestImporting(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	b := newBrowser()
	events := slices.Concat(browse(0, b.who.Client, topic), browse(1, b.who.Client, topic), browse(2, b.who.Client, topic))
	file := sessionFile(t, events)
	random := rand.New(rand.NewPCG(10, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), placesOf(importing), func(t *testing.T, place string) {
		pass, again := 1, 1
		if place == "store.import.event" || place == "store.import.staged" {
			mu.Lock()
			pass, again = 1+random.IntN(len(events)), 1+random.IntN(len(events))
			mu.Unlock()
		}
		data := filepath.Join(t.TempDir(), "data")
		b.pair(t, data)
		l := serve(t, at(place, pass), data)
		if l.ready() {
			run(t, plan{}, "import", file, "--data", data).end()
		}
		l.dies()
		decided := wholeImport(t, data, len(events))
		if decided {
			l = serve(t, at("store.import.event", again), data)
			l.diesOr(func() bool { return !unfinished(t, data) })
			wholeImport(t, data, len(events))
		}
		l = mustServe(t, data)
		for begin := time.Now(); unfinished(t, data) && time.Since(begin) < patience; {
			time.Sleep(pause(begin))
		}
		if decided && !wholeImport(t, data, len(events)) {
			t.Error("a decided import was given up")
		}
		second := run(t, plan{}, "import", file, "--data", data)
		second.end()
		if code := second.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("the second import: %s", second.out)
		}
		l.stop()
		db := look(t, database(data))
		defer db.Close()
		ids := make([]string, len(events))
		for i, e := range events {
			ids[i] = e.ID
		}
		slices.Sort(ids)
		same(t, fmt.Sprint("events after the second import, ended at ", place), lines(t, db, "SELECT id FROM events ORDER BY 1"), ids)
		if n := count(t, db, "SELECT (SELECT count(*) FROM import_events) + (SELECT count(*) FROM sessions WHERE importing)"); n > 0 {
			t.Errorf("%d rows of the imports are left", n)
		}
	})
}

// unfinished reports whether an import has still to take effect.
func unfinished(t *testing.T, data string) bool {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return count(t, db, "SELECT count(*) FROM settings WHERE key = 'import'") > 0
}

// wholeImport checks that what reads the database sees all sessions of an import of n events, or none of them, and reports whether
// the import is decided.
func wholeImport(t *testing.T, data string, n int) (decided bool) {
	t.Helper()
	sound(t, database(data))
	waits := unfinished(t, data)
	st, err := store.Look(t.Context(), database(data))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := sessions.List(t.Context(), st.DB)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, s := range all {
		steps, err := sessions.Steps(t.Context(), st.DB, s.ID)
		if err != nil {
			t.Fatal(err)
		}
		seen += len(steps)
	}
	if seen != 0 && seen != n {
		t.Errorf("%d of %d events are seen", seen, n)
	}
	return waits || seen > 0
}
