package groups

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// dictionary is WordNet, and the base forms that were looked up.
type dictionary struct {
	net     *wordnet.Net
	version string   // such as "3.0", "" if the files do not say
	bases   sync.Map // word -> base form
}

// errNoWordNet says how to get WordNet.
var errNoWordNet = errors.New(`WordNet was not found. Without installing it, Debian and Ubuntu give it by

    apt-get download wordnet-base && dpkg -x wordnet-base_*.deb wordnet

Then name its files: --wordnet wordnet/usr/share/wordnet, or NIGHTJAR_WORDNET`)

// openWordNet reads the WordNet of a folder, or, for "", of the first of the usual folders that has one.
func openWordNet(dir string) (*dictionary, error) {
	if dir != "" {
		return readWordNet(dir)
	}
	for _, dir := range []string{os.Getenv("NIGHTJAR_WORDNET"), os.Getenv("WNSEARCHDIR"), "/usr/share/wordnet"} {
		if dir == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "data.noun")); err == nil {
			return readWordNet(dir)
		}
	}
	return nil, errNoWordNet
}

func readWordNet(dir string) (*dictionary, error) {
	files := wordnet.Files{}
	for _, name := range wordnet.Names() {
		f, err := os.Open(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(name, ".exc") {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read WordNet: %w", err)
		}
		defer func() { _ = f.Close() }() // was only read
		files[name] = f
	}
	net, err := wordnet.Read(files)
	if err != nil {
		return nil, err
	}
	d := &dictionary{net: net}
	d.version, err = versionOf(filepath.Join(dir, "data.noun"))
	return d, err
}

var versionLine = regexp.MustCompile(`WordNet (\d+\.\d+) Copyright`)

// versionOf is the version in the licence at the beginning of a file.
func versionOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // was only read
	begin := make([]byte, 4096)
	n, err := f.Read(begin)
	if err != nil {
		return "", err
	}
	if m := versionLine.FindSubmatch(begin[:n]); m != nil {
		return string(m[1]), nil
	}
	return "", nil
}

// base is the base form of a word, or the word itself. It may be called from several goroutines.
func (d *dictionary) base(word string) string {
	if b, ok := d.bases.Load(word); ok {
		return b.(string)
	}
	b, found := senses.Lookup(d.net, word)
	if len(found) == 0 {
		b = word
	}
	d.bases.Store(word, b)
	return b
}

// above are all senses that are more general than one.
func (d *dictionary) above(s wordnet.Sense) []wordnet.Sense {
	var all []wordnet.Sense
	for next := d.net.Hypernyms(s); len(next) > 0; {
		var level []wordnet.Sense
		for _, h := range next {
			if !slices.Contains(all, h) {
				all, level = append(all, h), append(level, d.net.Hypernyms(h)...)
			}
		}
		next = level
	}
	return all
}
