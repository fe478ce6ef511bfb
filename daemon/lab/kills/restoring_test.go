package kills

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// TestRestoring ends the program while it puts a backup in place of the data. The next start has the old data or the new, whole,
// and nothing is left over; with the new data, the old one is kept beside it.
func TestRestoring(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	newer := fullFolder(t)
	file := backUp(t, newer)
	want := rowsOf(t, newer)
	older := learned(t, 1, 1)
	had := rowsOf(t, older)
	random := rand.New(rand.NewPCG(7, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), append(placesOf(restoring), atRandom), func(t *testing.T, place string) {
		mu.Lock()
		pass, after := 1, time.Duration(random.IntN(500))*time.Millisecond
		if place == "restore.apply-step" {
			pass += random.IntN(5)
		}
		mu.Unlock()
		data := copyFolder(t, older)
		l := run(t, at(place, pass), "restore", file, "--data", data)
		if place == atRandom {
			time.Sleep(after)
			l.kill()
		}
		l.end()
		if place != atRandom && !l.killed() {
			t.Fatalf("the restore did not come to %s %d times:\n%s", place, pass, l.out)
		}
		mustServe(t, data).stop() // which goes on where the restore stopped
		sound(t, database(data))
		onlyOwnFiles(t, data)
		beside, err := filepath.Glob(data + ".before-*")
		if err != nil {
			t.Fatal(err)
		}
		switch got := rowsOf(t, data); {
		case strings.Join(got, "\n") == strings.Join(want, "\n"):
			if len(beside) != 1 {
				t.Fatalf("the old data is in %v", beside)
			}
			same(t, "the old data", rowsOf(t, beside[0]), had)
			if _, err := os.Stat(filepath.Join(data, "archive")); err != nil {
				t.Error(err)
			}
		case len(beside) > 0:
			t.Errorf("the old data is in %v, but the new one is not in its place", beside)
		default:
			same(t, "the data after a restore that did not happen", got, had)
		}
		restore(t, file, data)
		same(t, "the data after another restore", rowsOf(t, data), want)
	})
}

// rowsOf lists the rows of what was recorded, learned and crawled in a data folder.
func rowsOf(t *testing.T, data string) (all []string) {
	t.Helper()
	withStore(t, data, func(*store.Store) {}) // so that the log is in the file
	db := look(t, database(data))
	defer db.Close()
	for _, table := range []string{"events", "visits", "pages", "marks", "contents", "models", "crawls", "fetches", "finds", "frontier"} {
		all = append(all, lines(t, db, "SELECT '"+table+"', * FROM "+table+" ORDER BY 2, 3")...)
	}
	return all
}
