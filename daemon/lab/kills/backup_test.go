package kills

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// full is a data folder with sessions, a model, a finished crawl and its archive. It is made once.
var full struct {
	sync.Once
	data string
}

// fullFolder is a copy of a data folder with something of everything.
func fullFolder(t *testing.T) (data string) {
	t.Helper()
	full.Do(func() {
		w := newWeb(t, 6, 12)
		made := toCrawl(t, w)
		crawled(t, made, w)
		full.data = keep(t, made)
	})
	if full.data == "" {
		t.Fatal("the data folder could not be made")
	}
	return copyFolder(t, full.data)
}

// keep copies a folder to one that stays until all tests have ended.
func keep(t *testing.T, data string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nightjar-kills-data-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "data"), os.DirFS(data)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// ownTables belong to the computer and are in no backup.
var ownTables = []string{"browsers", "tokens", "hosts", "robots", "lists"}

// content is what a backup holds of a data folder: every row but those that belong to the computer, and the archive's files.
func content(t *testing.T, data string) (all []string) {
	t.Helper()
	for _, line := range dump(t, database(data)) {
		table, _, _ := strings.Cut(line, ":")
		if table == "settings" && (strings.Contains(line, "dashboard.") || strings.Contains(line, "secret.")) || slices.Contains(ownTables, table) {
			continue
		}
		all = append(all, line)
	}
	entries, err := os.ReadDir(filepath.Join(data, "archive"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "nightjar-") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(data, "archive", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, "archive: "+e.Name()+" "+string(text))
	}
	return all
}

// backUp writes a whole backup of a data folder.
func backUp(t *testing.T, data string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "whole.nightjar.zip")
	l := run(t, plan{}, "backup", file, "--archive", "--data", data)
	l.end()
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		t.Fatalf("backup: %s", l.out)
	}
	return file
}

// restore puts a backup in place of a data folder, which no program uses.
func restore(t *testing.T, file, data string) {
	t.Helper()
	l := run(t, plan{}, "restore", file, "--data", data)
	l.end()
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		t.Fatalf("restore: %s", l.out)
	}
}

// TestBackingUp ends the program while it writes a backup, with and without a daemon on the same data. Under the backup's name
// is a whole backup or nothing, the data is as it was, and the next start of the program leaves no other file.
func TestBackingUp(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	random := rand.New(rand.NewPCG(6, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), append(placesOf(backingUp), atRandom), func(t *testing.T, place string) {
		data := fullFolder(t)
		before := content(t, data)
		mu.Lock()
		after, daemon := time.Duration(random.IntN(300))*time.Millisecond, random.IntN(2) == 0
		mu.Unlock()
		var l *life
		if daemon {
			l = mustServe(t, data)
		}
		file := filepath.Join(t.TempDir(), "one.nightjar.zip")
		b := run(t, at(place, 1), "backup", file, "--archive", "--data", data)
		if place == atRandom {
			time.Sleep(after)
			b.kill()
		}
		b.end()
		if place != atRandom && !b.killed() {
			t.Fatalf("the backup did not come to %s:\n%s", place, b.out)
		}
		if daemon {
			l.stop()
		}
		sound(t, database(data))
		if _, err := os.Stat(file); err == nil {
			elsewhere := filepath.Join(t.TempDir(), "data")
			restore(t, file, elsewhere)
			same(t, "what a killed backup holds", content(t, elsewhere), content(t, data))
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		mustServe(t, data).stop()
		onlyOwnFiles(t, data)
		if !daemon {
			same(t, "the data", withoutBackground(content(t, data)), withoutBackground(before))
		}
		whole := file
		if _, err := os.Stat(file); err != nil { // under the same name
			run(t, plan{}, "backup", file, "--archive", "--data", data).end()
		} else {
			whole = backUp(t, data)
		}
		if _, err := os.Stat(file + ".part"); err == nil {
			t.Error("half a backup is left beside the whole one")
		}
		elsewhere := filepath.Join(t.TempDir(), "data")
		restore(t, whole, elsewhere)
		withStore(t, elsewhere, func(*store.Store) {})
		same(t, "the next backup", content(t, elsewhere), content(t, data))
	})
}

// withoutBackground leaves out what a daemon works out of the data while it runs.
func withoutBackground(all []string) (kept []string) {
	for _, line := range all {
		table, _, _ := strings.Cut(line, ":")
		if strings.HasPrefix(table, "link") || strings.HasPrefix(table, "search") || table == "word" || table == "reasons" || table == "sqlite_sequence" || table == "settings" {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// ownFiles are the names in a data folder that stay while no program runs.
var ownFiles = []string{"archive", "extension", "backups", "extension.sum", "lock", "navigation-words.txt", "nightjar.db", leftovers.Reserve, "broker", "tls"}

// onlyOwnFiles checks that nothing is left over in a data folder, nor beside it.
func onlyOwnFiles(t *testing.T, data string) {
	t.Helper()
	entries, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(ownFiles, e.Name()) && e.Name() != "nightjar.db-wal" && e.Name() != "nightjar.db-shm" {
			t.Errorf("left over in the data folder: %s", e.Name())
		}
	}
}
