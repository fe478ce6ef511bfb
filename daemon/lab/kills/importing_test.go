package kills

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestImporting ends the daemon while "nightjar import" hands it a session file. All of the file is stored or nothing, and a
// second import stores it once.
func TestImporting(t *testing.T) {
	t.Parallel()
	b := newBrowser()
	events := slices.Concat(browse(0, b.who.Client, topic), browse(1, b.who.Client, topic), browse(2, b.who.Client, topic))
	file := sessionFile(t, events)
	random := rand.New(rand.NewPCG(10, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), placesOf(importing), func(t *testing.T, place string) {
		mu.Lock()
		pass := 1
		if place == "store.import.event" {
			pass += random.IntN(len(events))
		}
		mu.Unlock()
		data := filepath.Join(t.TempDir(), "data")
		b.pair(t, data)
		l := serve(t, at(place, pass), data)
		if l.ready() {
			run(t, plan{}, "import", file, "--data", data).end()
		}
		l.dies()
		sound(t, database(data))
		db := look(t, database(data))
		if n := count(t, db, "SELECT count(*) FROM events"); n != 0 && n != len(events) {
			t.Errorf("%d of %d events are stored", n, len(events))
		}
		_ = db.Close()
		l = mustServe(t, data)
		again := run(t, plan{}, "import", file, "--data", data)
		again.end()
		if code := again.cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("the second import: %s", again.out)
		}
		l.stop()
		db = look(t, database(data))
		defer db.Close()
		ids := make([]string, len(events))
		for i, e := range events {
			ids[i] = e.ID
		}
		slices.Sort(ids)
		same(t, fmt.Sprint("events after the second import, ended at ", place), lines(t, db, "SELECT id FROM events ORDER BY 1"), ids)
	})
}
