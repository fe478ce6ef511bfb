package wordnet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Files are the files of a dict folder by name, such as "data.noun". Read reads each to its end and closes none.
type Files map[string]io.Reader

// Names lists the files that Read reads. Those that end in ".exc" may be missing: then there are no irregular forms.
func Names() []string {
	var all []string
	for _, pos := range []POS{Noun, Verb} {
		all = append(all, dataFile(pos), indexFile(pos), excFile(pos))
	}
	return all
}

// DataFile is the name of the file that holds a sense, which Gloss reads.
func (n *Net) DataFile(s Sense) string { return dataFile(n.POS(s)) }

func dataFile(pos POS) string  { return "data." + long(pos) }
func indexFile(pos POS) string { return "index." + long(pos) }
func excFile(pos POS) string   { return long(pos) + ".exc" }

func long(pos POS) string {
	if pos == Noun {
		return "noun"
	}
	return "verb"
}

// Read reads a WordNet. What breaks the format is a *FileError.
func Read(files Files) (*Net, error) {
	for _, name := range Names() {
		if files[name] == nil && !strings.HasSuffix(name, ".exc") {
			return nil, fmt.Errorf("%s is missing: name a WordNet dict folder, which has %s", name, strings.Join(Names(), ", "))
		}
	}
	n := &Net{index: map[POS]*index{}, exc: map[POS]exception{},
		words: newLists[wordID](), hypernyms: newLists[Sense]()}
	for _, pos := range []POS{Noun, Verb} {
		if err := n.readPOS(files, pos); err != nil {
			return nil, err
		}
		if pos == Noun {
			n.nouns = Sense(n.Len())
		}
	}
	n.hyponyms = inverse(&n.hypernyms, n.Len())
	n.fit()
	return n, n.climb()
}

// readPOS appends the senses of a part of speech. Their words are looked up in the index, and the index's senses among
// them.
func (n *Net) readPOS(files Files, pos POS) error {
	ix, err := readIndex(newLines(indexFile(pos), files[indexFile(pos)]), pos)
	if err != nil {
		return err
	}
	n.index[pos] = &ix.index
	first := n.Len()
	pointers, err := n.readData(newLines(dataFile(pos), files[dataFile(pos)]), pos)
	if err != nil {
		return err
	}
	if err := n.point(pointers, pos, first); err != nil {
		return err
	}
	if err := ix.resolve(n.offset[first:], Sense(first)); err != nil {
		return err
	}
	if err := n.checkWords(pos, first); err != nil {
		return err
	}
	n.exc[pos] = exception{}
	if r := files[excFile(pos)]; r != nil {
		n.exc[pos], err = readExceptions(newLines(excFile(pos), r))
	}
	return err
}

// pointer is a line's pointer to a hypernym, which may stand further down in the file.
type pointer struct{ to uint32 } // byte of the hypernym's line

// readData appends words and offsets of the senses of a file, and returns their hypernyms: pointers[i] are those of the
// i-th sense of the file.
func (n *Net) readData(l *lines, pos POS) (pointers [][]pointer, err error) {
	var spare []pointer // one array for many short lists
	for {
		line, err := l.line()
		if errors.Is(err, io.EOF) {
			return pointers, nil
		} else if err != nil {
			return nil, err
		}
		from := len(spare)
		if spare, err = n.synset(l, line, pos, spare); err != nil {
			return nil, err
		}
		pointers = append(pointers, spare[from:len(spare):len(spare)])
	}
}

