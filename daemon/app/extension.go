package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"nightjar/crawler/durable"
	"nightjar/extension"
)

// ExtensionDir is the folder of the browser extension in a data folder. Its path never changes, so that a browser that
// loaded it finds the next version there, too.
func ExtensionDir(dir string) string { return filepath.Join(dir, "extension") }

// writeExtension makes the extension's folder in a data folder hold the files of this program's extension and no others. It reports whether
// it changed something.
func writeExtension(dir string, files fs.FS) (wrote bool, err error) {
	to := ExtensionDir(dir)
	err = eachFile(files, func(name string, text []byte) error {
		path := filepath.Join(to, filepath.FromSlash(name))
		if holds(path, text) {
			return nil
		}
		wrote = true
		if err := durable.MkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		return durable.WriteFile(path, text)
	})
	if err != nil {
		return wrote, fmt.Errorf("write the extension to %s: %w", to, err)
	}
	if err := deleteOthers(files, to); err != nil {
		return wrote, fmt.Errorf("delete old files of the extension: %w", err)
	}
	return wrote, nil
}

// holds reports whether a file has this content.
func holds(path string, text []byte) bool {
	has, err := os.ReadFile(path)
	return err == nil && bytes.Equal(has, text)
}

// ExtensionCurrent reports whether the data folder dir holds the extension of this program.
func ExtensionCurrent(dir string) bool {
	return eachFile(extension.Files(), func(name string, text []byte) error {
		if !holds(filepath.Join(ExtensionDir(dir), filepath.FromSlash(name)), text) {
			return fs.ErrNotExist
		}
		return nil
	}) == nil
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
