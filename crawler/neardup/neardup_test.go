package neardup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// prose is a text of n made-up words.
func prose(rng *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("word%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26))
	}
	return words
}

// TestSameText compares texts with changed copies of themselves and with other texts.
func TestSameText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		words := prose(rng, 400)
		text := strings.Join(words, " ")
		h := NewSketch("", text).Simhash
		dressed := strings.ToUpper(strings.Join(words, ",\n "))
		if got := NewSketch("", dressed).Simhash; got != h {
			t.Fatalf("case, punctuation and white space change the simhash from %x to %x", h, got)
		}
		repeated := NewSketch("", text+" "+strings.Join(words[:200], " ")).Simhash
		if repeated != h {
			t.Fatalf("words that come again change the simhash from %x to %x", h, repeated)
		}
		if other := NewSketch("", strings.Join(prose(rng, 400), "x ")).Simhash; SameText(h, other) {
			t.Fatalf("two texts with no word in common count as the same: %x and %x", h, other)
		}
	}
	if none := NewSketch("", " \n.").Simhash; none != 0 || SameText(0, 0) {
		t.Errorf("a text without words has the simhash %x, or equals another without words", none)
	}
	for bits, want := range map[uint64]bool{0: true, 0b111: true, 0b1111: false} {
		if SameText(1<<40, 1<<40^bits) != want {
			t.Errorf("simhashes that differ in the bits %b count as the same: %v", bits, !want)
		}
	}
}

// TestShingles checks that numbers and words of the address do not make texts different.
func TestShingles(t *testing.T) {
	shingles := func(url, text string) []uint64 { return NewSketch(url, text).Shingles }
	if a, b := shingles("", "page 12 of the list"), shingles("", "page 7 of the list"); len(a) != 3 || !slices.Equal(a, b) {
		t.Errorf("numbers count: %x and %x", a, b)
	}
	if got := shingles("http://a.test/hats", "we have hats for you"); len(got) != 0 {
		t.Errorf("each three words hold a word of the address, and %d shingles are left", len(got))
	}
	if got := shingles("http://a.test/q=h%C3%BCte", "cheap and good h\u00fcte, all sizes here"); len(got) != 2 {
		t.Errorf("%d shingles without the word of the address, want 2", len(got))
	}
	if a, b := shingles("", "one two three"), shingles("", "three two one"); slices.Equal(a, b) {
		t.Error("the order of words does not count")
	}
}

// TestEachWord splits texts into words: letters and digits, and single characters of scripts without spaces.
func TestEachWord(t *testing.T) {
	count := func(text string) (n int) {
		EachWord(text, func(_, _ uint64) bool { n++; return true })
		return n
	}
	for text, want := range map[string]int{"": 0, "--": 0, "a": 1, "don't stop": 3, "h264 codec": 2, "山小屋": 3, "the 山": 2, "ice\u0301 rink": 2} {
		if got := count(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
	n := 0
	EachWord("one two three", func(_, _ uint64) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("it went on to word %d after it was told to stop at 2", n)
	}
	if s := NewSketch("", strings.Repeat("a b ", maxSketch)); s.Words != maxSketch {
		t.Errorf("%d words were read, want %d", s.Words, maxSketch)
	}
}
