package wordnet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/model/wordnet"
)

// Bounds of what is added. WordNet 3.1's data.noun has 15 MB, all that comes with it 36 MB.
const (
	maxUnpacked = 256 << 20 // bytes that an archive unpacks to
	maxFile     = 64 << 20  // bytes of a file of WordNet
)

// collector copies WordNet's files into a folder. Whatever their path was, they get their base name.
type collector struct {
	ctx    context.Context
	create func(name string) (file, error) // an error is one of the disk
	have   map[string]bool
}

// file is a file that is written. After Sync, what was written is kept even if the computer stops.
type file interface {
	io.WriteCloser
	Sync() error
}

// newFiles creates files in a folder, which has none of their names.
func newFiles(dir string) func(name string) (file, error) {
	return func(name string) (file, error) {
		return os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
}

// limit is the largest size of a file in bytes, 0 for a file that is not needed.
func limit(name string) int64 {
	switch {
	case slices.Contains(wordnet.Names(), name):
		return maxFile
	case slices.Contains(licences, name):
		return maxNotice
	}
	return 0
}

// take copies a file if it is needed. An error of r is returned as it is.
func (c *collector) take(name string, r io.Reader) error {
	most := limit(name)
	if most == 0 {
		return nil
	}
	if c.have[name] {
		if most == maxNotice { // packages have several; the first is as good as another
			return nil
		}
		return fmt.Errorf("it has two files %s: unpack it, and name the dict folder", name)
	}
	c.have[name] = true
	to, err := c.create(name)
	if err != nil {
		return &diskError{err}
	}
	out := &diskWriter{to: to}
	n, err := io.Copy(out, io.LimitReader(untilDone(c.ctx, r), most+1))
	if err == nil && n > most {
		err = fmt.Errorf("%s has more than %d bytes", name, most)
	}
	if err == nil && out.err == nil {
		out.err = to.Sync()
	}
	if out.err = errors.Join(out.err, to.Close()); out.err != nil {
		return &diskError{out.err}
	}
	return err
}

// folder takes the files of a dict folder.
func (c *collector) folder(dir string) error {
	if !(place{folder: dir}).holds() && (place{folder: filepath.Join(dir, "dict")}).holds() {
		dir = filepath.Join(dir, "dict") // of an unpacked archive
	}
	for _, name := range slices.Concat(wordnet.Names(), licences) {
		path := filepath.Join(dir, name)
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return &Problem{err}
		case !info.Mode().IsRegular() && limit(name) == maxNotice:
			continue
		case !info.Mode().IsRegular():
			return problemf("%s is a link or no file: name the folder that has the file itself", path)
		}
		if err := c.one(path); err != nil {
			return err
		}
	}
	if !c.have["data.noun"] {
		return problemf("%s has no data.noun: name WordNet's dict folder, or a .tar.gz of it", dir)
	}
	return nil
}

func (c *collector) one(path string) error {
	f, err := openFile(path)
	if err != nil {
		return &Problem{err}
	}
	defer func() { _ = f.Close() }() // it was only read
	var disk *diskError
	if err := c.take(filepath.Base(path), f); err != nil && !errors.As(err, &disk) && c.ctx.Err() == nil {
		return problemf("%s: %w", path, err)
	} else {
		return err
	}
}

// diskError is an error of writing.
type diskError struct{ err error }

func (e *diskError) Error() string {
	return fmt.Sprintf("%v: check that the data folder is writable and its disk not full", e.err)
}

func (e *diskError) Unwrap() error { return e.err }

// diskWriter keeps an error of writing apart from those of reading.
type diskWriter struct {
	to  io.Writer
	err error
}

func (w *diskWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}

// seen calls saw with what was read, whose error ends the reading.
type seen struct {
	r   io.Reader
	saw func(p []byte) error
}

func (s *seen) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if stop := s.saw(p[:n]); stop != nil {
		return 0, stop
	}
	return n, err
}

// untilDone reads until a context ends.
func untilDone(ctx context.Context, r io.Reader) io.Reader {
	return &seen{r, func([]byte) error { return ctx.Err() }}
}

// wholeName is the base name of a path in an archive, whose separators may be those of Windows.
func wholeName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
