// Package texts has what many packages do with short texts.
package texts

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Words is the set of the words of a list.
func Words(list string) map[string]bool {
	all := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// Cut shortens a text to at most n bytes, between characters.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// First returns the first n characters of a text.
func First(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Count is a number with the word for one or for several.
func Count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + several
}

// Plural is a number with a noun that has a regular plural.
func Plural(n int, noun string) string { return Count(n, noun, noun+"s") }
