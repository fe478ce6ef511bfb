package neardup

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
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

// plainNumbers is what NewSketch makes of the numbers in a text, written as its comments say: the sketch of a page of mostly
// numbers, ok is false for any other.
func plainNumbers(text string) (s Sketch, ok bool) {
	words := plainWords(text)
	words = words[:min(len(words), maxSketch)]
	seen := map[uint64]bool{}
	named := 0
	for _, w := range words {
		if w[0] == w[1] && w[0] != Number {
			seen[w[0]] = true
			named++
		}
	}
	var wholes []int // -1 for others
	row, figures, distinct := []uint64{0, 0, 0}, 0, map[uint64]bool{}
	// counts is the number of numbers before i that count up or down to it
	var counts func(i, by int) int
	counts = func(i, by int) (most int) {
		for j := max(0, i-4); j < i; j++ {
			if wholes[i] >= 0 && wholes[j] >= 0 && wholes[j]+by == wholes[i] {
				most = max(most, 1+counts(j, by))
			}
		}
		return min(most, 2)
	}
	for _, m := range plainValue.FindAllStringSubmatch(text, -1) {
		if len(s.Numbers) == len(words)-named {
			break
		}
		if plainDate.MatchString(m[1]) {
			continue
		}
		figures += len(plainFigures.FindAllString(m[1], -1))
		n := -1
		if whole, err := strconv.Atoi(m[1]); err == nil && whole >= 0 && m[1][0] != '-' {
			n = whole
		}
		wholes = append(wholes, n)
		h := plainFNV(m[1])
		if i := len(wholes) - 1; max(counts(i, 1), counts(i, -1)) >= 2 {
			h = 1
		}
		row = append(row, h)
		last := row[len(row)-4:]
		s.Numbers = append(s.Numbers, mix(last[0]*3+last[1]*5+last[2]*7+last[3]*9))
		distinct[s.Numbers[len(s.Numbers)-1]] = true
		seen[mix(last[2]*3+last[3])] = true
	}
	if figures < fewFigures || 5*len(distinct) < named {
		return Sketch{}, false
	}
	for bit := range 64 {
		votes := 0
		for h := range seen {
			votes += int(h>>bit&1)*2 - 1
		}
		if votes > 0 {
			s.Simhash |= 1 << bit
		}
	}
	return s, true
}

// plainValue matches a number that does not follow a letter, plainDate those that are no content.
var (
	plainValue   = regexp.MustCompile(`(?:^|[^\pL\pM\pN.,:/'-])((?:-)?\pN+(?:[.,:/'-]\pN+)*)\pL*`)
	plainFigures = regexp.MustCompile(`\pN+`)
	plainDate    = regexp.MustCompile(`^(?:(?:19|20)\d\d|(?:19|20)\d\d\D\d\d?|\d\d?\D(?:19|20)\d\d|(?:19|20)\d\d\D(?:19|20)\d\d` +
		`|\d\d?[^:]\d\d?[^:](?:\d\d?|(?:19|20)\d\d)|(?:19|20)\d\d[^:]\d\d?[^:]\d\d?)$`)
)

func plainFNV(s string) uint64 {
	h := uint64(fnvOffset)
	for _, c := range []byte(s) {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

// TestReferenceOfNumbers compares sketches of pages with many numbers with plain ones.
func TestReferenceOfNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	pieces := []string{"12", "7", "8", "9", "13", "3.4", "-3.4", "17:35", "1,024.50", "3-1", "2026", "2026-11-28", "28.11.26", "1/2025", "12:30:15",
		"5km", "h264", "high", "low", "Rovers", "water"}
	of := 0
	for range 600 {
		var text strings.Builder
		most := 60
		if rng.IntN(200) == 0 {
			most = 2 * maxSketch
		}
		for range rng.IntN(most) {
			text.WriteString(pieces[rng.IntN(len(pieces))] + " ")
		}
		got := NewSketch("", text.String())
		want := plainSketch("", text.String())
		if numbers, ok := plainNumbers(text.String()); ok {
			of++
			want.Simhash, want.Numbers = numbers.Simhash, numbers.Numbers
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%.600q: %x, %d numbers; want %x, %d", text.String(), got.Simhash, len(got.Numbers), want.Simhash, len(want.Numbers))
		}
	}
	if of < 150 {
		t.Errorf("only %d texts are of mostly numbers", of)
	}
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
		if len(got.Numbers) > 0 { // see TestReferenceOfNumbers
			want.Simhash, want.Numbers = got.Simhash, got.Numbers
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, %.300q: %d words, %x, %d shingles; want %d, %x, %d", url, text.String(), got.Words, got.Simhash, len(got.Shingles),
				want.Words, want.Simhash, len(want.Shingles))
		}
	}
}
