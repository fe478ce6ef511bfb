package model

import (
	"errors"
	"maps"
	"reflect"
	"testing"

	"nightjar/model/text"
)

// spoken is tiny with words counted by language.
func spoken() *Bundle {
	b := tiny()
	b.Languages = []text.Language{text.German, text.English}
	return b
}

func TestTextRoundTrip(t *testing.T) {
	for name, b := range map[string]*Bundle{"two languages": spoken(), "English": tiny()} {
		got, err := Decode(mustEncode(t, b))
		if err != nil || !reflect.DeepEqual(fields(got), fields(b)) {
			t.Errorf("%s: %v, %+v, want %+v", name, err, got, b)
		}
	}
	for name, change := range map[string]func(*Bundle){
		"too few languages":    func(b *Bundle) { b.Languages = b.Languages[:1] },
		"no language":          func(b *Bundle) { b.Languages[0] = 200 },
		"languages of nothing": func(b *Bundle) { b.Languages = []text.Language{} },
	} {
		b := spoken()
		change(b)
		if err := b.Validate(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	all := sectionsOf(t, mustEncode(t, spoken()))
	content, err := encoding.Marshal(textSection{Way: byLanguage + 1})
	if err != nil {
		t.Fatal(err)
	}
	all["text"] = section{Version: 1, Content: content}
	if b, err := Decode(assemble(t, all)); b != nil || !errors.Is(err, ErrNewerFormat) {
		t.Errorf("the way of tomorrow: %v, %v", b, err)
	}
}

// TestStems: words are counted in the language of the text, and runs of Chinese characters as bigrams.
func TestStems(t *testing.T) {
	b := spoken()
	if got, want := b.Stems("die Häuser und die Gärten mit den Bäumen"), (text.Counts{"haus": 1, "gart": 1, "baum": 1}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := b.Stems("冰球比赛"), (text.Counts{"冰球": 1, "球比": 1, "比赛": 1}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestWordsOfALinkAreInTheLanguageOfItsPage: "die" is a stop word of German and a word of English.
func TestWordsOfALinkAreInTheLanguageOfItsPage(t *testing.T) {
	b := spoken()
	if got := b.StemsIn(text.German, "die Gärten"); !maps.Equal(got, text.Counts{"gart": 1}) {
		t.Errorf("in German %v", got)
	}
	if got := b.StemsIn(text.English, "die Gärten"); !maps.Equal(got, text.Counts{"die": 1, "gärten": 1}) {
		t.Errorf("in English %v", got)
	}
	if w := b.WordOf("gart", "Die Gärten!"); w != "gärten" {
		t.Errorf("the word of the stem is %q", w)
	}
	if w := tiny().WordOf("gart", "Die Gärten!"); w != "" {
		t.Errorf("a model of English words finds %q", w)
	}
	if l := b.LanguageOf(0); l != text.German || tiny().LanguageOf(0) != text.English {
		t.Errorf("the first page is in %v", l)
	}
}
