package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/workers/broker"
)

// AsRoot is the environment variable that, when set to 1, allows what --as-root allows.
const AsRoot = "NIGHTJAR_AS_ROOT"

// effectiveUser is replaced by tests.
var effectiveUser = os.Geteuid

// refuseRoot returns an error for root, who may read and write every file of the machine, unless the person allowed it.
func refuseRoot(allowed bool) error {
	if allowed || effectiveUser() != 0 { // -1 where users have no number
		return nil
	}
	return command.WithHint(errors.New("nightjar does not run as root: it reads pages of strangers, and needs no rights of root"),
		"run it as yourself; in a container that has no other user, add --as-root or set %s=1", AsRoot)
}

// checkDataDir checks that a path is a folder of this person that Nightjar may use, and makes it private. It changes nothing
// of another one.
func checkDataDir(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("data folder %s: %w", path, err)
	}
	const other = "name another with --data DIR"
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return command.WithHint(fmt.Errorf("data folder %s is a link", path), "name the folder itself with --data DIR")
	case !info.IsDir():
		return command.WithHint(fmt.Errorf("data folder %s is not a folder", path), other)
	case !leftovers.Ours(info):
		return command.WithHint(fmt.Errorf("data folder %s belongs to another user", path), other)
	case info.Mode()&fs.ModeSticky != 0:
		return command.WithHint(fmt.Errorf("data folder %s is one that users share", path), "name a folder below it with --data DIR")
	}
	if err := refuseOpenParents(path); err != nil {
		return err
	}
	if err := checkEntries(path); err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o700); err != nil {
			return command.WithHint(fmt.Errorf("data folder %s is open to others: %w", path, err), "run chmod 700 on it, or name another with --data DIR")
		}
	}
	return nil
}

// refuseOpenParents returns an error when any user may replace the data folder by another one: when a folder that it is in
// may be written by all and is not sticky, as /tmp is.
func refuseOpenParents(path string) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return nil // it was just made in there; who cannot look at it cannot use it
		}
		if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 && os.PathSeparator == '/' {
			return command.WithHint(fmt.Errorf("data folder %s is in %s, where every user can replace it", path, dir),
				"run chmod o-w on that folder, or name a data folder elsewhere with --data DIR")
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// checkEntries checks that a folder is empty or one of Nightjar, and that the database, the lock and the file that tells where
// the daemon is belong to this person and are not links to other places.
func checkEntries(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return command.WithHint(fmt.Errorf("data folder %s: %w", path, err), "make it readable for you, or name another with --data DIR")
	}
	used := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == backup.Database })
	for _, e := range entries {
		if !used && !made(e.Name()) {
			return command.WithHint(fmt.Errorf("%s exists and holds other files, such as %q", path, e.Name()), "name a new folder with --data DIR")
		}
		if !strings.HasPrefix(e.Name(), backup.Database) && e.Name() != "lock" && e.Name() != filepath.Base(runInfoPath("")) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it is gone
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return command.WithHint(fmt.Errorf("%s in the data folder is a link", filepath.Join(path, e.Name())), "put the file itself in its place, or name another folder with --data DIR")
		}
		if !leftovers.Ours(info) {
			return command.WithHint(fmt.Errorf("%s in the data folder belongs to another user", filepath.Join(path, e.Name())), "give it to yourself with chown, or name another folder with --data DIR")
		}
	}
	return nil
}

// made reports whether Nightjar, or the system, makes an entry of a data folder with a name. Earlier versions made extension.sum.
func made(name string) bool {
	switch name {
	case "lock", "daemon.json", "archive", "backups", "wordnet", "extension", "extension.sum", leftovers.Broker, broker.CertsDir, leftovers.Staged, leftovers.Reserve, "lost+found", ".DS_Store",
		filepath.Base(NavigationWords("")):
		return true
	}
	return strings.HasPrefix(name, backup.Database) || strings.HasPrefix(name, "before-") || leftovers.Is(name)
}
