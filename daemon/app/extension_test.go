package app

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"nightjar/extension"
)

// TestWriteExtension: the folder is written once, mended when a file is gone or changed, and replaced by another version.
func TestWriteExtension(t *testing.T) {
	dir := t.TempDir()
	if ExtensionCurrent(dir) {
		t.Error("an empty folder holds the extension")
	}
	for i, want := range []bool{true, false} {
		if wrote, err := writeExtension(dir, extension.Files()); err != nil || wrote != want {
			t.Fatalf("time %d: wrote %t, %v", i+1, wrote, err)
		}
	}
	if !ExtensionCurrent(dir) {
		t.Error("the extension is not current")
	}
	n := 0
	err := eachFile(extension.Files(), func(name string, want []byte) error {
		got, err := os.ReadFile(filepath.Join(ExtensionDir(dir), name))
		if err == nil && string(got) != string(want) {
			t.Errorf("%s differs", name)
		}
		n++
		return err
	})
	if err != nil || n < 20 {
		t.Errorf("%d files, %v", n, err)
	}
	if _, err := os.Stat(filepath.Join(ExtensionDir(dir), "_locales", "en", "messages.json")); err != nil {
		t.Errorf("its texts: %v", err) // a plain go:embed leaves out names that begin with _
	}
	manifest, err := os.ReadFile(filepath.Join(ExtensionDir(dir), "manifest.json"))
	if err != nil || !json.Valid(manifest) {
		t.Errorf("the manifest: %v", err)
	}
	for what, damage := range map[string]func(name string) error{
		"without":   os.Remove,
		"a changed": func(name string) error { return os.WriteFile(name, []byte("{}"), 0o600) },
	} {
		if err := damage(filepath.Join(ExtensionDir(dir), "manifest.json")); err != nil {
			t.Fatal(err)
		}
		if ExtensionCurrent(dir) {
			t.Errorf("%s manifest is current", what)
		}
		if wrote, err := writeExtension(dir, extension.Files()); err != nil || !wrote || !ExtensionCurrent(dir) {
			t.Errorf("%s manifest: wrote %t, %v", what, wrote, err)
		}
	}
	next := fstest.MapFS{"manifest.json": {Data: []byte("{}")}, "a/b.js": {Data: []byte("1")}}
	if wrote, err := writeExtension(dir, next); err != nil || !wrote {
		t.Fatalf("another version: wrote %t, %v", wrote, err)
	}
	var left []string
	err = fs.WalkDir(os.DirFS(ExtensionDir(dir)), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, name)
		}
		return err
	})
	if err != nil || len(left) != 2 {
		t.Errorf("left of it: %q, %v", left, err)
	}
}
