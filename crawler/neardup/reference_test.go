package neardup

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

// plainSketch is NewSketch, written as its comments say.
func plainSketch(url, text string) Sketch {
	var s Sketch
	var echo []uint64
	for _, w := range plainWords(weburl.Unescape(url)) {
		if w[1] != plainWords("7")[0][1] {
			echo = append(echo, w[1])
		}
	}
	var votes [64]int
	voted := map[uint64]bool{}
	words := plainWords(text)
	for i, w := range words[:min(len(words), maxSketch)] {
		if s.Words++; !voted[w[0]] {
			voted[w[0]] = true
			for bit := range votes {
				votes[bit] += int(w[0]>>bit&1)*2 - 1
			}
		}
		if i >= 2 && !slices.Contains(echo, words[i-2][1]) && !slices.Contains(echo, words[i-1][1]) && !slices.Contains(echo, w[1]) {
			s.Shingles = append(s.Shingles, mix(words[i-2][1]*3+words[i-1][1]*5+w[1]))
		}
	}
	for bit, v := range votes {
		if v > 0 {
			s.Simhash |= 1 << bit
		}
	}
	if s.Words > 0 && s.Simhash == 0 {
		s.Simhash = 1
	}
	return s
}

// plainWords returns the two hashes of each word.
func plainWords(text string) (words [][2]uint64) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, [2]uint64{plainHash(word, false), plainHash(word, true)})
			word = nil
		}
	}
	for _, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || r >= utf8.RuneSelf && unicode.IsMark(r)
		if alone := inside && unspaced(r); alone || !inside {
			end()
			if alone {
				word = []rune{r}
				end()
			}
			continue
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}

// plainHash is FNV-1a of the characters, mixed; with fold, each row of digits counts as one 0.
func plainHash(word []rune, fold bool) uint64 {
	h := uint64(fnvOffset)
	for i, r := range word {
		if fold && unicode.IsDigit(r) {
			if i > 0 && unicode.IsDigit(word[i-1]) {
				continue
			}
			r = '0'
		}
		h = (h ^ uint64(r)) * fnvPrime
	}
	return mix(h)
}

// TestReference compares sketches with plain ones.
func TestReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "B", "word", "Word", "1", "23", "h264", "2x", " ", " ", " ", "\n", "-", "é", "É", "İ", "山", "小", "ก", "\u0301", "\xff",
		"٣", "ß", "the", "hats", "Ünder"}
	for range 2000 {
		var text strings.Builder
		most := 10
		if rng.IntN(50) == 0 {
			most = 3 * maxSketch
		}
		for range rng.IntN(most) {
			text.WriteString(pieces[rng.IntN(len(pieces))])
		}
		url := "https://a.test/" + pieces[rng.IntN(len(pieces))] + "?q=" + pieces[rng.IntN(len(pieces))]
		got, want := NewSketch(url, text.String()), plainSketch(url, text.String())
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, %.300q: %d words, %x, %d shingles; want %d, %x, %d", url, text.String(), got.Words, got.Simhash, len(got.Shingles),
				want.Words, want.Simhash, len(want.Shingles))
		}
	}
}
