package reason

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"nightjar/model/text"
)

// written is a named word or phrase in a text.
type written struct {
	from, to int // runes
	name     string
}

// places lists where a text says the words.
func places(s string, words []string) (all []written) {
	at := 0
	for _, p := range Mark(s, words) {
		n := utf8.RuneCountInString(p.Text)
		if p.Word {
			all = append(all, written{at, at + n, nameOf(p.Text, words)})
		}
		at += n
	}
	return all
}

// nameOf is the word that a piece of text is a form of.
func nameOf(piece string, words []string) string {
	for _, w := range words {
		if parts := Mark(piece, []string{w}); len(parts) == 1 && parts[0].Word {
			return w
		}
	}
	return ""
}

// most is how many different words any stretch of passageLength runes says.
func most(all []written) (best int) {
	for i, first := range all {
		met := map[string]bool{}
		for _, w := range all[i:] {
			if w.to <= first.from+passageLength {
				met[w.name] = true
			}
		}
		best = max(best, len(met))
	}
	return best
}

// randomText has lines and sentences of all lengths, with many words that speak for the page, most of which are not named.
func randomText(r *rand.Rand) string {
	const said = "tidal range ranges Tidal estuary drives turbines barrage water falls lagoon lagoons dams power sea when behind TURBINE tidal-range"
	telling := strings.Fields(said)
	dull := strings.Fields("bread flour salt yeast dough x Pneumonoultramicroscopicsilicovolcanoconiosis ärgerlich and the of to 日本語 e\u0301te\u0301 14")
	share := []float64{0.003, 0.02, 0.1, 0.4}[r.IntN(4)]
	var b strings.Builder
	for range r.IntN(400) {
		if r.Float64() < share {
			b.WriteString(telling[r.IntN(len(telling))])
		} else {
			b.WriteString(dull[r.IntN(len(dull))])
		}
		b.WriteString([]string{" ", " ", " ", " ", " ", " ", ". ", "\n", "-", ", ", "  ", "\u00a0", strings.Repeat("=", 30)}[r.IntN(13)])
	}
	return b.String()
}

// The passage says at least one of the named words when the text says one, and as many different ones as any stretch of the
// text of its length. What is named is in the title or in the text.
func TestPassageSaysTheNamedWords(t *testing.T) {
	b := tides(t)
	r := rand.New(rand.NewPCG(1, 2))
	told := 0
	for range 1500 {
		title, text := randomText(r), randomText(r)
		title = title[:min(len(title), r.IntN(40))]
		title = strings.ToValidUTF8(title, "")
		f := Of(b, "", title, text, nil)
		flat := strings.Join(strings.Fields(text), " ")
		all := places(flat, f.Words)
		for _, w := range f.Words {
			if inTitle := places(title, []string{w}); len(inTitle) == 0 && len(places(flat, []string{w})) == 0 {
				t.Fatalf("%q is neither in the title %q nor in the text %q", w, title, text)
			}
		}
		met := map[string]bool{}
		for _, w := range places(f.Passage, f.Words) {
			met[w.name] = true
		}
		if len(met) < most(all) {
			t.Fatalf("words %q: %d of them in %q, %d in another stretch of %q", f.Words, len(met), f.Passage, most(all), text)
		}
		if n := utf8.RuneCountInString(f.Passage); n > passageLength+4 {
			t.Fatalf("%d runes in %q", n, f.Passage)
		}
		told += min(1, len(met))
	}
	if told < 500 {
		t.Errorf("only %d of 1500 texts say a named word", told)
	}
}

// Words that are not named do not draw the passage away from those that are.
func TestPassageIsWhereTheNamedWordsAre(t *testing.T) {
	p := read(newStemmer(text.English), "", "Alpha here.\n"+strings.Repeat("dull ", 80)+"\nBeta gamma delta epsilon zeta eta theta and many more words that are not named.")
	worth := map[string]float64{"alpha": 2, "beta": 1, "gamma": 1, "delta": 1, "epsilon": 1, "zeta": 1, "eta": 1, "theta": 1}
	if got := p.passage(worth, []string{"Alpha"}); !strings.HasPrefix(got, "Alpha here.") {
		t.Errorf("passage %q", got)
	}
}

