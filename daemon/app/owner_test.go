package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
)

func TestRootIsRefused(t *testing.T) {
	defer func(is func() int) { effectiveUser = is }(effectiveUser)
	for _, c := range []struct {
		user  int
		flag  bool
		env   string
		fails bool
	}{{0, false, "", true}, {0, true, "", false}, {0, false, "1", false}, {0, false, "0", true}, {1000, false, "", false}, {-1, false, "", false}} {
		effectiveUser = func() int { return c.user }
		config := Config{Data: t.TempDir(), AsRoot: c.flag}
		err := config.Complete(func(name string) string {
			if name == AsRoot {
				return c.env
			}
			return ""
		})
		if (err != nil) != c.fails || c.fails && !strings.Contains(command.Hint(err), "--as-root") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// mustRefuse checks that a folder is refused with a hint and stays as it is, with its mode.
func mustRefuse(t *testing.T, path, because string) {
	t.Helper()
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	names := entries(t, path)
	d, err := openDataDir(path)
	if err == nil {
		d.Close()
	}
	if err == nil || !strings.Contains(err.Error(), because) || command.Hint(err) == "" {
		t.Errorf("%s: got %v with the hint %q, want an error about %q", path, err, command.Hint(err), because)
	}
	after, err := os.Stat(path)
	if err != nil || after.Mode() != before.Mode() || entries(t, path) != names {
		t.Errorf("%s was changed: mode %v, then %v; files %q, then %q; %v", path, before.Mode(), after.Mode(), names, entries(t, path), err)
	}
}

func entries(t *testing.T, path string) string {
	t.Helper()
	all, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range all {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestForeignFoldersAreRefused(t *testing.T) {
	other := t.TempDir()
	write := func(path string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(other, "letter.txt"))
	chmod(t, other, 0o755)
	mustRefuse(t, other, "holds other files")

	write(filepath.Join(other, "lock")) // of another program
	mustRefuse(t, other, "holds other files")

	shared := t.TempDir()
	chmod(t, shared, 0o777|fs.ModeSticky)
	mustRefuse(t, shared, "users share")

	open := filepath.Join(t.TempDir(), "open")
	write(filepath.Join(open, "data", "nightjar.db"))
	chmod(t, open, 0o777)
	mustRefuse(t, filepath.Join(open, "data"), "every user can replace it")

	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, link, "is a link")

	for _, name := range []string{"nightjar.db", "nightjar.db-wal", "lock", "daemon.json"} {
		linked := t.TempDir()
		target := filepath.Join(t.TempDir(), "target")
		write(target)
		if err := os.Symlink(target, filepath.Join(linked, name)); err != nil {
			t.Fatal(err)
		}
		mustRefuse(t, linked, name+" in the data folder is a link")
	}
}

// A folder and a database of another user are refused. Only root can make such a folder; another user's test uses one of the
// system.
func TestForeignOwner(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, -1); err != nil {
		system := "/usr/share"
		if info, err := os.Stat(system); err != nil || leftovers.Ours(info) {
			t.Fatalf("neither can a folder be given away nor does %s belong to another user", system)
		}
		mustRefuse(t, system, "belongs to another user")
		return
	}
	mustRefuse(t, dir, "belongs to another user")
	dir = t.TempDir()
	db := filepath.Join(dir, "nightjar.db")
	if err := errors.Join(os.WriteFile(db, nil, 0o600), os.Chown(db, 12345, -1)); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, dir, "nightjar.db in the data folder belongs to another user")
}

// Folders in which Nightjar was killed at any moment, or into which a person put something first, are used.
func TestOwnFolders(t *testing.T) {
	for _, names := range [][]string{{}, {"lock"}, {"lock", "extension", "extension.sum.new"}, {"navigation-words.txt"}, {"restore", "lock"},
		{"nightjar.db", "notes of the person.txt"}, {"before-2026-11-22-193000", "wordnet", "archive", "lost+found", "backup-123", "nightjar.db.before-0008.part"}} {
		dir := t.TempDir()
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d, err := openDataDir(dir)
		if err != nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		d.Close()
	}
}

// A demonstration needs no permission of root, and neither do the commands that it names.
func TestRootMayAskARunningDaemon(t *testing.T) {
	defer func(is func() int) { effectiveUser = is }(effectiveUser)
	effectiveUser = func() int { return 0 }
	dir := filepath.Join(t.TempDir(), "data")
	held, err := openDataDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	complete := func() error { return (&Config{Data: dir}).Complete(func(string) string { return "" }) }
	if err := errors.Join(held.writeRunInfo(runInfo{Listen: "127.0.0.1:1"}), complete()); err != nil {
		t.Errorf("beside a daemon: %v", err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if complete() == nil {
		t.Error("without a daemon, root is not refused")
	}
}
