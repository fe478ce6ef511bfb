package wordnet

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"nightjar/crawler/durable"
)

// Names of what is in DATA/wordnet besides currentFile.
const (
	editionPrefix = "edition-" // folders of editions: the current one, one that is being made, and leftovers
	archivePrefix = "archive-" // files that are being downloaded
	lockFile      = "lock"     // held while one of these is made or removed
)

// Add puts a WordNet into the data folder, in place of the one that was added before. The path is a dict folder, or a .tar.gz of
// one. Its files are read whole before they replace anything; whenever the process ends, the old or the new WordNet is there. An
// error that the person can mend is a *Problem.
func (l *Library) Add(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return problemf("%w: name a dict folder or a .tar.gz of WordNet", err)
	}
	if info.IsDir() {
		return l.put(ctx, path, func(c *collector) error { return c.folder(path) })
	}
	f, err := openFile(path)
	if err != nil {
		return &Problem{err}
	}
	defer func() { _ = f.Close() }() // it was only read
	return l.AddFile(ctx, path, f)
}

// AddFile is Add for a .tar.gz that was opened. Its name is used in errors only.
func (l *Library) AddFile(ctx context.Context, name string, r io.Reader) error {
	return l.put(ctx, name, func(c *collector) error { return c.unpack(name, r) })
}

// put makes a folder in DATA/wordnet, has it filled with WordNet's files, and makes it the current one.
func (l *Library) put(ctx context.Context, name string, fill func(*collector) error) error {
	return l.alone(ctx, func() error { return l.replace(ctx, name, fill) })
}

// replace does what put says. The caller has the folder alone.
func (l *Library) replace(ctx context.Context, name string, fill func(*collector) error) error {
	dir, err := os.MkdirTemp(l.dir, editionPrefix)
	if err != nil {
		return &diskError{err}
	}
	if err := fill(&collector{ctx: ctx, create: newFiles(dir), have: map[string]bool{}}); err != nil {
		return err
	}
	is, err := load(place{dir, FromData})
	switch {
	case err != nil:
		return problemf("%s is no WordNet that can be used: %w", name, err)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if err := errors.Join(durable.SyncDir(dir), durable.SyncDir(l.dir)); err != nil {
		return &diskError{err}
	}
	if err := durable.WriteFile(filepath.Join(l.dir, currentFile), []byte(filepath.Base(dir)+"\n")); err != nil {
		return &diskError{err}
	}
	l.log.Info("WordNet was added", "version", is.version)
	return nil
}

// Remove removes the WordNet that was added to the data folder. One that the computer has elsewhere stays and is used.
func (l *Library) Remove(ctx context.Context) error {
	if l.current() == "" {
		return ErrNothing
	}
	return l.alone(ctx, func() error {
		err := os.Remove(filepath.Join(l.dir, currentFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &diskError{err}
		}
		return nil // what is no longer current is tidied away
	})
}

// lockWait is how long another process is waited for, which reads WordNet in less than a second. One that downloads it
// takes longer.
const lockWait = 3 * time.Second

// alone does something while no other process or goroutine changes DATA/wordnet. The kernel frees the lock when the process
// dies. What is not wanted any more is removed before and afterwards.
func (l *Library) alone(ctx context.Context, do func() error) (err error) {
	defer func() {
		if disk, ok := errors.AsType[*diskError](err); ok {
			err = &Problem{disk}
		}
	}()
	if err := durable.MkdirAll(l.dir); err != nil {
		return &diskError{err}
	}
	if info, err := os.Lstat(l.dir); err != nil || !info.IsDir() {
		return problemf("%s is a link or no folder: remove it first", l.dir)
	}
	lock := flock.New(filepath.Join(l.dir, lockFile), flock.SetPermissions(0o600))
	wait, cancel := context.WithTimeout(ctx, l.wait)
	defer cancel()
	held, err := lock.TryLockContext(wait, 50*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) || err == nil && !held:
		return ErrBusy
	case err != nil:
		return &diskError{err}
	}
	defer func() {
		l.tidy()
		_ = lock.Unlock() // nothing can be lost by it
		l.lookAgain()
	}()
	l.tidy()
	return do()
}

// tidy removes editions that are not current, and what processes left that were killed. The caller has the folder alone.
func (l *Library) tidy() {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		l.log.Warn("what is left over of WordNet cannot be removed", "error", err)
	}
	current := l.current()
	for _, e := range entries {
		path := filepath.Join(l.dir, e.Name())
		ours := strings.HasPrefix(e.Name(), editionPrefix) || strings.HasPrefix(e.Name(), archivePrefix) ||
			strings.HasPrefix(e.Name(), currentFile) // atomic adds digits until the file is whole
		if !ours || path == current || e.Name() == currentFile {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			l.log.Warn("what is left over of WordNet cannot be removed", "path", path, "error", err)
		}
	}
}