// synset reads a line of a data file: offset, lexicographer file, part of speech, words (hexadecimal number, then word and
// lex_id each), pointers (number, then symbol, offset, part of speech and source/target each), frames of verbs, and after
// "|" the gloss.
func (n *Net) synset(l *lines, line []byte, pos POS, pointers []pointer) ([]pointer, error) {
	body, _, glossed := bytes.Cut(line, []byte("|"))
	f := fields{body}
	if !f.isOffset(l.offset) {
		return nil, l.wrong("the line does not begin with its own offset %08d", l.offset)
	}
	if !glossed {
		return nil, l.wrong("the line has no definition")
	}
	f.next()
	if ss := f.next(); string(ss) != pos.String() {
		return nil, l.wrong("the part of speech is %.10q instead of %q", ss, pos)
	}
	count, ok := f.number(16)
	if !ok || count == 0 || count > 0xff {
		return nil, l.wrong("the number of words is missing or too large")
	}
	for range count {
		word := f.next()
		if len(f.next()) == 0 {
			return nil, l.wrong("there are fewer words than the line says")
		}
		if w, ok := n.index[pos].words.find(key(string(word))); ok {
			n.words.items = append(n.words.items, w)
		}
	}
	n.words.end()
	n.offset = append(n.offset, uint32(l.offset))
	if count, ok = f.number(10); !ok || count > maxLine {
		return nil, l.wrong("the number of pointers is missing")
	}
	from := len(pointers)
	for range count {
		symbol := f.next()
		to, ok := f.number(10)
		if p := f.next(); !ok || len(p) != 1 || len(f.next()) == 0 {
			return nil, l.wrong("there are fewer pointers than the line says")
		} else if s := string(symbol); s != "@" && s != "@i" {
			continue
		} else if string(p) != pos.String() {
			return nil, l.wrong("a hypernym is of another part of speech")
		}
		pointers = append(pointers, pointer{to})
		if len(pointers)-from > maxAbove {
			return nil, l.wrong("the synset has more than %d hypernyms", maxAbove)
		}
	}
	return pointers, nil
}

// point turns pointers into senses. A hypernym that is there twice counts once. Of two senses that are each other's hypernyms, as
// two verbs of Princeton's WordNet 3.0 are (restrain and inhibit), the first keeps the other as its hypernym.
func (n *Net) point(pointers [][]pointer, pos POS, first int) error {
	for i, list := range pointers {
		from := len(n.hypernyms.items)
		for _, p := range list {
			at, ok := slices.BinarySearch(n.offset[first:], p.to)
			if !ok {
				return n.wrong(Sense(first+i), pos, "a hypernym is said to be at byte %08d, where no synset begins", p.to)
			}
			s := Sense(first + at)
			mutual := at < i && slices.Contains(n.Hypernyms(s), Sense(first+i))
			if !mutual && !slices.Contains(n.hypernyms.items[from:], s) {
				n.hypernyms.items = append(n.hypernyms.items, s)
			}
		}
		n.hypernyms.end()
	}
	return nil
}

// checkWords leaves the words of each sense that the index lists with it, each once: words may differ in case only. There
// must be one, since names of senses are made of them.
func (n *Net) checkWords(pos POS, first int) error {
	ix, kept, end := n.index[pos], n.words.start[first], n.words.start[first]
	for s := first; s < n.Len(); s++ {
		begin := end
		end = n.words.start[s+1]
		n.words.start[s] = kept
		for _, w := range n.words.items[begin:end] {
			twice := slices.Contains(n.words.items[n.words.start[s]:kept], w)
			if !twice && slices.Contains(ix.senses.at(int(w)), Sense(s)) {
				n.words.items[kept] = w
				kept++
			}
		}
		if kept == n.words.start[s] {
			return n.wrong(Sense(s), pos, "%s lists no word of the synset", indexFile(pos))
		}
	}
	n.words.start[n.Len()] = kept
	n.words.items = n.words.items[:kept]
	return nil
}

// wrong is a FileError at the line of a sense.
func (n *Net) wrong(s Sense, pos POS, format string, args ...any) error {
	return &FileError{File: dataFile(pos), Offset: int64(n.offset[s]), Err: fmt.Errorf(format, args...)}
}

// fit gives back what the arrays hold too much.
func (n *Net) fit() {
	n.offset = slices.Clip(slices.Clone(n.offset))
	n.words.items, n.words.start = slices.Clone(n.words.items), slices.Clone(n.words.start)
	n.hypernyms.items, n.hypernyms.start = slices.Clone(n.hypernyms.items), slices.Clone(n.hypernyms.start)
}
