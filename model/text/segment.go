package text

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// script tells how the words of a letter's script are found.
type script uint8

const (
	none   script = iota // no letter: it ends a word
	spaced               // words have spaces between them
	han                  // this one and all after it are written without spaces
	hiragana
	katakana
	thai
	lao
	khmer
	myanmar
)

// scriptOf is the script of a letter beyond ASCII.
//
// Hangul counts as spaced: Korean puts spaces between its phrases, each a word with its particles, and a bigram of two
// syllables would often join the end of a word with a particle.
func scriptOf(r rune) script {
	switch {
	case r < 0x0e00:
		return spaced
	case 0x4e00 <= r && r <= 0x9fff:
		return han
	case 0x3040 <= r && r <= 0x309f:
		return hiragana
	case 0x30a0 <= r && r <= 0x30ff: // with the mark that lengthens a vowel
		return katakana
	case 0xac00 <= r && r <= 0xd7a3: // Hangul
		return spaced
	}
	for i, table := range unspacedTables {
		if unicode.Is(table, r) {
			return han + script(i)
		}
	}
	return spaced
}

var unspacedTables = [...]*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar}

// Separated yields the words of s with where each stands, stop words among them. Words of scripts with spaces are as
// Written yields them. In Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar script nothing shows where a word ends: there
// each two letters that follow each other in one script are a word (bigrams), so that words overlap, and a letter that
// stands alone is one. Forms of letters that differ in width only are one letter. The slice is only valid until the next
// word.
func Separated(s string) iter.Seq2[[]byte, Span] { return separated(s, true) }

// separated is Separated, or Written when no script is written without spaces.
func separated(s string, unspaced bool) iter.Seq2[[]byte, Span] {
	return func(yield func([]byte, Span) bool) {
		p := separator{word: make([]byte, 0, maxWord*utf8.UTFMax), unspaced: unspaced}
		p.each(s, yield)
	}
}

// each yields the words of s, until yield says that it wants no more.
func (p *separator) each(s string, yield func([]byte, Span) bool) {
	for i := 0; i < len(s); {
		if p.runes == 0 { // most words are of ASCII alone
			to := p.plain(s, i)
			if to > i && (to == len(s) || s[to] < utf8.RuneSelf) {
				if !yield(p.word, Span{i, to}) {
					return
				}
				p.word = p.word[:0]
				i = to + 1
				continue
			}
			p.word = p.word[:0]
		}
		r, size, now := rune(0), 1, none
		switch {
		case lowerASCII[s[i]] != 0:
			r, now = rune(lowerASCII[s[i]]), spaced
		case s[i] >= utf8.RuneSelf:
			r, size, now = p.wide(s[i:])
			if now != none && r == 0 { // a mark belongs to the word and adds nothing
				if i += size; p.runes > 0 {
					p.at.To = i
				}
				continue
			}
		}
		if now != p.open && p.runes > 0 && !p.end(yield) {
			return
		}
		switch p.open = now; {
		case now == none:
			i += size
		case now == spaced:
			p.add(r, i, i+size)
			i += size
		default:
			if !p.pair(r, i, i+size, yield) {
				return
			}
			i += size
		}
	}
	if p.runes > 0 {
		p.end(yield)
	}
}

// separator is the open word, or the open run of letters of a script without spaces.
type separator struct {
	unspaced bool // there are scripts without spaces
	word     []byte
	open     script
	runes    int // letters of the word or run so far
	at       Span
	last     rune // of a run: the last letter, and where it begins
	from     int
}

// plain writes the ASCII letters that stand from a place on, and returns their end.
func (p *separator) plain(s string, from int) int {
	word, to := p.word, from
	for ; to < len(s); to++ {
		c := lowerASCII[s[to]]
		if c == 0 {
			break
		}
		if to < from+maxWord {
			word = append(word, c)
		}
	}
	p.word = word
	return to
}

// add adds a letter to the open word.
func (p *separator) add(r rune, from, to int) {
	if p.runes == 0 {
		p.at.From = from
	}
	if p.runes++; p.runes <= maxWord {
		p.word = utf8.AppendRune(p.word, r)
	}
	p.at.To = to
}

// end yields the open word. Of a run only a single letter is left to yield.
func (p *separator) end(yield func([]byte, Span) bool) bool {
	on := true
	if p.open == spaced {
		on = yield(p.word, p.at)
	} else if p.runes == 1 {
		on = yield(utf8.AppendRune(p.word[:0], p.last), p.at)
	}
	p.word, p.runes = p.word[:0], 0
	return on
}

// pair adds a letter to a run and yields the bigram that it ends.
func (p *separator) pair(r rune, from, to int, yield func([]byte, Span) bool) bool {
	on := true
	if p.runes > 0 {
		p.word = utf8.AppendRune(utf8.AppendRune(p.word[:0], p.last), r)
		on = yield(p.word, Span{p.from, to})
	}
	p.runes++
	p.last, p.from, p.at = r, from, Span{from, to}
	return on
}

// wide reads a character beyond ASCII: its lower case, its size in bytes, and its script. The rune is 0 for a mark.
func (p *separator) wide(s string) (r rune, size int, now script) {
	r, size = utf8.DecodeRuneInString(s)
	if 0xff00 <= r && r <= 0xffef && p.unspaced {
		r, size = narrow(s, size)
	}
	r, part := letter(r)
	switch {
	case !part:
		return 0, size, none
	case !p.unspaced:
		return r, size, spaced
	case r == lengthening && p.open == hiragana && p.runes > 0:
		return r, size, hiragana
	case r == 0:
		return 0, size, spaced
	}
	now = scriptOf(r)
	if now == hiragana && p.open == katakana && p.runes == 1 && p.last == lengthening {
		p.open = hiragana
	}
	return r, size, now
}

// lengthening lengthens the vowel before it, in Katakana and sometimes in Hiragana: it is of the script beside it.
const lengthening = 'ー'

// narrow gives a letter of full or half width its usual form: Latin letters become ASCII, half-width Katakana becomes
// Katakana, composed with its voicing mark. It is NFKC for the block of these forms alone: elsewhere NFKC also makes letters
// of signs (™, ª, ½).
func narrow(s string, size int) (rune, int) {
	if mark, more := utf8.DecodeRuneInString(s[size:]); mark == 'ﾞ' || mark == 'ﾟ' {
		whole := norm.NFKC.String(s[:size+more])
		if r, all := utf8.DecodeRuneInString(whole); all == len(whole) { // a letter that can be voiced
			return r, size + more
		}
	}
	r, _ := utf8.DecodeRuneInString(norm.NFKC.String(s[:size]))
	return r, size
}
