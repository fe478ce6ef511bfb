package wordnet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"nightjar/model/wordnet"
)

// errNone is the error of load when the folder has no WordNet.
var errNone = errors.New("no WordNet")

// edition is a WordNet that was read.
type edition struct {
	place       place
	net         *wordnet.Net
	fingerprint string
	version     string // such as "3.1", "" when the files do not say
	notice      string // copyright and licence, as the files say
	bytes       int64  // of the files
	took        time.Duration
}

// load reads the WordNet of a place; errNone when it has none.
func load(p place) (*edition, error) {
	if !p.holds() {
		return nil, errNone
	}
	begun := time.Now()
	is := &edition{place: p}
	files, read := wordnet.Files{}, []*hashed{}
	defer func() {
		for _, f := range read {
			_ = f.file.Close() // it was only read
		}
	}()
	for _, name := range wordnet.Names() {
		f, err := openHashed(filepath.Join(p.folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // Read says which must be there
		} else if err != nil {
			return nil, err
		}
		files[name], read = f, append(read, f)
	}
	var err error
	if is.net, err = wordnet.Read(files); err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, f := range read {
		fmt.Fprintf(sum, "%s %x\n", filepath.Base(f.file.Name()), f.hash.Sum(nil))
		is.bytes += f.size
	}
	is.fingerprint = hex.EncodeToString(sum.Sum(nil)[:16])
	if is.notice, err = notice(p.folder); err != nil {
		return nil, err
	}
	if found := versions.FindStringSubmatch(is.notice); found != nil {
		is.version = found[1]
	}
	is.took = time.Since(begun)
	return is, nil
}

// gloss reads the definition of a sense.
func (is *edition) gloss(s wordnet.Sense) (string, error) {
	f, err := openFile(filepath.Join(is.place.folder, is.net.DataFile(s)))
	if err != nil {
		return "", err
	}
	gloss, err := is.net.Gloss(s, f)
	return gloss, errors.Join(err, f.Close())
}

// openFile opens a regular file. Opening a pipe could wait without end.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: add WordNet again", path)
	}
	return os.Open(path)
}

// hashed is a file that is read and hashed.
type hashed struct {
	file *os.File
	hash interface {
		io.Writer
		Sum([]byte) []byte
	}
	size int64
}

func openHashed(path string) (*hashed, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return &hashed{file: f, hash: sha256.New()}, nil
}

// Read reads from the file.
func (h *hashed) Read(p []byte) (int, error) {
	n, err := h.file.Read(p)
	_, _ = h.hash.Write(p[:n]) // a hash takes everything
	h.size += int64(n)
	return n, err
}
