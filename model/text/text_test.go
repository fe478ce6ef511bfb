package text

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"case and punctuation", "Ice-Hockey, (PUCK)!", "ice hockey puck"},
		{"digits end words", "mp3player 2nd h2o", "mp player nd"},
		{"stop words", "The goalie did not see it, because he was there", "goalie"},
		{"apostrophes", "don't won’t Canada's they're", "canada"},
		{"stop words go before stemming", "hers herbs", "herbs"},
		{"accents", "Äpfel CAFÉ naïve", "äpfel café naïve"},
		{"combining marks are dropped", "cafe\u0301 hockey\u0301s", "cafe hockeys"},
		{"soft hyphens and joiners are dropped", "hoc\u00adkey go\u200dalie", "hockey goalie"},
		{"other scripts", "Хоккей ΧΌΚΕΪ アイスホッケー 冰球", "хоккей χόκεϊ アイスホッケー 冰球"},
		{"invalid UTF-8 ends words", "ice\xffhockey\x00puck", "ice hockey puck"},
		{"nothing", " \t\n 42 -- ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for w := range Words(tt.in) {
				got = append(got, string(w))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}

// The pairs are lines of the vocabulary in snowball-data (algorithms: english) that all versions of Porter2 agree on,
// chosen so that each step of the algorithm changes one of them.
func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "tie", "cats": "cat", "agreed": "agre", "plastered": "plaster",
		"hopping": "hop", "hoping": "hope", "happy": "happi", "operational": "oper", "conditional": "condit",
		"victimizer": "victim", "hopefulness": "hope", "electrical": "electr", "goodness": "good", "attainable": "attain",
		"anticipate": "anticip", "controlling": "control", "skis": "ski", "dying": "die", "news": "news", "players": "player",
		"generally": "general", "communism": "communism", "succeed": "succeed", "consistently": "consist", "by": "by",
	} {
		if got := Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestStemIsCutAt20Runes(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"antidisestablishmentarian", "antidisestablishment"},
		{strings.Repeat("é", 25), strings.Repeat("é", 20)},
		{strings.Repeat("球", 20), strings.Repeat("球", 20)},
		{"strasse", "strass"},
	} {
		if got := Stem(tt.in); got != tt.want {
			t.Errorf("Stem(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	counts, surface := Count("Hockey players play. A player plays hockey; HOCKEY! Scoring: scored, scores, scored.")
	if want := (Counts{"hockey": 3, "player": 2, "play": 2, "score": 4}); !maps.Equal(counts, want) {
		t.Errorf("counts %v, want %v", counts, want)
	}
	want := map[string]string{"hockey": "hockey", "player": "player", "play": "play", "score": "scored"}
	if !maps.Equal(surface, want) {
		t.Errorf("surface %v, want %v", surface, want)
	}
}

func TestCountOfALongRunOfLetters(t *testing.T) {
	counts, surface := Count(strings.Repeat("x", 1<<20))
	if len(counts) != 1 || counts[strings.Repeat("x", maxStem)] != 1 {
		t.Errorf("%d stems", len(counts))
	}
	if w := surface[strings.Repeat("x", maxStem)]; len(w) != maxWord {
		t.Errorf("surface word of %d letters", len(w))
	}
}

func TestStopWordsAreWords(t *testing.T) {
	for w := range stopWords {
		if strings.IndexFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
			t.Errorf("stop word %q can never occur", w)
		}
	}
	for _, w := range []string{"the", "of", "and", "which", "would", "themselves", "between", "because", "not", "whose"} {
		if !stopWords[w] {
			t.Errorf("%q has no topic", w)
		}
	}
	for _, topic := range []string{"computer", "fire", "system", "bill", "mill", "interest", "hockey", "science", "iron"} {
		if stopWords[topic] {
			t.Errorf("%q can be a topic", topic)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"Ice hockey", "don't", "e\u0301\u200d", "\xff\xfe", "İstanbul ŞİŞLİ ﬁne ǅ", "冰球", "'''''", "yyyy Y", "000tA0Ce"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		counts, surface := Count(s)
		words, total := 0, 0
		l := LanguageOf("", s)
		for w := range WordsIn(l, s) {
			words++
			if !utf8.Valid(w) || len(w) == 0 || utf8.RuneCount(w) > maxWord {
				t.Errorf("word %q", w)
			}
			for _, r := range string(w) {
				if !unicode.IsLetter(r) || unicode.ToLower(r) != r {
					t.Errorf("%q of %q is not a lower-case letter", r, w)
				}
			}
		}
		for stem, n := range counts {
			total += n
			if n < 1 || stem == "" || utf8.RuneCountInString(stem) > maxStem || !utf8.ValidString(stem) {
				t.Errorf("stem %q occurs %d times", stem, n)
			}
			if StemIn(l, surface[stem]) != stem {
				t.Errorf("surface word %q of stem %q has stem %q", surface[stem], stem, StemIn(l, surface[stem]))
			}
		}
		if total != words || len(surface) != len(counts) {
			t.Errorf("%d words, counts of %d; %d stems, %d surface words", words, total, len(counts), len(surface))
		}
		again := NewCounter().CountIn(l, s+" "+s) // alone, the double may show its language where the text does not
		for stem, n := range again {
			if n != 2*counts[stem] || len(again) != len(counts) {
				t.Errorf("stem %q occurs %d times in a text and %d times in its double", stem, counts[stem], n)
			}
		}
	})
}

// article is a text of about size bytes with the word frequencies of a language: Zipf's law over words that are made up
// of syllables, with endings, and stop words between them.
func article(rng *rand.Rand, size int) string {
	syllables := strings.Fields("ba ce di fo gu ha ki lo mu na per ri so tu vel wa xi yo zan stra")
	endings := strings.Split(",,,,,,,,s,s,ed,ing,ation,ly", ",")
	between := []string{" ", " ", " of ", " of the ", ", and ", " in the ", " is a "}
	zipf := rand.NewZipf(rng, 1.45, 12, 1<<14)
	var b strings.Builder
	for b.Len() < size {
		for n := zipf.Uint64() + 20; n > 0; n /= 20 {
			b.WriteString(syllables[n%20])
		}
		b.WriteString(endings[rng.IntN(len(endings))])
		b.WriteString(between[rng.IntN(len(between))])
	}
	return b.String()
}

func BenchmarkCount(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	pages := make([]string, 200)
	for i := range pages {
		pages[i] = article(rng, 20000)
	}
	b.Run("each anew", func(b *testing.B) {
		b.SetBytes(20000)
		for i := 0; b.Loop(); i++ {
			Count(pages[i%len(pages)])
		}
	})
	b.Run("one counter", func(b *testing.B) {
		b.SetBytes(20000)
		c := NewCounter()
		for _, p := range pages {
			c.Count(p)
		}
		b.ResetTimer()
		for i := 0; b.Loop(); i++ {
			c.Count(pages[i%len(pages)])
		}
	})
	b.Run("200 pages", func(b *testing.B) {
		b.SetBytes(200 * 20000)
		for b.Loop() {
			if _, _, err := CountAll(b.Context(), pages, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestAppendIsCount holds the list for short texts to the map: the same stems, each once, behind what the list held.
func TestAppendIsCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	words := strings.Fields("the glacier glaciers moves moving moved ice icy of a Über über é naïve running runs run runner x1y don't 北京")
	c := NewCounter()
	for n := range 300 {
		var b strings.Builder
		for range rng.IntN(1 + n) {
			b.WriteString(words[rng.IntN(len(words))])
			if rng.IntN(9) == 0 {
				fmt.Fprintf(&b, "%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26)) // many distinct ones
			}
			b.WriteByte(' ')
		}
		got := Counts{}
		list := c.Append([]Counted{{"held", 7, 3}}, LanguageOf("", b.String()), b.String())
		for _, s := range list[1:] {
			if _, twice := got[s.Stem]; twice {
				t.Fatalf("%q is there twice", s.Stem)
			}
			got[s.Stem] = s.Times
		}
		if want, _ := Count(b.String()); !maps.Equal(got, want) || list[0] != (Counted{"held", 7, 3}) {
			t.Fatalf("%q: got %v, want %v", b.String(), got, want)
		}
	}
}
