package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"nightjar/crawler/durable"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/backup"
)

// dataDir is a data folder that this process has locked.
type dataDir struct {
	path string
	lock *flock.Flock
}

// errInUse is returned for a data folder that another daemon holds.
var errInUse = errors.New("another nightjar is using the data folder")

// runInfo tells other commands of the same person how to reach the daemon. Only that person can read its file.
type runInfo struct {
	Listen  string `json:"listen"`  // ADDR:PORT of the dashboard and the socket
	Control string `json:"control"` // ADDR:PORT for commands
	Secret  string `json:"secret"`  // by which a command and the daemon prove themselves to each other
	PID     int    `json:"pid"`
}

// openDataDir creates the folder when it is missing and takes its lock. The kernel frees the lock when the process
// dies, however it dies.
func openDataDir(path string) (*dataDir, error) {
	PrivateFiles()
	if err := durable.MkdirAll(path); err != nil {
		return nil, command.WithHint(fmt.Errorf("create data folder %s: %w", path, err), "name another folder with --data DIR")
	}
	if err := checkDataDir(path); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(path, "lock"), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, command.WithHint(fmt.Errorf("lock data folder %s: %w", path, err), "make the folder writable, or name another with --data DIR")
	}
	if !held {
		return nil, inUse(path)
	}
	return &dataDir{path: path, lock: lock}, nil
}

// inUse returns the error for a folder that another daemon has locked; the hint names the daemon if possible.
func inUse(path string) error {
	err := fmt.Errorf("%w %s", errInUse, path)
	if info, rerr := readRunInfo(path); rerr == nil {
		return command.WithHint(err, "it serves on %s (process %d); open it with: %s", info.Listen, info.PID, terminal.On(path, "open"))
	}
	return command.WithHint(err, "stop the other nightjar, or name another folder with --data DIR")
}

// database is the file of the store in a data folder.
func database(dir string) string { return filepath.Join(dir, backup.Database) }

// ArchiveDir is the folder of the archive in a data folder.
func ArchiveDir(dir string) string { return filepath.Join(dir, "archive") }

func runInfoPath(dir string) string { return filepath.Join(dir, "daemon.json") }

func (d *dataDir) writeRunInfo(info runInfo) error {
	text, err := json.Marshal(info)
	if err != nil {
		return err
	}
	return durable.WriteFile(runInfoPath(d.path), text)
}

// readRunInfo reads the run file of a data folder. The daemon that wrote it may have been killed since.
func readRunInfo(dir string) (runInfo, error) {
	var info runInfo
	text, err := os.ReadFile(runInfoPath(dir))
	if err != nil {
		return info, err
	}
	return info, json.Unmarshal(text, &info)
}

// Running reports whether a daemon of this person serves a data folder.
func Running(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return false // a folder that others can write to may be a trap
	}
	if _, err := readRunInfo(dir); err != nil {
		return false
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	free, err := lock.TryLock()
	if free {
		_ = lock.Unlock() // nobody holds it: the daemon was killed
	}
	return err == nil && !free
}

// Close deletes the run file and unlocks the folder.
func (d *dataDir) Close() error {
	err := os.Remove(runInfoPath(d.path))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, d.lock.Unlock())
}
