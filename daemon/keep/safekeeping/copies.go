package safekeeping

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
)

// Kinds of copies.
const (
	Automatic = "automatic" // made by a Keeper
	Saved     = "saved"     // what could be read of a damaged database
	Update    = "update"    // made before an update of the program
)

// Copy is one copy of the database.
type Copy struct {
	Name  string // of its file, unique in a List
	Path  string
	Kind  string
	At    time.Time // when it was made
	Bytes int64
}

// Folder is the folder of the automatic backups of a data folder.
func Folder(dir string) string { return filepath.Join(dir, "backups") }

const (
	automaticPrefix = "nightjar-"
	savedPrefix     = "saved-"
	nameTime        = "2006-01-02-150405"
	updatePrefix    = "nightjar.db.before-"
)

// List lists the copies of a data folder's database, newest first.
func List(dir string) ([]Copy, error) {
	var all []Copy
	for _, at := range []struct{ dir, prefix, suffix, kind string }{
		{Folder(dir), automaticPrefix, backup.Suffix, Automatic}, {Folder(dir), savedPrefix, ".db", Saved}, {dir, updatePrefix, "", Update},
	} {
		entries, err := os.ReadDir(at.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list backups: %w", err)
		}
		for _, e := range entries {
			name := e.Name()
			if !e.Type().IsRegular() || !strings.HasPrefix(name, at.prefix) || !strings.HasSuffix(name, at.suffix) || strings.Contains(name, leftovers.Part) {
				continue
			}
			if info, err := e.Info(); err == nil { // an error: it was deleted meanwhile
				all = append(all, Copy{Name: name, Path: filepath.Join(at.dir, name), Kind: at.kind, At: madeAt(name, info), Bytes: info.Size()})
			}
		}
	}
	slices.SortFunc(all, func(a, b Copy) int { return b.At.Compare(a.At) })
	return all, nil
}

// madeAt reads the time in a name; other names have that of the file.
func madeAt(name string, info fs.FileInfo) time.Time {
	rest := strings.TrimPrefix(strings.TrimPrefix(name, automaticPrefix), savedPrefix)
	if len(rest) >= len(nameTime) {
		if at, err := time.ParseInLocation(nameTime, rest[:len(nameTime)], time.UTC); err == nil {
			return at
		}
	}
	return info.ModTime()
}

// Find returns the copy with a name, or an error that wraps os.ErrNotExist.
func Find(dir, name string) (Copy, error) {
	all, err := List(dir)
	if err != nil {
		return Copy{}, err
	}
	for _, c := range all {
		if c.Name == name {
			return c, nil
		}
	}
	return Copy{}, fmt.Errorf("the backup %q: %w", name, fs.ErrNotExist)
}

// EraseAll deletes all automatic backups and saved copies, finished or not.
func EraseAll(dir string) error {
	if err := os.RemoveAll(Folder(dir)); err != nil {
		return fmt.Errorf("erase the automatic backups: %w", err)
	}
	return nil
}
