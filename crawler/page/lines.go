package page

import (
	"unicode"
	"unicode/utf8"
)

// line is one block of a page's text, with what distinguishes content from navigation. Sizes are in letters, not in words,
// so that they mean the same in scripts without spaces.
type line struct {
	start, end int // in lineWriter.text
	region     int // innermost region around it
	letters    int // letters and digits
	linked     int // of them, inside links
	links      int // links that end in it
	heading    int // level 1 to 6, 0 for none
}

// plain is the number of letters outside links.
func (l line) plain() int { return l.letters - l.linked }

// running reports whether a line is running text, not a list entry or a menu.
func (l line) running() bool { return l.plain() >= runningLetters && l.linked*2 <= l.letters }

// linkOnly reports whether a line has hardly any text outside its links.
func (l line) linkOnly() bool { return l.linked > 0 && l.linked*10 >= l.letters*9 }

// runningLetters is the size of a line of running text: about twelve English words.
const runningLetters = 60

// letterWeight is how many alphabetic letters a Chinese, Japanese or Korean character counts for.
const letterWeight = 3

// lineWriter collects text into lines with white space folded.
type lineWriter struct {
	text  []byte
	lines []line
	now   line // the open line
	space bool // white space follows the last character of the open line
	link  bool // inside a link
}

// add appends a piece of text to the open line.
func (l *lineWriter) add(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			l.space = true
			continue
		}
		l.part()
		l.text = utf8.AppendRune(l.text, r)
		l.count(weight(r))
	}
}

// part writes pending white space before the next character.
func (l *lineWriter) part() {
	if l.space && len(l.text) > l.now.start {
		l.text = append(l.text, ' ')
	}
	l.space = false
}

func (l *lineWriter) count(letters int) {
	l.now.letters += letters
	if l.link {
		l.now.linked += letters
	}
}

// end closes the open line and drops an empty one. heading is the level of its heading, or 0.
func (l *lineWriter) end(region, heading int) {
	l.space = false
	if len(l.text) == l.now.start {
		l.now.links = 0
		return
	}
	l.now.end, l.now.region, l.now.heading = len(l.text), region, heading
	l.lines = append(l.lines, l.now)
	l.now = line{start: len(l.text)}
}

// weight is how many letters a character counts for.
func weight(r rune) int {
	switch {
	case r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return letterWeight
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return 1
	}
	return 0
}
