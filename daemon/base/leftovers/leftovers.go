// Package leftovers names every temporary file and folder that Nightjar makes in a data folder, and removes what a process
// that was killed left of them. They hold what the person read, so that none may outlive the person's wish to erase it.
//
// Whoever makes such a file takes its name from here; a test looks for makers that do not. Two parts keep to themselves, as
// only they know which of their files is in use: package archive in DATA/archive, package wordnet in DATA/wordnet.
package leftovers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"nightjar/crawler/durable"
)

// Names of temporary files and folders in a data folder begin with one of these.
const (
	Backup = "backup-"        // folder of a copy of the database that becomes a backup
	Upload = "upload-"        // a backup that a browser sends
	Doctor = "doctor-"        // what the doctor writes to see whether it can
	Login  = "nightjar-open-" // page that logs a browser in
	sqlite = "etilqs_"        // temporary files of SQLite, which lose their name as soon as they are open
)

// Or they end with one of these.
const (
	Part = ".part"     // not complete yet
	New  = durable.New // complete, about to get its final name
)

// Broker is the folder in a data folder with the results of workers that are not stored yet.
const Broker = "broker"

// Folders in a data folder while a backup is restored.
const (
	Unpacked = "restore" + Part  // being unpacked
	Checked  = "restore.checked" // complete; the person has not confirmed it yet
	Staged   = "restore"         // confirmed: the next start puts it in place
)

// Folders in a data folder in which a name may end with Part or New.
var below = []string{"backups", "extension", "tls"}

// Remove removes what is left over in a data folder. The caller holds the folder's lock, or erases: a backup that is being
// made meanwhile fails, as it holds what is erased. What cannot be removed is in the error.
func Remove(dir string) error {
	err := each(dir, Is)
	for _, folder := range below {
		err = errors.Join(err, eachBelow(filepath.Join(dir, folder)))
	}
	if err != nil {
		return fmt.Errorf("remove what is left over of an earlier run: %w", err)
	}
	return nil
}

// RemoveAll is Remove, and removes a backup that waits to be put in place, too.
func RemoveAll(dir string) error {
	return errors.Join(Remove(dir), each(dir, func(name string) bool { return name == Staged }))
}

// Is reports whether a name in a data folder is that of a temporary file or folder.
func Is(name string) bool {
	for _, prefix := range []string{Backup, Upload, Doctor, Login, sqlite} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == Checked || unfinished(name)
}

func unfinished(name string) bool {
	return strings.HasSuffix(name, Part) || strings.HasSuffix(name, New)
}

// each removes the entries of a folder whose names match. A folder that does not exist has none.
func each(dir string, match func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if match(e.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// eachBelow removes unfinished files of a folder and the folders below it. It follows no links.
func eachBelow(dir string) error {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && unfinished(d.Name()) {
			all = append(all, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, path := range all {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
