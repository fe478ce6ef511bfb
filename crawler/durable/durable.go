// Package durable writes files that are whole after a power cut: a file system may keep a name and lose what was written under it, or
// the other way round, unless both were synced.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// New ends the name of a file that is about to replace another one. A killed process may leave such a file.
const New = ".new"

// WriteFile replaces a file: after a crash, it is the old one or the new one. A new file can be read by its owner only; one that is
// replaced keeps its mode.
func WriteFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+New)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if old, serr := os.Stat(path); serr == nil && old.Mode() != 0o600 {
		err = errors.Join(err, f.Chmod(old.Mode()))
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// Rename gives a file that was written its final name.
func Rename(from, to string) error {
	f, err := os.OpenFile(from, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

// MkdirAll makes a folder, and those above it, for their owner only.
func MkdirAll(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(dir)
	if above != dir {
		if err := MkdirAll(above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if info, serr := os.Stat(dir); serr != nil || !info.IsDir() { // another process did not make it meanwhile
			return err
		}
	}
	return SyncDir(above)
}

// SyncDir waits until the names in a folder are on the disk, where the system can.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, fs.ErrInvalid) || errors.Is(err, errors.ErrUnsupported) || os.PathSeparator == '\\' {
		err = nil // the system keeps names by itself
	}
	return errors.Join(err, d.Close())
}
