package wordnet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
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
	files, sums := wordnet.Files{}, map[string]hash.Hash{}
	for _, name := range wordnet.Names() {
		f, err := openFile(filepath.Join(p.folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // Read says which must be there
		} else if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		sum := sha256.New()
		files[name] = &seen{f, func(p []byte) error {
			is.bytes += int64(len(p))
			_, err := sum.Write(p)
			return err
		}}
		sums[name] = sum
	}
	var err error
	if is.net, err = wordnet.Read(files); err != nil {
		return nil, err
	}
	all := sha256.New()
	for _, name := range wordnet.Names() {
		if sum := sums[name]; sum != nil {
			fmt.Fprintf(all, "%s %x\n", name, sum.Sum(nil))
		}
	}
	is.fingerprint = hex.EncodeToString(all.Sum(nil)[:16])
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
