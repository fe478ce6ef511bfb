package app

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"nightjar/daemon/leftovers"
	"nightjar/extension"
)

// ExtensionDir is the folder of the browser extension in a data folder. Its path never changes, so that a browser that
// loaded it finds the next version there, too.
func ExtensionDir(dir string) string { return filepath.Join(dir, "extension") }

// extensionSum is the file that says which version is in ExtensionDir. It is beside the folder, since browsers read
// everything in it.
func extensionSum(dir string) string { return filepath.Join(dir, "extension.sum") }

// writeExtension writes the extension that is built into the program to the data folder, when it is missing there or of
// another version. Files that this version lacks are deleted. It reports whether it wrote.
func writeExtension(dir string, files fs.FS) (wrote bool, err error) {
	sum, err := sumOf(files)
	if err != nil {
		return false, fmt.Errorf("read the extension: %w", err)
	}
	if extensionCurrent(dir, sum) {
		return false, nil
	}
	to := ExtensionDir(dir)
	if err := copyFiles(files, to); err != nil {
		return false, fmt.Errorf("write the extension to %s: %w", to, err)
	}
	if err := deleteOthers(files, to); err != nil {
		return true, fmt.Errorf("delete old files of the extension: %w", err)
	}
	return true, replaceFile(extensionSum(dir), []byte(sum+"\n"))
}

// ExtensionCurrent reports whether the data folder dir holds the extension of this program.
func ExtensionCurrent(dir string) bool {
	sum, err := sumOf(extension.Files())
	return err == nil && extensionCurrent(dir, sum)
}

func extensionCurrent(dir, sum string) bool {
	has, err := os.ReadFile(extensionSum(dir))
	if err != nil || string(bytes.TrimSpace(has)) != sum {
		return false
	}
	_, err = os.Stat(filepath.Join(ExtensionDir(dir), "manifest.json"))
	return err == nil
}

// sumOf is a hash of all files with their names.
func sumOf(files fs.FS) (string, error) {
	h := sha256.New()
	err := eachFile(files, func(name string, text []byte) error {
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

func eachFile(files fs.FS, do func(name string, text []byte) error) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return do(name, text)
	})
}

func copyFiles(files fs.FS, to string) error {
	return eachFile(files, func(name string, text []byte) error {
		path := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return replaceFile(path, text)
	})
}

// replaceFile writes a file whole or not at all, as a browser may be reading it.
func replaceFile(path string, text []byte) error {
	tmp := path + leftovers.New
	if err := os.WriteFile(tmp, text, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// deleteOthers deletes what is in the folder but not among the files.
func deleteOthers(files fs.FS, folder string) error {
	var old []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if _, err := fs.Stat(files, filepath.ToSlash(name)); errors.Is(err, fs.ErrNotExist) {
			old = append(old, path)
		}
		return nil
	})
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
