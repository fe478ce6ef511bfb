package linktext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"nightjar/model/text"
)

const (
	minLetters = 3       // of a word
	maxLetters = 4 * 64  // bytes of a word with its marks; longer runs of letters are none
	maxEntity  = 64      // bytes of an entity
	beside     = 4 * 256 // bytes of a text beside a window that tell whether its ends cut a word or an entity
)

// vocabulary decides which words are kept. It belongs to one document, so that each word is looked up once.
type vocabulary struct {
	from  *Extractor
	forms map[string]string // word -> its base form, "" for a word that is left out
	buf   []byte            // of addSource
}

func (e *Extractor) newVocabulary() *vocabulary {
	return &vocabulary{from: e, forms: make(map[string]string)}
}

// form is the base form of a word, "" for a word that is left out.
func (v *vocabulary) form(word []byte) string {
	if form, known := v.forms[string(word)]; known {
		return form
	}
	w := string(word)
	form := ""
	if utf8.RuneCountInString(w) >= minLetters && !v.leftOut(w) {
		if form = v.from.base(w); v.leftOut(form) {
			form = ""
		}
	}
	v.forms[w] = form
	return form
}

func (v *vocabulary) leftOut(word string) bool { return text.StopWord(word) || v.from.navigation[word] }

// counting counts the words of one link.
type counting struct {
	*vocabulary
	words []Word
}

// addText counts the words of a text without markup and entities.
func (c *counting) addText(s string) { c.add(strings.ToValidUTF8(s, "\uFFFD"), 0, -1) }

// addSource counts the words of a text of the source that are between two of its bytes, both between characters. A word or
// entity that an end cuts is left out.
func (c *counting) addSource(src []byte, from, to int) {
	start, end := max(0, from-beside), min(len(src), to+beside)
	for start > 0 && start < len(src) && !utf8.RuneStart(src[start]) {
		start++
	}
	buf, low, high := c.buf[:0], -1, 0
	for i := start; i < end; {
		size, amp := bytes.IndexByte(src[i:end], '&'), false
		switch {
		case size < 0:
			size = end - i
		case size == 0:
			size, amp = entity(src[i:]), true
		}
		if amp {
			inside := from <= i && i+size <= to
			if inside && low < 0 {
				low = len(buf)
			}
			buf = append(buf, html.UnescapeString(string(src[i:i+size]))...)
			if inside {
				high = len(buf)
			}
		} else {
			if low < 0 && max(i, from) < min(i+size, to) {
				low = len(buf) + max(i, from) - i
			}
			if max(i, from) < min(i+size, to) {
				high = len(buf) + min(i+size, to) - i
			}
			buf = append(buf, src[i:i+size]...)
		}
		i += size
	}
	c.buf = buf
	if low >= 0 {
		c.add(string(buf), low, high)
	}
}

// entity is the size in bytes of the entity or lone ampersand at the start of src.
func entity(src []byte) int {
	i := 1
	for i < len(src) && i < maxEntity && (src[i] == '#' || '0' <= src[i] && src[i] <= '9' || 'a' <= src[i]|0x20 && src[i]|0x20 <= 'z') {
		i++
	}
	if i < len(src) && src[i] == ';' {
		i++
	}
	return i
}

// add counts the words of s that are between two of its bytes; -1 is the end.
func (c *counting) add(s string, from, to int) {
	if to < 0 {
		to = len(s)
	}
	if !norm.NFC.IsNormalString(s) {
		before, in, after := norm.NFC.String(s[:from]), norm.NFC.String(s[from:to]), norm.NFC.String(s[to:])
		s, from, to = before+in+after, len(before), len(before)+len(in)
	}
	for word, at := range text.Written(s) {
		if at.From < from || at.To-at.From > maxLetters {
			continue
		}
		if at.To > to {
			return
		}
		if form := c.form(word); form != "" {
			c.count(form)
		}
	}
}

func (c *counting) count(word string) {
	for i := range c.words {
		if c.words[i].Word == word {
			c.words[i].N++
			return
		}
	}
	if len(c.words) < MaxWords {
		c.words = append(c.words, Word{Word: word, N: 1})
	}
}

// isWord reports whether s is one word of letters, which text.Written yields as a whole.
func isWord(s string) bool {
	n := 0
	for _, at := range text.Written(s) {
		if n++; at.From != 0 || at.To != len(s) {
			return false
		}
	}
	return n == 1
}
