package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/warc"
)

// Pruned says what Prune deleted.
type Pruned struct {
	Files int
	Bytes int64
}

// Prune deletes nights that began more than so many days ago, and then the oldest nights until the archive has at most so
// many megabytes; 0 is no limit. Of the last night the oldest files go when it alone is too large, and what later ones
// refer to in them is moved there. The file that is written to stays.
func (a *Archive) Prune(days, megabytes int) (Pruned, error) {
	a.tidy.Lock()
	defer a.tidy.Unlock()
	var p Pruned
	files, err := a.files()
	if err != nil {
		return p, fmt.Errorf("prune archive: %w", err)
	}
	total := int64(0)
	for _, f := range files {
		total += f.size
	}
	limit := int64(megabytes) << 20
	oldest := a.now().Add(-time.Duration(days) * 24 * time.Hour)
	for len(files) > 0 {
		night := nightOf(files)
		last := len(night) == len(files)
		tooOld := days > 0 && night[0].begin.Before(oldest)
		tooMuch := megabytes > 0 && total > limit
		if night[len(night)-1].open || !tooOld && (!tooMuch || last) {
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
	if err = errors.Join(err, syncDir(a.o.Dir)); err != nil {
		return p, fmt.Errorf("prune archive: %w", err)
	}
	return p, nil
}

// nightOf are the files of the first night.
func nightOf(files []stored) []stored {
	n := 1
	for n < len(files) && files[n].night == files[0].night {
		n++
	}
	return files[:n]
}

// pruneNight deletes the oldest files of a night so that it has so many bytes less.
func (a *Archive) pruneNight(p *Pruned, night []stored, less int64) error {
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
	// Records of the open file must refer to none of these any more, and those that do must be reached.
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
	r := &rewrite{a: a, files: night, gone: func(file string, _ *warc.Record) bool { return doomed[file] }}
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
	if err = errors.Join(err, syncDir(a.o.Dir)); err != nil {
		return fmt.Errorf("erase archive: %w", err)
	}
	return nil
}
