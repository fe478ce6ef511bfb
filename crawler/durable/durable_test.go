package durable

import (
	"os"
	"path/filepath"
	"testing"
)

// holds checks what is in a folder: files with their content and mode.
func holds(t *testing.T, dir string, mode os.FileMode, content map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(content) {
		t.Errorf("%s has %v, %v, not %v", dir, entries, err, content)
	}
	for name, want := range content {
		got, err := os.ReadFile(filepath.Join(dir, name))
		info, serr := os.Stat(filepath.Join(dir, name))
		if err != nil || serr != nil || string(got) != want || info.Mode() != mode {
			t.Errorf("%s has %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestWriteFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	name := filepath.Join(dir, "key.pem")
	if err := WriteFile(name, nil); err == nil {
		t.Error("a file was written to a folder that does not exist")
	}
	for range 2 {
		if err := MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"first", "", "third"} {
		if err := WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, 0o600, map[string]string{"key.pem": text})
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte("shared")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, 0o644, map[string]string{"key.pem": "shared"})
	if err := MkdirAll(filepath.Join(name, "x")); err == nil {
		t.Error("a file is taken for a folder")
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder"), nil); err == nil {
		t.Error("a folder was replaced")
	}
	if err := os.Remove(filepath.Join(dir, "folder")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, 0o644, map[string]string{"key.pem": "shared"}) // and nothing is left over
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	part, name := filepath.Join(dir, "x.part"), filepath.Join(dir, "x")
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Rename(part, name); err != nil {
			t.Fatal(err)
		}
		holds(t, dir, 0o600, map[string]string{"x": text})
	}
	if err := Rename(part, name); err == nil {
		t.Error("a missing file was renamed")
	}
}
