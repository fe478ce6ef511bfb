package neardup

import (
	"unicode"
	"unicode/utf8"
)

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Number is the folded hash of each word that is a number.
var Number = func() (h uint64) {
	EachWord("0", func(_, folded uint64) bool { h = folded; return true })
	return h
}()

// EachWord calls yield with two hashes of each word, the second with all numbers in the word folded, until yield returns
// false.
func EachWord(text string, yield func(word, folded uint64) bool) {
	w := newWord
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			if !w.rune(r, yield) {
				return
			}
			continue
		}
		i++
		switch c = asciiWord[c]; {
		case c == 0:
			if w.begun && !w.end(yield) {
				return
			}
		case c <= '9':
			w.digit(rune(c))
		default:
			w.letter(rune(c))
		}
	}
	w.end(yield)
}

// word is a word as far as it is read.
type word struct {
	hash, folded    uint64
	begun, inNumber bool
}

var newWord = word{hash: fnvOffset, folded: fnvOffset}

func (w *word) letter(r rune) {
	w.hash = (w.hash ^ uint64(r)) * fnvPrime
	w.folded = (w.folded ^ uint64(r)) * fnvPrime
	w.begun, w.inNumber = true, false
}

func (w *word) digit(r rune) {
	w.hash = (w.hash ^ uint64(r)) * fnvPrime
	if !w.inNumber {
		w.folded = (w.folded ^ '0') * fnvPrime
	}
	w.begun, w.inNumber = true, true
}

// rune reads a character that is not ASCII.
func (w *word) rune(r rune, yield func(word, folded uint64) bool) bool {
	letter, digit := unicode.IsLetter(r) || unicode.IsMark(r), unicode.IsDigit(r)
	if !letter && !digit {
		return w.end(yield)
	}
	alone := r >= 0x0e00 && unspaced(r)
	if alone && !w.end(yield) {
		return false
	}
	if r = unicode.ToLower(r); digit {
		w.digit(r)
	} else {
		w.letter(r)
	}
	return !alone || w.end(yield)
}

// end passes on the word, if one has begun.
func (w *word) end(yield func(word, folded uint64) bool) bool {
	if !w.begun {
		return true
	}
	hash, folded := mix(w.hash), mix(w.folded)
	*w = newWord
	return yield(hash, folded)
}

// asciiWord is each ASCII letter in lower case, each digit as it is, and 0 for all other characters.
var asciiWord = func() (lower [utf8.RuneSelf]byte) {
	for c := range byte(utf8.RuneSelf) {
		switch {
		case '0' <= c && c <= '9' || 'a' <= c && c <= 'z':
			lower[c] = c
		case 'A' <= c && c <= 'Z':
			lower[c] = c + 'a' - 'A'
		}
	}
	return lower
}()

// unspaced reports whether a letter is from a script without spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// mix spreads a hash over all 64 bits (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
