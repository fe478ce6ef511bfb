package leftovers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// Names in the system's folder for temporary files begin with one of these.
const (
	Demo    = "nightjar-demo-"   // data folder of a demonstration
	Profile = "nightjar-render-" // render.ProfilePrefix, which a test holds
)

// RemoveElsewhere removes what processes of this person that were killed left in the system's folder for temporary files:
// profiles of browsers that rendered pages, and data folders of demonstrations. It leaves those of a process that lives.
func RemoveElsewhere(temp string) error {
	entries, err := os.ReadDir(temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(temp, e.Name())
		info, ierr := e.Info()
		if ierr != nil || !info.IsDir() || !Ours(info) {
			continue
		}
		if strings.HasPrefix(e.Name(), Demo) && !locked(path) || profileOfDead(e.Name()) {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}

// locked reports whether a daemon uses a data folder, or may be about to.
func locked(dir string) bool {
	lock := flock.New(filepath.Join(dir, "lock"))
	if _, err := os.Lstat(lock.Path()); err != nil {
		return true // it was just made
	}
	free, err := lock.TryLock()
	if free {
		_ = lock.Unlock() // nobody waits for it
	}
	return err != nil || !free
}

// profileOfDead reports whether a name is that of a profile whose process has ended.
func profileOfDead(name string) bool {
	rest, ok := strings.CutPrefix(name, Profile)
	if !ok {
		return false
	}
	number, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(number)
	return err == nil && pid > 0 && !lives(pid)
}
