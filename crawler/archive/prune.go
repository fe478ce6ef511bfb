package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/warc"
)

// Pruned says what Prune deleted.
type Pruned struct {
	Files int
	Bytes int64
}

// Prune deletes the oldest nights until the archive has at most the given megabytes; 0 is no limit. If the last night alone is
// too large, Prune deletes its oldest files, and moves the bodies that later files refer to. It keeps the file being written.
func (a *Archive) Prune(megabytes int) (Pruned, error) {
	a.tidy.Lock()
	defer a.tidy.Unlock()
	var p Pruned
	a.mu.Lock()
	a.ending.Wait() // a file that is being ended would look like the one being written
	a.mu.Unlock()
	files, err := a.files()
	if err != nil {
		return p, fmt.Errorf("prune archive: %w", err)
	}
	total := int64(0)
	for _, f := range files {
		total += f.size
	}
	limit := int64(megabytes) << 20
	for megabytes > 0 && total > limit {
		night := nightOf(files)
		if len(night) == len(files) || night[len(night)-1].open {
			break
		}
		for _, f := range night {
			if err := os.Remove(filepath.Join(a.o.Dir, f.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return p, fmt.Errorf("prune archive: %w", err)
			}
			p.Files, p.Bytes, total = p.Files+1, p.Bytes+f.size, total-f.size
		}
		files = files[len(night):]
	}
	if megabytes > 0 && total > limit && len(files) > 1 {
		err = a.pruneNight(&p, nightOf(files), total-limit)
	}
	if err = errors.Join(err, durable.SyncDir(a.o.Dir)); err != nil {
		return p, fmt.Errorf("prune archive: %w", err)
	}
	return p, nil
}

// nightOf returns the files of the first night.
func nightOf(files []archiveFile) []archiveFile {
	n := 1
	for n < len(files) && files[n].night == files[0].night {
		n++
	}
	return files[:n]
}

// pruneNight deletes the oldest files of a night to free less bytes.
func (a *Archive) pruneNight(p *Pruned, night []archiveFile, less int64) error {
	doomed := map[string]bool{}
	for _, f := range night[:len(night)-1] {
		if less <= 0 || f.open {
			break
		}
		doomed[f.name] = true
		less -= f.size
		p.Files, p.Bytes = p.Files+1, p.Bytes+f.size
	}
	if len(doomed) == 0 {
		return nil
	}
	// End the open file, so that its references to these files can be rewritten and no new ones are made.
	a.mu.Lock()
	a.forget()
	err := a.endFile()
	a.mu.Unlock()
	if err != nil {
		return err
	}
	for i := range night {
		night[i].open = false
	}
	r := &rewrite{a: a, files: night, match: func(file string, _ *warc.Record) bool { return doomed[file] }}
	return r.run()
}

// EraseAll deletes every file.
func (a *Archive) EraseAll() error {
	a.tidy.Lock()
	defer a.tidy.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.finish()
	entries, rerr := os.ReadDir(a.o.Dir)
	err = errors.Join(err, rerr)
	for _, e := range entries {
		name := strings.TrimSuffix(strings.TrimSuffix(e.Name(), openSuffix), newSuffix)
		if nameOf.MatchString(name) {
			err = errors.Join(err, os.Remove(filepath.Join(a.o.Dir, e.Name())))
		}
	}
	if err = errors.Join(err, durable.SyncDir(a.o.Dir)); err != nil {
		return fmt.Errorf("erase archive: %w", err)
	}
	return nil
}

// Use is what an archive takes of the disk.
type Use struct {
	Files  int
	Bytes  int64
	Oldest time.Time // when the oldest file was finished
}

// Use says what the archive takes of the disk.
func (a *Archive) Use() (use Use, err error) {
	entries, err := os.ReadDir(a.Dir())
	if err != nil {
		return use, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // pruned meanwhile
		}
		if err != nil {
			return use, err
		}
		if !info.Mode().IsRegular() || e.Name() == "lock" {
			continue
		}
		use.Files, use.Bytes = use.Files+1, use.Bytes+info.Size()
		if use.Oldest.IsZero() || info.ModTime().Before(use.Oldest) {
			use.Oldest = info.ModTime()
		}
	}
	return use, nil
}
