package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/leftovers"
)

// Names in the folder of a staged backup.
const (
	planName  = "plan.json" // Staged
	movedName = "moved"     // the old data is out of the way
)

// oldFolder chooses where the present data is kept: beside the data folder, or inside it when it cannot be moved there.
func oldFolder(dir string, now time.Time) (string, error) {
	name := "before-" + now.Format("2006-01-02-150405")
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	beside := free(dir + "." + name)
	probe := filepath.Join(dir, leftovers.Unpacked, "probe")
	if err := os.Mkdir(probe, 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(probe, beside); err != nil { // another file system, or a folder that may not be written
		return free(filepath.Join(dir, name)), os.Remove(probe)
	}
	return beside, os.Remove(beside)
}

// OldFolders lists the folders with the data that restored backups replaced, as far as they are still there.
func OldFolders(dir string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, at := range []struct{ dir, prefix string }{{filepath.Dir(dir), filepath.Base(dir) + ".before-"}, {dir, "before-"}} {
		entries, err := os.ReadDir(at.dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() && strings.HasPrefix(e.Name(), at.prefix) {
				all = append(all, filepath.Join(at.dir, e.Name()))
			}
		}
	}
	return all, nil
}

// free returns a path, with a number when it is taken.
func free(path string) string {
	name := path
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", path, n)
	}
}

// Apply puts a staged backup in place of the data of a folder, which no process may have open, and returns what it put
// there, or nil when nothing was staged. The files that it replaced are in OldData. When it was interrupted, the next call
// goes on.
func Apply(dir string) (*Staged, error) {
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, leftovers.Unpacked)), Cancel(dir)); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	s, err := apply(dir, func(string) error {
		failpoint.Here("restore.apply-step")
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	return s, nil
}

// apply calls step before everything that it changes, for tests.
func apply(dir string, step func(string) error) (*Staged, error) {
	ready := filepath.Join(dir, leftovers.Staged)
	text, err := os.ReadFile(filepath.Join(ready, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, os.RemoveAll(ready) // the last call was interrupted after the plan was gone
	}
	if err != nil {
		return nil, err
	}
	s := &Staged{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	moved := filepath.Join(ready, movedName)
	if _, err := os.Lstat(moved); errors.Is(err, fs.ErrNotExist) {
		if err := moveOld(dir, s, step); err != nil {
			return nil, err
		}
		if err := step("note that the old data is moved"); err != nil {
			return nil, err
		}
		if err := errors.Join(writeSynced(moved, strings.NewReader("")), durable.SyncDir(ready)); err != nil {
			return nil, err
		}
	}
	if err := moveNew(dir, ready, step); err != nil {
		return nil, err
	}
	for _, name := range []string{filepath.Join(ready, planName), ready} {
		if err := step("remove " + filepath.Base(name)); err != nil {
			return nil, err
		}
		if err := os.RemoveAll(name); err != nil {
			return nil, err
		}
	}
	if _, err := os.Lstat(s.OldData); err != nil {
		s.OldData = "" // there was no data
	}
	return s, durable.SyncDir(dir)
}

// moveOld moves the present data out of the way. The archive stays when the backup has none.
func moveOld(dir string, s *Staged, step func(string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), Database) && (e.Name() != archiveName || !s.Archive) {
			continue
		}
		if err := step("move the old " + e.Name()); err != nil {
			return err
		}
		if err := os.MkdirAll(s.OldData, 0o700); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(dir, e.Name()), filepath.Join(s.OldData, e.Name())); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(s.OldData); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(durable.SyncDir(s.OldData), durable.SyncDir(filepath.Dir(s.OldData)), durable.SyncDir(dir))
}

// moveNew moves what was staged into the data folder.
func moveNew(dir, ready string, step func(string) error) error {
	entries, err := os.ReadDir(ready)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == planName || e.Name() == movedName {
			continue
		}
		if err := step("move the new " + e.Name()); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(ready, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return durable.SyncDir(dir)
}
