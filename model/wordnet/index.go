package wordnet

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// index is the words of a part of speech with their senses.
type index struct {
	words  lexicon
	senses lists[Sense] // [word]: in WordNet's order
}

// rawIndex is an index whose senses are still the bytes of their lines in the data file.
type rawIndex struct {
	index
	from   *lines
	lineAt []uint32 // [word]: byte of its line in the index
}

// readIndex reads an index file. A line is: word, part of speech, number of senses, number of kinds of pointers, the kinds,
// number of senses again, number of tagged senses, offsets of the senses.
func readIndex(l *lines, pos POS) (*rawIndex, error) {
	var words []string
	var lineAt []uint32
	offsets := newLists[Sense]()
	for {
		line, err := l.line()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		f := fields{line}
		words = append(words, strings.ToLower(string(f.next())))
		lineAt = append(lineAt, uint32(l.offset))
		if err := offsets.indexLine(l, f, pos); err != nil {
			return nil, err
		}
	}
	raw := &rawIndex{from: l}
	var order []int32
	raw.words, order = sorted(words)
	raw.senses = newLists[Sense]()
	raw.senses.items = make([]Sense, 0, len(offsets.items))
	for place, i := range order {
		if place > 0 && raw.words.at(wordID(place)) == raw.words.at(wordID(place-1)) {
			l.offset = int64(lineAt[i])
			return nil, l.wrong("the word %.40q has two lines", words[i])
		}
		raw.senses.items = append(raw.senses.items, offsets.at(int(i))...)
		raw.senses.end()
		raw.lineAt = append(raw.lineAt, lineAt[i])
	}
	raw.senses.start = slices.Clone(raw.senses.start)
	return raw, nil
}

// indexLine reads a line after the word, and appends the list of its offsets.
func (l *lists[T]) indexLine(from *lines, f fields, pos POS) error {
	if p := f.next(); string(p) != pos.String() {
		return from.wrong("the part of speech is %.10q instead of %q", p, pos)
	}
	senses, ok := f.number(10)
	kinds, ok2 := f.number(10)
	if !ok || !ok2 || senses == 0 || senses > maxSenses || kinds > maxLine {
		return from.wrong("the number of senses or pointers is missing or too large")
	}
	for range kinds + 2 { // the kinds of pointers, and two more counts
		if len(f.next()) == 0 {
			return from.wrong("there are fewer fields than the line says")
		}
	}
	begin := len(l.items)
	for range senses {
		at, ok := f.number(10)
		if !ok || at > maxFile {
			return from.wrong("there are fewer senses than the line says")
		}
		if slices.Contains(l.items[begin:], T(at)) {
			return from.wrong("a sense is listed twice")
		}
		l.items = append(l.items, T(at))
	}
	l.end()
	return nil
}

// resolve turns offsets into senses: that at offsets[i] is first+i.
func (raw *rawIndex) resolve(offsets []uint32, first Sense) error {
	for w := range raw.words.len() {
		list := raw.senses.at(w)
		for i, at := range list {
			place, ok := slices.BinarySearch(offsets, uint32(at))
			if !ok {
				raw.from.offset = int64(raw.lineAt[w])
				return raw.from.wrong("a sense is said to be at byte %08d of the data file, where no synset begins", at)
			}
			list[i] = first + Sense(place)
		}
	}
	return nil
}
