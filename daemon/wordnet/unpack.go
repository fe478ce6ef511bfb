package wordnet

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// unpack takes the files of a .tar.gz, and of each .tar.gz in it.
func (c *collector) unpack(name string, r io.Reader) error {
	u := &unpacking{collector: c, left: maxUnpacked}
	raw := &counted{r: r}
	packed := bufio.NewReader(raw)
	err := errFormat
	if head, perr := packed.Peek(2); perr != nil || string(head) == "\x1f\x8b" {
		err = u.tarball(packed, false)
	}
	var disk *diskError
	switch {
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case errors.As(err, &disk):
		return err
	case errors.Is(err, errFormat) || errors.Is(err, tar.ErrHeader):
		return problemf("%s: %w", name, errFormat)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return problemf("%s ends too early, after byte %d: download it again", name, raw.n)
	case err != nil:
		return problemf("%s, before byte %d: %w", name, raw.n, err)
	case !c.have["data.noun"]:
		return problemf("%s has no data.noun: get a .tar.gz of WordNet's dict folder", name)
	}
	return nil
}

var errFormat = errors.New("this is no .tar.gz: unpack it, and add the folder that has data.noun")

// unpacking is an archive that is being read.
type unpacking struct {
	*collector
	left int64 // bytes that it may still unpack to
}

// tarball takes the files of a .tar.gz, and reads the rest too, so that the checksum is checked. npm's package has the list of
// irregular forms beside a .tar.gz of the other files; one that is within another has no third.
func (u *unpacking) tarball(packed io.Reader, within bool) error {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	r := &bounded{r: &untilDone{u.ctx, z}, left: &u.left}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, r)
			return err
		} else if err != nil {
			return err
		}
		name := wholeName(h.Name)
		switch {
		case h.Typeflag != tar.TypeReg: // no folders, links or devices
		case strings.HasSuffix(name, ".tar.gz") && !within:
			err = u.tarball(t, true)
		default:
			err = u.take(name, t)
		}
		if err != nil {
			return err
		}
	}
}

// counted counts what is read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded fails when more is read than there may be.
type bounded struct {
	r    io.Reader
	left *int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if *b.left -= int64(n); *b.left < 0 {
		return 0, fmt.Errorf("it unpacks to more than %d MiB, which WordNet does not have", maxUnpacked>>20)
	}
	return n, err
}
