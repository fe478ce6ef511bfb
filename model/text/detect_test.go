package text

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
)

// samples reads testdata/languages.txt: paragraphs of plain prose, each under the name of its language.
func samples(tb testing.TB) map[string]string {
	tb.Helper()
	data, err := os.ReadFile("testdata/languages.txt")
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string]string{}
	for part := range strings.SplitSeq(string(data), "\n\n") {
		name, body, ok := strings.Cut(strings.TrimSpace(part), ":\n")
		if !ok || all[name] != "" {
			tb.Fatalf("no language, or a second text of it: %q", part)
		}
		all[name] = body
	}
	return all
}

// TestLanguageOf: prose is recognised without a declaration and against a wrong one, each paragraph and all of its sentences
// of twelve words or more. Prose of other languages is not taken for one of these, unless they are close.
func TestLanguageOf(t *testing.T) {
	texts := samples(t)
	for _, l := range Languages() {
		body, ok := texts[l.String()]
		if !ok {
			t.Fatalf("no text in %v", l)
		}
		for _, declared := range []string{"", "en", "de-AT", "ru", "zh", "x"} {
			if got := LanguageOf(declared, body); got != l {
				t.Errorf("declared %q, text in %v: taken for %v", declared, l, got)
			}
		}
		for sentence := range strings.SplitSeq(body, ".") {
			if len(strings.Fields(sentence)) < 12 {
				continue
			}
			if got := LanguageOf("", sentence); got != l && !close(l, got) {
				t.Errorf("%v taken for %v: %q", l, got, sentence)
			}
		}
	}
	for _, name := range []string{"Chinese", "Japanese", "Korean", "Thai", "Polish", "Turkish", "Greek"} {
		if got := LanguageOf("", texts[name]); got != English {
			t.Errorf("%s taken for %v", name, got)
		}
	}
}

// close reports whether two languages share most of their stop words.
func close(a, b Language) bool {
	near := map[Language]int{Danish: 1, Norwegian: 1, Swedish: 1}
	return near[a] > 0 && near[a] == near[b]
}

// TestDeclarationsDecideWhatTheTextLeavesOpen: short texts, names and neighbouring languages.
func TestDeclarationsDecideWhatTheTextLeavesOpen(t *testing.T) {
	for _, tt := range []struct {
		declared, text string
		want           Language
	}{
		{"de", "Eishockey Spielplan", German},
		{"de-CH, en", "", German},
		{"FR_ca", "Accueil", French},
		{"", "Eishockey Spielplan", English},
		{"zh-Hans", "冰球 NHL", English},
		{"da", "han er her og de var der", Danish},
		{"nb", "han er her og de var der", Norwegian},
		{"sv", "han er her og de var der ikke mere ved dem", Danish}, // the text is clear
		{"en", "Das ist nicht mehr als ein Haus mit einem Garten", German},
		{"de", "contact impressum home news shop the a of", German}, // a few English words are in every menu
	} {
		if got := LanguageOf(tt.declared, tt.text); got != tt.want {
			t.Errorf("declared %q, text %q: %v, want %v", tt.declared, tt.text, got, tt.want)
		}
	}
}

func TestParseLanguage(t *testing.T) {
	for tag, want := range map[string]string{
		"en": "English", "EN-us": "English", "pt-BR": "Portuguese", " fr ": "French", "ru_RU.UTF-8": "Russian", "nn": "Norwegian",
		"de;q=1": "German", "fi,sv": "Finnish", "spa": "Spanish",
	} {
		if l, ok := ParseLanguage(tag); !ok || l.String() != want {
			t.Errorf("%q is %v, %v, want %s", tag, l, ok, want)
		}
	}
	for _, tag := range []string{"", "-", "zh-CN", "english", "d", "xx", strings.Repeat(" ", 1<<20) + "de", strings.Repeat("de", 1<<20)} {
		if l, ok := ParseLanguage(tag); ok || l != English {
			t.Errorf("%.20q is %v", tag, l)
		}
	}
}

// TestCounterDecidesAsLanguageOf: whatever it counted before.
func TestCounterDecidesAsLanguageOf(t *testing.T) {
	c := NewCounter()
	texts := samples(t)
	for round := range 2 {
		for name, body := range texts {
			for _, declared := range []string{"", "da", "pt"} {
				counts, l := c.CountPage(declared, body)
				if want := LanguageOf(declared, body); l != want {
					t.Errorf("round %d, %s declared %q: %v, want %v", round, name, declared, l, want)
				}
				if want := NewCounter().CountIn(l, body); !maps.Equal(counts, want) {
					t.Errorf("round %d, %s: %v, want %v", round, name, counts, want)
				}
			}
		}
	}
}

// TestStopListsAreWords: every stop word can occur, and telling words of a topic are none of them.
func TestStopListsAreWords(t *testing.T) {
	for l, list := range stopLists {
		for w := range list {
			if words := allOf(w); len(words) != 1 || words[0] != w {
				t.Errorf("%v: stop word %q can never occur", Language(l), w)
			}
		}
		if n := len(list); n < 140 {
			t.Errorf("%v has %d stop words", Language(l), n)
		}
	}
	for _, tt := range []struct {
		l     Language
		words string
	}{
		{German, "haus musik geschichte spiel preis"}, {French, "maison musique histoire prix père"},
		{Spanish, "casa música historia precio"}, {Italian, "casa musica storia prezzo"}, {Russian, "дом музыка история игра цена"},
		{Dutch, "huis muziek prijs"}, {Portuguese, "casa música jogo"}, {Swedish, "hus musik pris"}, {Danish, "hus musik pris"},
		{Norwegian, "hus musikk pris"}, {Finnish, "talo musiikki hinta"}, {Hungarian, "ház zene ár"},
	} {
		for w := range strings.FieldsSeq(tt.words) {
			if StopWordIn(tt.l, w) {
				t.Errorf("%v: %q can be a topic", tt.l, w)
			}
		}
	}
	if StopWordIn(English, "é") || !StopWordIn(English, "e") || !StopWordIn(French, "é") || !StopWordIn(English, "の") || StopWordIn(English, "球") {
		t.Error("single letters")
	}
}

func ExampleCounter_CountPage() {
	counts, language := NewCounter().CountPage("de", "Die Spieler und das Spiel: 冰球")
	fmt.Println(language, counts)
	// Output: German map[spiel:2 冰球:1]
}
