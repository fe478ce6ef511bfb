package weburl

import (
	"math"
	"regexp"
	"strings"
)

// minSecret is the length from which a random-looking run of characters counts as a secret: people type less, and counters
// are shorter. In a path, after a word that announces a secret, it is minSegment.
const (
	minSecret  = 20
	minSegment = 16
)

// minEntropy, in bits a character, separates random strings (about 4 and more, hexadecimal ones somewhat below) from
// numbers and repeated patterns.
const minEntropy = 3.0

// A run is as random as its long words: in those of minWord characters and more, the kind of character changes at least
// minChanges times. Short ones, such as h264 and mp3, are names.
const (
	minWord    = 6
	minChanges = 4
)

var uuid = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// random reports whether s contains a random-looking run of at least min characters: long, varied, and with mixed kinds of
// characters inside its words. The characters are those of both base64 alphabets. A UUID always counts.
func random(s string, min int) bool {
	if len(s) < min {
		return false
	}
	if uuid.MatchString(s) {
		return true
	}
	for run := range strings.FieldsFuncSeq(s, func(r rune) bool { return !alphanumeric(r) && !joins(r) }) {
		if len(run) >= min && entropy(run) >= minEntropy && mixed(run) {
			return true
		}
	}
	return false
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// joins reports whether a character separates the words of a run.
func joins(r rune) bool { return r == '-' || r == '_' || r == '+' || r == '/' || r == '=' }

// entropy is the Shannon entropy of the bytes of s, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var h float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// mixed reports whether letters and digits, or lower and upper case, alternate inside the words of a run more often than
// in ordinary writing.
func mixed(run string) bool {
	sum := 0
	for word := range strings.FieldsFuncSeq(run, joins) {
		if len(word) >= minWord {
			sum += changes(word)
		}
	}
	return sum >= minChanges
}

// changes counts the changes between letters and digits, and between small and capital letters, of a word. Word and camelCase
// do not count, if two or more small letters come before the capital one.
func changes(word string) int {
	n, small := 0, 0
	for i := 0; i+1 < len(word); i++ {
		a, b := kind(word[i]), kind(word[i+1])
		if a != 'a' {
			small = 0
		} else {
			small++
		}
		camel := small > 1 && b == 'A' && i+2 < len(word) && kind(word[i+2]) == 'a'
		if a != b && !(a == 'A' && b == 'a') && !camel {
			n++
		}
	}
	return n
}

func kind(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	}
	return 'A'
}
