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
	var came int64
	packed := bufio.NewReader(&seen{r, func(p []byte) error {
		came += int64(len(p))
		return nil
	}})
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
		return problemf("%s ends too early, after byte %d: download it again", name, came)
	case err != nil:
		return problemf("%s, before byte %d: %w", name, came, err)
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
	r := &seen{untilDone(u.ctx, z), func(p []byte) error {
		if u.left -= int64(len(p)); u.left < 0 {
			return fmt.Errorf("it unpacks to more than %d MiB, which WordNet does not have", maxUnpacked>>20)
		}
		return nil
	}}
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
