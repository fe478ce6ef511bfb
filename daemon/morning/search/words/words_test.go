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
		"ﬁsh Straße ½":                "fish strass 12",
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

// TestSameWord: people write a word in several ways, and find it in each. Other words stay others.
func TestSameWord(t *testing.T) {
	for _, ways := range [][]string{
		{"Hafenanlagen", "Hafen\u00adan\u00adla\u00adgen", "Hafen\u200banlagen", "hafen\u2060anlagen", "Hafen\ufeffanlagen"},
		{"Hauptstraße", "Hauptstrasse", "HAUPTSTRAẞE", "Haupt\u00adstra\u00adße"},
		{"Ørsted", "Orsted", "ØRSTED"}, {"Łódź", "Lodz"}, {"Đặng", "dang"}, {"Þór", "thor"}, {"Æsir", "aesir"}, {"œuvre", "oeuvre"},
		{"ısı", "isi"}, {"Ħal", "hal"}, {"ŋgoni", "ngoni"}, {"Ŧ", "t"}, {"ɗan", "dan"}, {"ơn", "on"}, {"Zażółć", "zazolc"},
		{"مُحَمَّد", "محمد", "محـــمد"}, {"أحمد", "احمد"}, {"یک", "يك"},
		{"שָׁלוֹם", "שלום"}, {"ज़रूर", "जरूर"}, {"Αθήνα", "ΑΘΗΝΑ", "αθηνα"}, {"λόγος", "ΛΌΓΟΣ"}, {"ёлка", "елка"}, {"за́мок", "замок"},
		{"й", "и\u0306"}, {"が", "か\u3099"}, {"ガ", "ｶﾞ"}, {"می\u200cخواهم", "میخواهم"}, {"क्\u200dष", "क्ष"}, {"葛", "葛\U000e0100"},
		{strings.Repeat("lang\u00ad", 12), strings.Repeat("lang", 12)},
	} {
		for _, other := range ways[1:] {
			if a, b := Join(ways[0]), Join(other); a != b || a == "" {
				t.Errorf("%q is %q, %q is %q", ways[0], a, other, b)
			}
		}
	}
	for _, pair := range [][2]string{{"かん", "がん"}, {"パン", "バン"}, {"край", "краи"}, {"कल", "कुल"}, {"ปี", "ปู"}, {"их", "їх"}} {
		if a, b := Join(pair[0]), Join(pair[1]); a == b {
			t.Errorf("%q and %q are both %q", pair[0], pair[1], a)
		}
	}
}

func TestBeginnings(t *testing.T) {
	for query, want := range map[string]string{"pengu": "pengu", "Penguins": "penguins", "pe": "", `"pengu"`: "", "tidal-range": "", "日本": "",
		"Ørst": "orst", "서울": "서울", "서": "", "cs21": ""} {
		if q := Parse(query); len(q.With) != 1 || q.With[0].Start != want {
			t.Errorf("%s: %+v, want the beginning %q", query, q.With, want)
		}
	}
	if q := Parse("-pengu"); q.Without[0].Start != "" {
		t.Error("what must not be there is the beginning of longer words")
	}
	for start, word := range map[string]string{"universit": "universities", "organiza": "organization", "happin": "happiness", "nationa": "national"} {
		stem := List(word)[0]
		if !slices.Contains(Stems(start), stem) || strings.HasPrefix(stem, start) {
			t.Errorf("%s: %q lacks the stem %q", start, Stems(start), stem)
		}
	}
}

func TestPlaces(t *testing.T) {
	starts := func(text, query string) (all []string) {
		tokens := slices.Collect(Tokens(text))
		for _, span := range Find(tokens, Parse(query).With) {
			all = append(all, text[span.Start:span.End])
		}
		return all
	}
	for _, c := range []struct{ text, query, want string }{
		{"A penguin, two Penguins", "pengu", "penguin Penguins"}, {"A car and carbon", "car", "car"}, {"Only carbon", "car", "carbon"},
		{"Was\u00adser\u00adstra\u00adße.", "wasserstrasse", "Was\u00adser\u00adstra\u00adße"}, {"die Łódź\u00ad.", "lodz", "Łódź"},
		{"A university", "universit", "university"},
	} {
		if got := strings.Join(starts(c.text, c.query), " "); got != c.want {
			t.Errorf("%s in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	for typed, want := range map[string]string{"albatros": "albatross", "barages": "barrages", "sevren": "severn", "tidall": "tidal", "pinguin": "penguin",
		"πιγκυίνος": "πιγκουινοσ", "пингвн": "пингвин"} {
		near := Near(Parse(typed).With[0].Start)
		if !slices.ContainsFunc(near, func(n Token) bool { return n.Whole == want }) {
			t.Errorf("%s is not near %s", want, typed)
		}
		for _, n := range near {
			if n.Whole == Parse(typed).With[0].Start || n.Word != List(n.Whole)[0] {
				t.Errorf("near %s: %+v", typed, n)
			}
		}
	}
	for _, none := range []string{"", "ice", "2026", "b2b4", strings.Repeat("long", 7)} {
		if near := Near(none); len(near) > 0 {
			t.Errorf("%q: %d words", none, len(near))
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
		"tidal site:example.org":    "tidal|site example.org",
		"SITE:https://www.Example.org:8080/a?b -site:*.Sub.example.org x": "x|site example.org|!site sub.example.org",
		"site: münchen.de":    "site xn--mnchen-3ya.de",
		`"site:example.org"`:  "site exampl org",
		"site:":               "site",
		"site:a!b^":           "site a b",
		"website:example.org": "websit exampl org",
	} {
		q := Parse(input)
		var all []string
		for _, t := range q.With {
			all = append(all, strings.Join(t.Words, " "))
		}
		for _, t := range q.Without {
			all = append(all, "!"+strings.Join(t.Words, " "))
		}
		for _, site := range q.Sites {
			all = append(all, "site "+site)
		}
		for _, site := range q.WithoutSites {
			all = append(all, "!site "+site)
		}
		if got := strings.Join(all, "|"); got != want {
			t.Errorf("Parse(%q) = %q, want %q", input, got, want)
		}
		if q.Empty() != (len(q.With)+len(q.Sites) == 0) {
			t.Errorf("Parse(%q).Empty() = %v", input, q.Empty())
		}
	}
}

func TestParseLimits(t *testing.T) {
	q := Parse(strings.Repeat("a -b ", 500))
	if n := len(q.With) + len(q.Without); n != MaxTerms {
		t.Errorf("%d terms, want %d", n, MaxTerms)
	}
	if q := Parse(`"` + strings.Repeat("日", 300) + `"`); len(q.With) != 1 || len(q.With[0].Words) != MaxPhrase {
		t.Errorf("a long phrase is %v", q.With)
	}
}

// FuzzTokens: words are safe in an FTS5 phrase, lie in the text in order, and a text's words find the text.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"The Barrages", "日本語x", "a\xff\u0301", "ﬁ ½ \u1fbd", "Was\u00adser\u00ad ßﷺ", "-site:a.b ـ", `"quote' * ^`} {
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
		for _, part := range Parse(s).With {
			if len(part.Words) == 0 || part.From < 0 || part.To > len(s) || !slices.Equal(List(s[part.From:part.To]), part.Words) && len(part.Words) < MaxPhrase {
				t.Fatalf("%q: %+v", s, part)
			}
		}
		if len(tokens) > 0 {
			hits := Find(tokens, []Term{{Words: []string{tokens[0].Word}}})
			if len(hits) == 0 || hits[0].Start != tokens[0].Start {
				t.Fatalf("%q: its first word is at %v", s, hits)
			}
		}
	})
}
