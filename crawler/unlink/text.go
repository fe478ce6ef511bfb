package unlink

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Text returns a text without the addresses that name the site, and whether it had any. An address goes with what is written
// to it without a space. Text keeps JSON and XML well-formed.
func (s *Site) Text(text []byte) (clean []byte, changed bool) {
	if !s.May(text) {
		return text, false
	}
	for at := 0; at < len(text); {
		from, to := run(text, at)
		cutFrom, cutTo := from, from
		if from < to {
			cutFrom, cutTo = s.cut(text[from:to])
			cutFrom, cutTo = cutFrom+from, cutTo+from
		}
		if cutTo > cutFrom {
			if !changed {
				clean, changed = append(make([]byte, 0, len(text)), text[:at]...), true
			}
			clean = append(append(clean, text[at:cutFrom]...), text[cutTo:to]...)
		} else if changed {
			clean = append(clean, text[at:to]...)
		}
		at = to
	}
	if !changed {
		return text, false
	}
	return clean, true
}

// run returns the next part of a text from at on that has no space, quote or angle bracket.
func run(text []byte, at int) (from, to int) {
	from = at
	for from < len(text) {
		r, n := utf8.DecodeRune(text[from:])
		if !separates(r) {
			break
		}
		from += n
	}
	to = from
	for to < len(text) {
		r, n := utf8.DecodeRune(text[to:])
		if separates(r) {
			break
		}
		to += n
	}
	return from, to
}

func separates(r rune) bool {
	switch r {
	case '<', '>', '"', '\'', '`', ' ', '\n', '\t', '\r':
		return true
	case utf8.RuneError:
		return false
	}
	return r <= ' ' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.IsPunct(r) && r != 0xff0e && r != 0xff0f && r != 0xff1a)
}

// cut returns the bounds of the site's URL within a run, or an empty range if there is none. In a script without spaces it
// leaves out the words around it.
func (s *Site) cut(run []byte) (from, to int) {
	folded := fold(run)
	if !s.isAddress(folded) {
		return 0, 0
	}
	to = len(bytes.TrimRight(run, `\`)) // it may escape the quote that follows
	if !bytes.ContainsFunc(run, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) {
		return 0, to
	}
	if len(folded) != len(run) { // with escapes: where the address begins is not known
		return 0, to
	}
	s.each(folded, func(_ string, first, _ int) bool {
		for from = first; from > 0 && run[from-1] < utf8.RuneSelf; {
			from--
		}
		return false
	})
	return from, to
}
