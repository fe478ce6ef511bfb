package neardup

import (
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

// NearBits is how many of the 64 bits of two simhashes may differ for the texts to count as the same (Manku, Jain and
// Das Sarma, Detecting Near-Duplicates for Web Crawling, WWW 2007, section 4).
const NearBits = 3

// maxSketch is the number of words of a text that NewSketch reads.
const maxSketch = 4000

// Sketch is what near-duplicate texts have in common. The zero value is for a page without text.
type Sketch struct {
	Simhash  uint64   // of the words (Charikar 2002), 0 if there are none
	Words    int      // read, at most 4,000
	Shingles []uint64 // hashes of each three words in a row, digits folded, without those with a word of the address
}

// SameText reports whether two simhashes are of equal or near-duplicate texts. A missing text equals nothing.
func SameText(a, b uint64) bool {
	return a != 0 && b != 0 && bits.OnesCount64(a^b) <= NearBits
}

// NewSketch reads the text of the page at url. In scripts without spaces between words, each character is a word. Shingles
// with a word of the address are left out, because pages generated for any address repeat it.
func NewSketch(url, text string) Sketch {
	var s Sketch
	// Each distinct word has one vote per bit. With a vote for each occurrence, the few words that make up half of any English
	// text would decide, and all long texts would be alike.
	var votes [64]int32
	var before [2]uint64 // the last two words
	var since int        // words since the last echo
	var room [32]uint64
	echo := room[:0] // words of the address
	var voted wordSet
	EachWord(weburl.Unescape(url), func(_, folded uint64) bool {
		if folded != Number {
			echo = append(echo, folded)
		}
		return true
	})
	EachWord(text, func(word, folded uint64) bool {
		if voted.add(word) {
			for i := range votes {
				votes[i] += int32(word>>i&1)*2 - 1
			}
		}
		s.Words++
		if since++; slices.Contains(echo, folded) {
			since = 0
		}
		if since > 2 {
			s.Shingles = append(s.Shingles, mix(before[0]*3+before[1]*5+folded))
		}
		before[0], before[1] = before[1], folded
		return s.Words < maxSketch
	})
	for i, v := range votes {
		if v > 0 {
			s.Simhash |= 1 << i
		}
	}
	if s.Words > 0 && s.Simhash == 0 {
		s.Simhash = 1
	}
	return s
}

// wordSet is a set of up to maxSketch hashes.
type wordSet struct {
	slots [1 << 13]uint64 // more than twice maxSketch; 0 is free
	zero  bool
}

// add adds a hash and reports whether it is new.
func (s *wordSet) add(word uint64) bool {
	if word == 0 {
		fresh := !s.zero
		s.zero = true
		return fresh
	}
	at := word % uint64(len(s.slots))
	for s.slots[at] != 0 && s.slots[at] != word {
		at = (at + 1) % uint64(len(s.slots))
	}
	fresh := s.slots[at] == 0
	s.slots[at] = word
	return fresh
}

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
	word, folded := uint64(fnvOffset), uint64(fnvOffset)
	inWord, inNumber := false, false
	end := func() bool {
		if !inWord {
			return true
		}
		w, f := mix(word), mix(folded)
		word, folded, inWord, inNumber = fnvOffset, fnvOffset, false, false
		return yield(w, f)
	}
	for _, r := range text {
		letter, digit := kindOf(r)
		if !letter && !digit {
			if !end() {
				return
			}
			continue
		}
		alone := r >= 0x0e00 && unspaced(r)
		if alone && !end() {
			return
		}
		r = lowerRune(r)
		inWord = true
		word = (word ^ uint64(r)) * fnvPrime
		switch {
		case !digit:
			folded = (folded ^ uint64(r)) * fnvPrime
		case !inNumber:
			folded = (folded ^ '0') * fnvPrime
		}
		inNumber = digit
		if alone && !end() {
			return
		}
	}
	end()
}

func kindOf(r rune) (letter, digit bool) {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z', '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r), unicode.IsDigit(r)
}

func lowerRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

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
