package archive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/warc"
)

// Names of files.
const (
	suffix     = ".warc.gz"
	openSuffix = ".open" // while it is being written
	newSuffix  = ".new"  // an unfinished replacement of a file, ignored if left by a kill
	stamp      = "20060102150405"
)

// nameOf splits a file's name: the night, by the time at which it began, and the number of the file.
var nameOf = regexp.MustCompile(`^(nightjar-\d{14})-(\d{5,})\.warc\.gz$`)

// file is the file being written.
type file struct {
	f      *os.File
	name   string // without the suffix .open
	size   int64
	broken bool // contains an incomplete record that could not be removed
}

// append writes all of data or nothing.
func (f *file) append(data []byte) error {
	n, err := f.f.Write(data)
	if err == nil {
		f.size += int64(n)
		return nil
	}
	if cut := f.f.Truncate(f.size); cut != nil {
		f.broken = true
		return errors.Join(err, cut)
	}
	if _, seek := f.f.Seek(f.size, 0); seek != nil {
		f.broken = true
		return errors.Join(err, seek)
	}
	return err
}

// beginFile opens the night's next file and writes its warcinfo record; mu is held.
func (a *Archive) beginFile() error {
	if a.night == "" {
		if err := a.nameNight(); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("%s-%05d%s", a.night, a.number, suffix)
	path := filepath.Join(a.o.Dir, name+openSuffix)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	var head bytes.Buffer
	if err = a.appendInfo(&head, name); err == nil {
		_, err = f.Write(head.Bytes())
	}
	if err != nil {
		return errors.Join(err, f.Close(), os.Remove(path))
	}
	failpoint.Here("archive.file-begun")
	a.cur = &file{f: f, name: name, size: int64(head.Len())}
	a.number++
	return nil
}

// nameNight finds a unique name for a night that begins now; mu is held.
func (a *Archive) nameNight() error {
	for at := a.now(); ; at = at.Add(time.Second) {
		night := "nightjar-" + at.Format(stamp)
		taken, err := filepath.Glob(filepath.Join(escapeGlob(a.o.Dir), night+"-*"))
		if err != nil {
			return err
		}
		if len(taken) == 0 {
			a.night, a.number = night, 0
			return nil
		}
	}
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// rotate ends the full file in the background, because a sync takes as long as writing many pages; mu is held.
func (a *Archive) rotate() {
	f := a.cur
	a.cur = nil
	a.ending.Go(func() {
		if err := a.end(f); err != nil {
			a.endMu.Lock()
			a.endErr = errors.Join(a.endErr, err)
			a.endMu.Unlock()
		}
	})
}

// endFile ends the current file and waits for those that rotate ends; mu is held. The error includes theirs.
func (a *Archive) endFile() error {
	var err error
	if f := a.cur; f != nil {
		a.cur = nil
		err = a.end(f)
	}
	a.ending.Wait()
	a.endMu.Lock()
	defer a.endMu.Unlock()
	err = errors.Join(a.endErr, err)
	a.endErr = nil
	return err
}

// end syncs, closes and renames a file. If that fails, the next Open finishes the file.
func (a *Archive) end(f *file) error {
	path := filepath.Join(a.o.Dir, f.name)
	err := errors.Join(f.f.Sync(), f.f.Close())
	if f.broken {
		err = errors.Join(err, cutTail(path+openSuffix))
	}
	if err == nil {
		failpoint.Here("archive.file-synced")
		a.naming.Lock()
		err = finalize(path)
		a.naming.Unlock()
	}
	return errors.Join(err, durable.SyncDir(a.o.Dir))
}

// recover finishes the files that a killed process left.
func (a *Archive) recover() error {
	entries, err := os.ReadDir(a.o.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(a.o.Dir, e.Name())
		if base, ok := strings.CutSuffix(e.Name(), newSuffix); ok && nameOf.MatchString(base) {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		base, ok := strings.CutSuffix(path, openSuffix)
		if !ok || !nameOf.MatchString(filepath.Base(base)) {
			continue
		}
		if err := cutTail(path); err != nil {
			return err
		}
		if err := finalize(base); err != nil {
			return err
		}
	}
	return durable.SyncDir(a.o.Dir)
}

// cutTail truncates a file after its last complete record. It leaves damage before that.
func cutTail(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // after Sync nothing is left to write
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end := int64(0)
	for rec, err := range warc.NewReader(f, info.Size()).All() {
		if err != nil {
			return err
		}
		if rec.Size > 0 {
			end = rec.At.Offset + rec.Size
		}
	}
	if end == info.Size() {
		return nil
	}
	return errors.Join(f.Truncate(end), f.Sync())
}

// finalize gives a file its final name, or deletes it if it has no record.
func finalize(path string) error {
	info, err := os.Stat(path + openSuffix)
	switch {
	case err != nil:
		return err
	case info.Size() == 0:
		return os.Remove(path + openSuffix)
	}
	return os.Rename(path+openSuffix, path)
}
