package wordnet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrChanged is the error of Gloss when the data file is not the one that Read read.
var ErrChanged = errors.New("WordNet's files have changed since they were read: add WordNet again")

// Gloss is the definition of a sense with its examples, read from the data file (see DataFile), since glosses are most of
// WordNet and few are shown. It is ErrChanged when there is another line in the sense's place.
func (n *Net) Gloss(s Sense, data io.ReaderAt) (string, error) {
	at := int64(n.offset[s])
	from := newLines(n.DataFile(s), io.NewSectionReader(data, at, maxLine))
	line, err := from.line()
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the definition of %s: %w", n.Name(s), err)
	}
	f := fields{line}
	own := f.isOffset(at)
	f.next()
	pos := string(f.next())
	_, gloss, glossed := bytes.Cut(line, []byte("|"))
	if !own || pos != n.POS(s).String() || !glossed {
		return "", ErrChanged
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(gloss), "�")), nil
}
