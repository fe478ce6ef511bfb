package wordnet

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/xi2/xz"
)

// File is an archive that can be read at any place.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// maxWindow is the most memory in bytes that an archive may ask its reader to keep: Debian's packages ask for 8 MiB, and
// xz -9 for 64.
const maxWindow = 64 << 20

// unpack takes the files of an archive: tar, also compressed by gzip, xz, zstd or bzip2; Debian package; zip. What it is
// follows from its content.
func (c *collector) unpack(name string, f File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return problemf("%s: %w", name, err)
	}
	if size > maxArchive {
		return problemf("%s has more than %d MiB: it is not WordNet alone; unpack it, and name the dict folder", name, maxArchive>>20)
	}
	u := &unpacking{collector: c, raw: &counted{r: f}, left: maxUnpacked}
	head := make([]byte, 4)
	if n, _ := f.ReadAt(head, 0); n == 4 && string(head) == "PK\x03\x04" {
		err = u.zip(f, size)
	} else {
		err = u.archive(bufio.NewReaderSize(u.raw, 64<<10))
	}
	var disk *diskError
	switch {
	case c.ctx.Err() != nil:
		return c.ctx.Err()
	case errors.As(err, &disk):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return problemf("%s ends too early, after byte %d: download it again", name, u.raw.n)
	case err != nil:
		return problemf("%s, before byte %d: %w", name, u.raw.n, err)
	case !c.have["data.noun"]:
		return problemf("%s has no data.noun: get an archive of WordNet's dict folder, such as Debian's package wordnet-base", name)
	}
	return nil
}

// unpacking is an archive that is being read.
type unpacking struct {
	*collector
	raw  *counted // the archive's own bytes
	left int64    // bytes that it may still unpack to
}

// archive reads a Debian package, or a tar file that may be compressed.
func (u *unpacking) archive(r *bufio.Reader) error {
	if head, _ := r.Peek(len(arMagic)); string(head) != arMagic {
		return u.tarball(r)
	}
	member, err := findMember(r, "data.tar")
	if err != nil {
		return err
	}
	return u.tarball(bufio.NewReader(member))
}

// tarball reads a tar file that may be compressed.
func (u *unpacking) tarball(r *bufio.Reader) error {
	head, err := r.Peek(262)
	if len(head) == 0 && err != nil {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		return u.tar(z)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		z, err := xz.NewReader(r, maxWindow)
		if err != nil {
			return err
		}
		return u.tar(z)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		defer z.Close()
		return u.tar(z)
	case bytes.HasPrefix(head, []byte("BZh")):
		return u.tar(bzip2.NewReader(r))
	case len(head) == 262 && string(head[257:]) == "ustar":
		return u.tar(r)
	}
	return errors.New("this is no archive that Nightjar reads: name a .deb, .tgz, .tar.gz, .tar.xz or .zip with WordNet, or its dict folder")
}

// tar takes the files of a tar file, and reads the rest too, so that checksums are checked.
func (u *unpacking) tar(r io.Reader) error {
	r = &bounded{r: &untilDone{u.ctx, r}, left: &u.left}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, r)
			return err
		} else if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg { // no folders, links or devices
			continue
		}
		if err := u.take(wholeName(h.Name), t); err != nil {
			return err
		}
	}
}

// zip takes the files of a zip file.
func (u *unpacking) zip(f File, size int64) error {
	u.raw.n = size // errors name its end: the list of files is there
	z, err := zip.NewReader(f, size)
	if err != nil {
		return err
	}
	for _, e := range z.File {
		name := wholeName(e.Name)
		if limit(name) == 0 || !e.Mode().IsRegular() || strings.HasPrefix(e.Name, "__MACOSX/") {
			continue
		}
		r, err := e.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = u.take(name, &bounded{r: r, left: &u.left})
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
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