// A phrase that only the title has is named by its words when the text has these, so that the passage can carry them.
func TestPhraseOfTheTitleAlone(t *testing.T) {
	p := read(newStemmer(text.English), "Tidal range", "Tidal power is strong. The range is wide.")
	worth := map[string]float64{p.stems.of("tidal"): 2, p.stems.of("range"): 1}
	if got := strings.Join(p.named(worth), "|"); got != "Tidal|range" {
		t.Errorf("named %q", got)
	}
	p = read(newStemmer(text.English), "Tidal range", "Nothing of it.")
	if got := strings.Join(p.named(worth), "|"); got != "Tidal range" {
		t.Errorf("named %q", got)
	}
}

// Lines about rights and cookies are no part of what a page says, unless they are most of it.
func TestFootersAreNoPassages(t *testing.T) {
	b := tides(t)
	const body = "The tidal range here is wide."
	for _, footer := range []string{
		"Text is available under the Creative Commons Attribution-ShareAlike License; additional terms about the tidal range, turbines and barrage may apply.",
		"© 2026 Tidal range turbines barrage estuary Ltd. All rights reserved.",
		"Copyright 2019-2026 The tidal range barrage turbines estuary society",
		"This page was last edited on 3 May 2026, at 10:12, by the barrage turbines estuary tidal range team.",
		"This site uses cookies of the tidal range barrage turbines estuary. Privacy policy",
		"Alle Rechte vorbehalten: tidal range turbines barrage estuary",
	} {
		f := Of(b, "", "Severn", body+"\n"+strings.Repeat("Plain words of a page that says a little. ", 8)+"\n"+footer, nil)
		if !strings.HasPrefix(f.Passage, body) || strings.Contains(f.Passage, footer[:20]) {
			t.Errorf("%.30q: passage %q", footer, f.Passage)
		}
	}
	only := "© The estuary, its tidal range and its barrage: all rights reserved."
	if f := Of(b, "", "", only, nil); f.Passage != only {
		t.Errorf("a page of nothing else: %q", f.Passage)
	}
	licence := strings.Repeat("The Creative Commons license of the tidal range lets you copy the barrage. ", 12)
	if f := Of(b, "", "", licence, nil); f.Passage == "" {
		t.Error("a page about licences has no passage")
	}
}

// A reason names no word that most pages of the site have, and no single letter.
func TestWordsOfTheSite(t *testing.T) {
	b := tides(t)
	all := Of(b, "", "Severn", severn, nil).Words
	if len(all) == 0 {
		t.Fatal("no words")
	}
	common := func(words []string) []string { return words[:1] }
	f := Of(b, "", "Severn", severn, common)
	if len(f.Words) == 0 || f.Words[0] == all[0] {
		t.Errorf("words %q, of them common: %q", f.Words, all[0])
	}
	if f = Of(b, "", "Severn", severn, func(words []string) []string { return words }); len(f.Words) > 0 || f.Passage == "" {
		t.Errorf("all words are common: %q, passage %q", f.Words, f.Passage)
	}
	p := read(newStemmer(text.English), "", "b b tide")
	if got := p.named(map[string]float64{"b": 9, p.stems.of("tide"): 1}); strings.Join(got, "|") != "tide" {
		t.Errorf("named %q", got)
	}
}

// A list shows a passage from shortly before its first telling word on.
func TestFrom(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Tidal range", "Tidal range"}, {"The tidal range", "The tidal range"}, {"", ""}, {"no such word in this text of some length, none at all", "no such word in this text of some length, none at all"},
		{strings.Repeat("wörter ", 20) + "and the tidal range", "… wörter wörter wörter wörter and the tidal range"},
	} {
		var got strings.Builder
		for _, p := range From(Mark(c.text, []string{"tidal range"})) {
			got.WriteString(p.Text)
		}
		if got.String() != c.want {
			t.Errorf("%q", got.String())
		}
	}
}
