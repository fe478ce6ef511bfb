package words

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestJoin(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"The Barrages, 42 of them!":   "the barrag 42 of them",
		"Café naïve ÅNGSTRÖM":         "cafe naiv angstrom",
		"C++ x.y tidal-range":         "c x y tidal rang",
		"日本語 in 日本":                   "日 本 語 in 日 本",
		"🦀 ... \x00 \xff":             "",
		"a\xffb":                      "a b",
		"ﬁsh Straße ½":                "fish straße 12",
		"e\u0301te\u0301":             "ete",
		"ΣΟΦΌΣ Ёлка":                  "σοφοσ елка",
		strings.Repeat("x1", 200):     strings.Repeat("x1", 32),
		"\u00a8 \u037a \u1fbd \u203c": "",
	} {
		if got := Join(text); got != want {
			t.Errorf("Join(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for input, want := range map[string]string{
		"":                          "",
		"tidal range":               "tidal|rang",
		`"tidal range" -power`:      "tidal rang|!power",
		`"tidal range`:              "tidal rang",
		`a"b c"d`:                   "a|b c|d",
		`-`:                         "",
		`- x`:                       "x",
		`--x`:                       "!x",
		`""" "" -""`:                "",
		`title:x AND (y) OR* NOT^`:  "titl x|and|y|or|not",
		`日本語`:                       "日 本 語",
		`“tidal range” „a b“ «c d»`: "tidal rang|a b|c d",
		"🦀":                         "",
	} {
		q := Parse(input)
		var all []string
		for _, t := range q.With {
			all = append(all, strings.Join(t, " "))
		}
		for _, t := range q.Without {
			all = append(all, "!"+strings.Join(t, " "))
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("Parse(%q) = %q, want %q", input, got, want)
		}
		if q.Empty() != (len(q.With) == 0) {
			t.Errorf("Parse(%q).Empty() = %v", input, q.Empty())
		}
	}
}

func TestParseLimits(t *testing.T) {
	q := Parse(strings.Repeat("a -b ", 500))
	if n := len(q.With) + len(q.Without); n != MaxTerms {
		t.Errorf("%d terms, want %d", n, MaxTerms)
	}
	if q := Parse(`"` + strings.Repeat("日", 300) + `"`); len(q.With) != 1 || len(q.With[0]) != MaxPhrase {
		t.Errorf("a long phrase is %v", q.With)
	}
}

// FuzzTokens: words are safe in an FTS5 phrase, lie in the text in order, and a text's words find the text.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"The Barrages", "日本語x", "a\xff\u0301", "ﬁ ½ \u1fbd", `"quote' * ^`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for token := range Tokens(s) {
			if token.Start < end || token.End <= token.Start || token.End > len(s) {
				t.Fatalf("%q: %+v after %d", s, token, end)
			}
			end = token.End
			if !utf8.ValidString(token.Word) || strings.ContainsFunc(token.Word, func(r rune) bool { return !wordy(r, utf8.RuneLen(r)) }) {
				t.Fatalf("%q: word %q is not safe", s, token.Word)
			}
		}
		tokens := slices.Collect(Tokens(s))
		if len(tokens) > 0 {
			hits := Find(tokens, []Term{{tokens[0].Word}})
			if len(hits) == 0 || hits[0].Start != tokens[0].Start {
				t.Fatalf("%q: its first word is at %v", s, hits)
			}
		}
	})
}
