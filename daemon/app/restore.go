package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// applyRestore puts a staged backup in place in a data folder that this process has locked.
func applyRestore(dir string) (*backup.Staged, error) {
	s, err := backup.Apply(dir)
	if err != nil {
		return nil, command.WithHint(err, "check that %s and the folder around it are writable, then start nightjar again; it goes on where it stopped", dir)
	}
	return s, nil
}

// Serve opens and runs a daemon until ctx ends, and opens it again after each restore of a backup. ready is called with
// each daemon as soon as other commands find it; its address stays the same.
func Serve(ctx context.Context, c Config, log *slog.Logger, ready func(a *App, again bool)) error {
	c.restarts = true
	for again := false; ; again = true {
		a, err := openOrWait(ctx, c, log)
		if err != nil && ctx.Err() != nil {
			log.Debug("asked to stop while it started", "error", err)
			return nil
		}
		if err != nil || a == nil {
			return err
		}
		c.Listen = a.Addr() // the port that was chosen, if it was to be any
		err = a.run(ctx, func() { ready(a, again) })
		c.faults = a.faults
		cerr := a.Close()
		if !errors.Is(err, ErrRestart) {
			if err != nil {
				return err
			}
			return cerr
		}
		if cerr != nil {
			return cerr
		}
	}
}

// Restore checks a backup and puts it in place of the data of a folder that no daemon uses.
func Restore(ctx context.Context, file, dir string) (*backup.Staged, error) {
	held, err := openDataDir(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = held.Close() }()          // the kernel frees the lock when the process ends
	if _, err := applyRestore(dir); err != nil { // an earlier one that was interrupted
		return nil, err
	}
	if _, err := StageBackup(ctx, file, dir); err != nil {
		return nil, err
	}
	return applyRestore(dir)
}

// StageBackup is backup.Stage; its errors say what to do.
func StageBackup(ctx context.Context, file, dir string) (*backup.Staged, error) {
	s, err := backup.Stage(ctx, file, dir, time.Now())
	switch {
	case errors.Is(err, store.ErrNewer):
		return nil, command.WithHint(err, "update nightjar; nothing was changed")
	case trouble.Of(err) == trouble.Full: // the error itself may only say that the disk fails
		return nil, command.WithHint(err, "the disk is full: free some space and try again; nothing was changed")
	case err != nil:
		return nil, command.WithHint(err, "nothing was changed")
	}
	return s, nil
}

// restore stages a backup in the data folder of a running daemon, and restarts the daemon's parts.
func (a *App) restore(ctx context.Context, file string) (*backup.Staged, error) {
	if !filepath.IsAbs(file) {
		return nil, fmt.Errorf("restore %q: not an absolute path", file)
	}
	s, err := StageBackup(ctx, file, a.dir.path)
	if err == nil && a.Config.restarts {
		a.Restart()
	}
	return s, err
}
