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
	b.Way, b.Languages = text.ByLanguage, []text.Language{text.German, text.English}
	return b
}

func TestTextRoundTrip(t *testing.T) {
	english := spoken()
	english.Languages = nil
	for name, b := range map[string]*Bundle{"two languages": spoken(), "English": english, "as before": tiny()} {
		got, err := Decode(mustEncode(t, b))
		if err != nil || !reflect.DeepEqual(fields(got), fields(b)) {
			t.Errorf("%s: %v, %+v, want %+v", name, err, got, b)
		}
	}
	if _, stored := sectionsOf(t, mustEncode(t, tiny()))["text"]; stored {
		t.Error("a model of the way before is stored in another form than before")
	}
	for name, change := range map[string]func(*Bundle){
		"too few languages":    func(b *Bundle) { b.Languages = b.Languages[:1] },
		"no language":          func(b *Bundle) { b.Languages[0] = 200 },
		"the way of tomorrow":  func(b *Bundle) { b.Way = text.Current + 1 },
		"languages of nothing": func(b *Bundle) { b.Languages = []text.Language{} },
	} {
		b := spoken()
		change(b)
		if err := b.Validate(); err == nil || errors.Is(err, ErrNewerFormat) != (name == "the way of tomorrow") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestModelsReadAsTheyWereTrained: a model without the section counts English stems in every text, and runs of Chinese
// characters as one word, as models did before there were languages. One that was trained since does not.
func TestModelsReadAsTheyWereTrained(t *testing.T) {
	const german, chinese = "die Häuser und die Gärten mit den Bäumen", "冰球比赛"
	before, now := tiny(), spoken()
	if got, want := before.Stems(german), (text.Counts{"die": 2, "häuser": 1, "und": 1, "gärten": 1, "mit": 1, "den": 1, "bäumen": 1}); !maps.Equal(got, want) {
		t.Errorf("a model from before counts %v, want %v", got, want)
	}
	if got, want := before.Stems(chinese), (text.Counts{chinese: 1}); !maps.Equal(got, want) {
		t.Errorf("a model from before counts %v, want %v", got, want)
	}
	if got, want := now.Stems(german), (text.Counts{"haus": 1, "gart": 1, "baum": 1}); !maps.Equal(got, want) {
		t.Errorf("a model from now counts %v, want %v", got, want)
	}
	if got, want := now.Stems(chinese), (text.Counts{"冰球": 1, "球比": 1, "比赛": 1}); !maps.Equal(got, want) {
		t.Errorf("a model from now counts %v, want %v", got, want)
	}
	for _, b := range []*Bundle{before, now} {
		again, err := Decode(mustEncode(t, b))
		if err != nil || !maps.Equal(again.Stems(german+chinese), b.Stems(german+chinese)) {
			t.Errorf("stored and read again, way %d counts %v, %v", b.Way, again.Stems(german+chinese), err)
		}
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
