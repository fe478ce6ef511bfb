package document

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// texAccents has the combining mark of each accent of TeX.
var texAccents = map[string]rune{
	"`": 0x300, "'": 0x301, "^": 0x302, "~": 0x303, "=": 0x304, "u": 0x306, ".": 0x307, "\"": 0x308, "r": 0x30A, "H": 0x30B,
	"v": 0x30C, "d": 0x323, "c": 0x327, "k": 0x328, "b": 0x331,
}

// texSymbols has what a command without argument stands for. Commands that only change the font stand for nothing.
var texSymbols = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł",
	"i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
	"&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", "-": "", "/": "", "\\": " ", ",": " ",
	"textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "ldots": "…", "dots": "…",
	"TeX": "TeX", "LaTeX": "LaTeX", "copyright": "©", "S": "§", "textregistered": "®", "texttrademark": "™", "textasciitilde": "~",
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ", "pi": "π", "sigma": "σ",
	"chi": "χ", "omega": "ω", "Delta": "Δ", "Gamma": "Γ", "Omega": "Ω", "infty": "∞", "times": "×", "to": "→", "ell": "ℓ",
}

// unTeX turns TeX into text: accents into Unicode, braces and changes of font away, -- and quotes into their signs.
func unTeX(s string) string {
	var b strings.Builder
	var marks []rune // accents that wait for their letter
	put := func(t string) {
		for _, r := range t {
			if len(marks) > 0 && r == 'ı' {
				r = 'i'
			} else if len(marks) > 0 && r == 'ȷ' {
				r = 'j'
			}
			b.WriteRune(r)
			for ; len(marks) > 0; marks = marks[:len(marks)-1] {
				b.WriteRune(marks[len(marks)-1])
			}
		}
	}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			name, end := command(s, i+1)
			i = end
			if mark, ok := texAccents[name]; ok {
				marks = append(marks, mark)
				for i < len(s) && isSpace(s[i]) {
					i++
				}
			} else {
				put(texSymbols[name])
			}
		case c == '{' || c == '}' || c == '$':
			i++
		case c == '~':
			put(" ")
			i++
		case strings.HasPrefix(s[i:], "---"):
			put("—")
			i += 3
		case strings.HasPrefix(s[i:], "--"):
			put("–")
			i += 2
		case strings.HasPrefix(s[i:], "``"):
			put("“")
			i += 2
		case strings.HasPrefix(s[i:], "''"):
			put("”")
			i += 2
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			put(string(r))
			i += n
		}
	}
	return Clean(norm.NFC.String(b.String()))
}

// command returns the name of the command at s[i:], and where what follows begins: a command of letters takes the spaces
// after it.
func command(s string, i int) (name string, end int) {
	end = i
	for letterAt(s, end) {
		end++
	}
	if end == i {
		_, n := utf8.DecodeRuneInString(s[i:])
		return s[i : i+n], i + n
	}
	name = s[i:end]
	for end < len(s) && isSpace(s[end]) {
		end++
	}
	return name, end
}
