package document

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tex turns TeX into text.
type tex struct {
	s       string
	at      int
	out     strings.Builder
	marks   []rune // accents that wait for their letter
	math    bool
	address bool // of an address, only commands have a meaning
}

// unTeX turns TeX into text: accents and symbols into Unicode, braces and changes of font away, -- and quotes into their signs.
// Footnotes and addresses are left out.
func unTeX(s string) string {
	t := tex{s: s[:min(len(s), maxSource)]}
	return Clean(norm.NFC.String(t.read()))
}

// unTeXAddress takes commands and braces out of an address or DOI, which may stand in \url{}.
func unTeXAddress(s string) string {
	t := tex{s: s[:min(len(s), maxSource)], address: true}
	return withoutMarkup(t.read())
}

func (t *tex) read() string {
	for t.at < len(t.s) {
		switch c := t.s[t.at]; {
		case c == '\\' && t.at+1 < len(t.s):
			t.command()
		case c == '{' || c == '}':
			if t.at++; t.address && strings.HasPrefix(t.s[t.at-1:], "}{") {
				t.put(" ") // between an address and its words
			}
		case c == '$':
			t.math = !t.math
			t.at++
		case t.math && (c == '_' || c == '^'): // an index
			t.at++
		case c == '~' && !t.address:
			t.sign("~", " ")
		case !t.address && t.ligature():
		default:
			r, n := utf8.DecodeRuneInString(t.s[t.at:])
			t.put(string(r))
			t.at += n
		}
	}
	return t.out.String()
}

// put writes text. Accents that wait go on its first letter.
func (t *tex) put(text string) {
	for _, r := range text {
		if len(t.marks) > 0 && r == 'ı' {
			r = 'i'
		} else if len(t.marks) > 0 && r == 'ȷ' {
			r = 'j'
		}
		t.out.WriteRune(r)
		for ; len(t.marks) > 0; t.marks = t.marks[:len(t.marks)-1] {
			t.out.WriteRune(t.marks[len(t.marks)-1])
		}
	}
}

// sign writes what a sign at t.at stands for, and reports whether it is there.
func (t *tex) sign(sign, text string) bool {
	if !strings.HasPrefix(t.s[t.at:], sign) {
		return false
	}
	t.put(text)
	t.at += len(sign)
	return true
}

func (t *tex) ligature() bool {
	return t.sign("<!--", "<!--") || t.sign("-->", "-->") || t.sign("---", "—") || t.sign("--", "–") || t.sign("``", "“") || t.sign("''", "”")
}

// command reads the command at t.at.
func (t *tex) command() {
	name := t.name()
	if mark, ok := texAccents[name]; ok {
		if t.address && name == "~" {
			t.put("~") // as in \~{}user
			return
		}
		t.marks = append(t.marks, mark)
		t.space()
		return
	}
	switch text, known := texSymbols[name]; {
	case known:
		t.put(text)
	case strings.Contains(texParts, " "+name+" "):
		t.put(" ")
		if name == `\` || name == "linebreak" {
			t.skip('[', ']')
		}
		if strings.HasSuffix(name, "space") {
			t.skip('{', '}')
		}
	case strings.Contains(texHidden, " "+name+" "), !t.address && strings.Contains(texAddresses, " "+name+" "):
		t.skip('[', ']')
		t.skip('{', '}')
	case strings.Contains(texFonts, " "+name+" "), !letterAt(name, 0):
	case t.math && t.at < len(t.s) && t.s[t.at] != '{':
		t.put(name) // log, sin and whatever has no letter in Unicode
		if isSpace(t.s[t.at-1]) {
			t.put(" ")
		}
	}
}

// name reads the name of a command. One of letters takes the spaces after it.
func (t *tex) name() string {
	t.at++
	from := t.at
	for letterAt(t.s, t.at) {
		t.at++
	}
	if t.at == from {
		_, n := utf8.DecodeRuneInString(t.s[t.at:])
		t.at += n
		return t.s[from:t.at]
	}
	name := t.s[from:t.at]
	if t.at < len(t.s) && t.s[t.at] == '*' {
		t.at++
	}
	t.space()
	return name
}

func (t *tex) space() {
	for t.at < len(t.s) && isSpace(t.s[t.at]) {
		t.at++
	}
}

// skip goes behind the argument at t.at, if there is one.
func (t *tex) skip(open, closing byte) {
	if t.at >= len(t.s) || t.s[t.at] != open {
		return
	}
	depth := 0
	for ; t.at < len(t.s); t.at++ {
		switch t.s[t.at] {
		case '\\':
			t.at++
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				t.at++
				return
			}
		}
	}
	t.at = min(t.at, len(t.s))
}

func letterAt(s string, i int) bool {
	return i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
}
